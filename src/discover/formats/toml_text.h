#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Finds the parts of a TOML text, for code that edits it and must keep its layout. The text must be valid TOML for the
/// results to be meaningful; for other text they are harmless: all offsets stay inside the text.
namespace grapnel {

/// The offset behind the string whose opening quote is at `at`. A string that is not closed ends with its line, and a
/// long one (`"""`) with the text.
size_t skip_toml_string(std::string_view text, size_t at);

/// A line of the text. A value that spans several lines is one line here.
struct TomlLine {
  size_t begin = 0;
  size_t end = 0;  ///< behind its line break
  bool is_header = false;
};
/// All lines, in order; together they cover the whole text.
std::vector<TomlLine> toml_lines(std::string_view text);

/// A header and the keys that follow it, up to the first blank line or comment.
struct TomlBlock {
  size_t begin = 0;
  size_t end = 0;
  std::string_view header;  ///< `[[hooks]]`
};
/// All blocks, in order.
std::vector<TomlBlock> toml_blocks(std::string_view text);

/// The text without some of its blocks, which must be in order. The blank line in front of each block is removed, too.
std::string without_blocks(std::string_view text, const std::vector<TomlBlock>& blocks);

/// The line break that the text uses: that of its first line.
std::string_view toml_newline(std::string_view text);

/// An array in brackets and the range of each element. `open` is the offset of the opening bracket.
struct TomlArray {
  struct Element {
    size_t begin = 0;
    size_t end = 0;
  };
  std::vector<Element> elements;
  size_t close = 0;  ///< the offset of the closing bracket
  bool ends_with_comma = false;
};
TomlArray read_toml_array(std::string_view text, size_t open);

}  // namespace grapnel
