#include "json/settings_text.h"

#include <algorithm>

namespace grapnel::json {

namespace {

// The document has been parsed, so these functions may assume that it is valid. In particular, a slash outside of
// strings always begins a comment, and every comment is closed.
constexpr std::string_view kBreaks = "\r\n";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kWhiteSpace = " \t\r\n";

size_t or_end(size_t found, std::string_view text) {
  return std::min(found, text.size());
}

/// The position after the comment at `offset`. A line comment ends before its line break.
size_t skip_comment(std::string_view text, size_t offset) {
  if (text.substr(offset).starts_with("//")) return or_end(text.find_first_of(kBreaks, offset), text);
  return text.find("*/", offset + 2) + 2;
}

/// The first line break of the text decides how new lines are written.
std::string_view find_newline(std::string_view text) {
  const size_t at = text.find_first_of(kBreaks);
  if (at == std::string_view::npos) return "\n";
  return text.substr(at, text.substr(at).starts_with("\r\n") ? 2 : 1);
}

}  // namespace

Container::Container(const Json& v) : value(v), inside(v.begin_offset() + 1), close(v.end_offset() - 1) {
  for (const JsonMember& member : v.members()) items.push_back({member.key_offset, member.value.end_offset()});
  for (const Json& element : v.elements()) items.push_back({element.begin_offset(), element.end_offset()});
}

Span Container::gap_before(size_t index) const {
  return {index == 0 ? inside : items[index - 1].end, items[index].begin};
}

Span Container::tail() const {
  return {empty() ? inside : items.back().end, close};
}

SettingsText::SettingsText(const Json& root)
    : text_(root.document_text()),
      root_{root.begin_offset(), root.end_offset()},
      newline_(find_newline(text_)),
      unit_("  ") {
  if (!root.is_object() && !root.is_array()) return;
  const Container container(root);
  // The first item of the root is one level deep, so its indentation is the unit.
  if (container.empty() || !begins_line(container.items.front().begin)) return;
  const std::string_view indent = line_indent(container.items.front().begin);
  if (!indent.empty()) unit_ = indent;
}

bool SettingsText::has_break(Span span) const {
  return slice(span).find_first_of(kBreaks) != std::string_view::npos;
}

/// For gaps only: a slash in a string would be mistaken for a comment.
bool SettingsText::has_comment(Span span) const {
  return slice(span).find('/') != std::string_view::npos;
}

bool SettingsText::begins_line(size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const size_t last = before.find_last_not_of(kBlanks);
  return last == std::string_view::npos || kBreaks.find(before[last]) != std::string_view::npos;
}

std::string_view SettingsText::line_indent(size_t offset) const {
  const size_t last_break = text_.substr(0, offset).find_last_of(kBreaks);
  const size_t start = last_break == std::string_view::npos ? 0 : last_break + 1;
  return slice({start, or_end(text_.find_first_not_of(kBlanks, start), text_)});
}

size_t SettingsText::skip_gap(size_t offset) const {
  for (;;) {
    offset = skip_white_space(offset);
    if (offset == text_.size() || text_[offset] != '/') return offset;
    offset = skip_comment(text_, offset);
  }
}

size_t SettingsText::skip_white_space(size_t offset) const {
  return or_end(text_.find_first_not_of(kWhiteSpace, offset), text_);
}

/// Goes over comments and the comma to the white space that ends the gap.
size_t SettingsText::trailing_white_space(Span gap) const {
  size_t at = gap.begin;
  for (;;) {
    const size_t next = skip_white_space(at);
    if (next >= gap.end) return at;
    at = text_[next] == '/' ? skip_comment(text_, next) : next + 1;
  }
}

/// `\r\n` is one line break, so both bytes belong to it.
Span SettingsText::last_line(Span white_space) const {
  const size_t at = slice(white_space).find_last_of(kBreaks);
  if (at == std::string_view::npos) return white_space;
  const size_t offset = white_space.begin + at;
  const bool two_bytes = at > 0 && slice({offset - 1, offset + 1}) == "\r\n";
  return {two_bytes ? offset - 1 : offset, white_space.end};
}

/// True if the last thing before `offset` is a line comment: without its line break it would swallow what follows.
bool SettingsText::ends_line_comment(Span gap, size_t offset) const {
  bool line_comment = false;
  for (size_t at = gap.begin; at < offset;) {
    at = skip_white_space(at);
    if (at >= offset) break;
    line_comment = slice({at, offset}).starts_with("//");
    at = text_[at] == '/' ? skip_comment(text_, at) : at + 1;
  }
  return line_comment;
}

}  // namespace grapnel::json
