#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The lines of a YAML text as people see them: indentation, dashes, keys, quotes and brackets. It is no parser: it
/// looks at texts that a parser has refused.
namespace grapnel {

/// A place in a text, counted from 1.
struct YamlSpot {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// A mistake: what it is, how to mend it, and where it is.
struct YamlMistake {
  std::string what;
  std::string hint;
  YamlSpot at;
};

/// One line without its line break.
struct YamlLine {
  std::string_view text;
  size_t indent = 0;      ///< the number of blanks and tabs in front
  size_t content = 0;     ///< the column (from 0) behind the dashes of list elements
  std::string_view key;   ///< of `key: value` or `key:`, or ""
  std::string_view rest;  ///< what follows the key and its colon, or the dashes, without blanks around it

  bool is_blank() const { return text.size() == indent || text[indent] == '#'; }
  bool has_dash() const { return content > indent; }
};

std::vector<YamlLine> yaml_lines(std::string_view document);

/// The first quote or bracket that is not closed, is closed by the wrong one, or is followed by more text.
std::optional<YamlMistake> find_loose_end(const std::vector<YamlLine>& lines);

/// Whether the text in quotes that starts at that offset has its closing quote. yaml-cpp takes the end of the document
/// for one if a line break comes before it, and then the rest of a file would be part of the text, in silence.
bool has_closing_quote(std::string_view document, size_t offset);

/// Whether the text ends inside of brackets.
bool is_in_brackets(std::string_view text);

/// The text in quotes that YAML reads as it is.
std::string in_yaml_quotes(std::string_view text);

/// The value that starts at that column of a line: to its end, or inside brackets to the next comma or bracket.
std::string_view value_from(std::string_view line, size_t column);

}  // namespace grapnel
