#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// The layout of a settings file, as far as an edit needs to know it. All offsets are positions in the text.
namespace grapnel::json {

/// A part of the text: from `begin` up to `end`.
struct Span {
  size_t begin = 0;
  size_t end = 0;
};

/// A container and the places of its items. A member's place begins with its key.
struct Container {
  explicit Container(const Json& value);

  bool empty() const { return items.empty(); }
  /// From the opening bracket, or the item before, to the item at `index`.
  Span gap_before(size_t index) const;
  /// From the last item, or the opening bracket, to the closing bracket.
  Span tail() const;

  Json value;
  std::vector<Span> items;
  size_t inside = 0;  ///< after the opening bracket
  size_t close = 0;   ///< at the closing bracket
};

/// The text of a valid document, and its habits: line breaks and indentation.
class SettingsText {
 public:
  /// Borrows the document.
  explicit SettingsText(const Json& root);

  std::string_view text() const { return text_; }
  std::string_view slice(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  std::string_view newline() const { return newline_; }
  std::string_view unit() const { return unit_; }

  bool has_break(Span span) const;
  bool has_comment(Span span) const;
  /// Whether the whole document is on one line.
  bool is_one_line() const { return !has_break(root_); }
  bool begins_line(size_t offset) const;
  /// The blanks at the start of the line that contains `offset`.
  std::string_view line_indent(size_t offset) const;

  /// The first byte at or after `offset` that is neither white space nor part of a comment.
  size_t skip_gap(size_t offset) const;
  size_t skip_white_space(size_t offset) const;
  /// Where the white space at the end of a gap begins.
  size_t trailing_white_space(Span gap) const;
  /// The last line break in white space and everything after it; all of it if there is none.
  Span last_line(Span white_space) const;
  /// Whether the comment that ends at `offset` needs the line break after it.
  bool ends_line_comment(Span gap, size_t offset) const;

 private:
  std::string_view text_;
  Span root_;
  std::string_view newline_;
  std::string_view unit_;
};

}  // namespace grapnel::json
