#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// How a settings file is laid out, as far as an edit needs to know. All offsets are into the text.
namespace grapnel::json {

/// A part of the text: from `begin` up to `end`.
struct Span {
  size_t begin = 0;
  size_t end = 0;
};

/// A container with its items (a member from its key on, or an element).
struct Container {
  explicit Container(const Json& value);

  bool empty() const { return items.empty(); }
  /// Between the opening bracket or the item before and the item at `index`.
  Span gap_before(size_t index) const;
  /// Between the last item, or the opening bracket, and the closing bracket.
  Span tail() const;

  Json value;
  std::vector<Span> items;
  size_t inside = 0;  ///< after the opening bracket
  size_t close = 0;   ///< at the closing bracket
};

/// A valid document's text and its habits.
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
  /// Whether the whole document stands on one line.
  bool is_one_line() const { return !has_break(root_); }
  bool begins_line(size_t offset) const;
  /// The blanks in front of the line that holds `offset`.
  std::string_view line_indent(size_t offset) const;

  /// The first byte from `offset` on that is neither white space nor comment.
  size_t skip_gap(size_t offset) const;
  size_t skip_white_space(size_t offset) const;
  /// Where the white space at the end of a gap begins.
  size_t trailing_white_space(Span gap) const;
  /// The last line break in white space and what follows it; when there is none, all of it.
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
