#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// How a TOML text is laid out, as far as somebody needs to know who changes it by hand. The text must be valid TOML
/// for the answers to mean something; for any other they are harmless.
namespace grapnel {

/// Behind the string whose opening quote is at `at`; at the end of the line for one that is not closed.
size_t skip_toml_string(std::string_view text, size_t at);

/// One line outside values that go over several: a value's lines are all one of these.
struct TomlLine {
  size_t begin = 0;
  size_t end = 0;  ///< behind its line break
  bool is_header = false;
};
std::vector<TomlLine> toml_lines(std::string_view text);

/// A header and the keys right behind it, up to the first blank line or comment.
struct TomlBlock {
  size_t begin = 0;
  size_t end = 0;
  std::string_view header;  ///< `[[hooks]]`
};
std::vector<TomlBlock> toml_blocks(std::string_view text);

/// The text without some of its blocks, which have to be in order. The blank line in front of each goes with it.
std::string without_blocks(std::string_view text, const std::vector<TomlBlock>& blocks);

/// The line break the text uses.
std::string_view toml_newline(std::string_view text);

/// An array in brackets and its elements, from the first byte of each to the last.
struct TomlArray {
  struct Element {
    size_t begin = 0;
    size_t end = 0;
  };
  std::vector<Element> elements;
  size_t close = 0;  ///< at the closing bracket
  bool ends_with_comma = false;
};
TomlArray read_toml_array(std::string_view text, size_t open);

}  // namespace grapnel
