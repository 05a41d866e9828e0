#include "discover/formats/toml_text.h"

#include <algorithm>
#include <string>

#include "base/text.h"

// A light scanner for TOML. `grapnel install` changes users' files and must keep their comments and layout, which a
// parser would lose. So it works on the text and only needs to know where lines, strings, arrays and tables begin and
// end.
namespace grapnel {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

size_t end_of_line(std::string_view text, size_t at) {
  return std::min(text.find('\n', at), text.size());
}

/// The offset behind one piece of a value: a string, a comment without its line break, or any other single character.
size_t skip_piece(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '#') return end_of_line(text, at);
  return c == '"' || c == '\'' ? skip_toml_string(text, at) : at + 1;
}

/// How a character changes the depth of brackets.
int depth_of(char c) {
  if (c == '[' || c == '{') return 1;
  return c == ']' || c == '}' ? -1 : 0;
}

/// The offset behind the line break that ends a value. Inside brackets line breaks belong to the value.
size_t skip_line(std::string_view text, size_t at) {
  for (int depth = 0; at < text.size();) {
    if (text[at] == '\n' && depth <= 0) return at + 1;
    depth += depth_of(text[at]);
    at = skip_piece(text, at);
  }
  return at;
}

}  // namespace

size_t skip_toml_string(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool is_long = text.substr(at).starts_with(triple);
  const std::string_view end = is_long ? std::string_view(triple) : std::string_view(triple).substr(2);
  at += end.size();
  while (at < text.size() && !text.substr(at).starts_with(end)) {
    // A short string cannot contain a line break, so this one is not closed.
    if (!is_long && text[at] == '\n') return at;
    // Only strings in double quotes have escapes.
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  }
  at = std::min(at + end.size(), text.size());
  // A long string may end with up to two quotes of its own: `""""a"""""` is `"a""`.
  for (int more = 0; is_long && more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
  return at;
}

std::vector<TomlLine> toml_lines(std::string_view text) {
  std::vector<TomlLine> out;
  for (size_t at = 0; at < text.size();) {
    const size_t first = text.find_first_not_of(kBlanks.substr(0, 2), at);
    // A line that starts with a bracket is a header here, because lines inside values are skipped.
    const bool is_header = first != std::string_view::npos && text[first] == '[';
    const size_t end = is_header ? std::min(end_of_line(text, first) + 1, text.size()) : skip_line(text, at);
    out.push_back({at, end, is_header});
    at = end;
  }
  return out;
}

/// A blank line or comment ends a block: whatever follows may be a note of the user's and must survive.
std::vector<TomlBlock> toml_blocks(std::string_view text) {
  std::vector<TomlBlock> out;
  bool open = false;
  for (const TomlLine& line : toml_lines(text)) {
    const std::string_view content = text::trim(text.substr(line.begin, line.end - line.begin));
    if (line.is_header) {
      out.push_back({line.begin, line.end, text::trim(content.substr(0, content.find('#')))});
      open = true;
    } else if (content.empty() || content.starts_with('#')) {
      open = false;
    } else if (open) {
      out.back().end = line.end;
    }
  }
  return out;
}

std::string without_blocks(std::string_view text, const std::vector<TomlBlock>& blocks) {
  std::string out;
  size_t done = 0;
  for (const TomlBlock& block : blocks) {
    out += text.substr(done, block.begin - done);
    done = block.end;
    // The text in front of the block may end with a blank line, which goes with the block.
    for (const std::string_view blank : {"\r\n\r\n", "\n\n"}) {
      if (!std::string_view(out).ends_with(blank)) continue;
      out.resize(out.size() - blank.size() / 2);
      break;
    }
  }
  std::string_view rest = text.substr(done);
  // The first block is gone, so the file must not start with the blank lines behind it.
  if (out.empty() && done > 0) rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
  return out += rest;
}

std::string_view toml_newline(std::string_view text) {
  const size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

/// Walks over the pieces of the array and notes where each element begins and ends. Commas inside nested brackets
/// belong to an element. Without a closing bracket, the array ends with the text.
TomlArray read_toml_array(std::string_view text, size_t open) {
  TomlArray out;
  bool inside = false;  // of an element
  int depth = 0;
  for (size_t at = open + 1; at < text.size();) {
    const char c = text[at];
    const size_t next = skip_piece(text, at);
    if (depth == 0 && c == ']') {
      out.close = at;
      return out;
    }
    if (depth == 0 && c == ',') {
      inside = false;
      out.ends_with_comma = true;
    } else if (c != '#' && kBlanks.find(c) == std::string_view::npos) {
      if (!inside) out.elements.push_back({at, next});
      out.elements.back().end = next;
      inside = true;
      out.ends_with_comma = false;
      depth += depth_of(c);
    }
    at = next;
  }
  out.close = text.size();
  return out;
}

}  // namespace grapnel
