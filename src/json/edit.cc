#include "json/edit.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "json/pointer.h"
#include "json/settings_text.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel::json {

// An edit parses the file only to find offsets, and then changes its text. Adding "c" to the first object gives the
// second:
//
//   {                        {
//     "a": 1, // one           "a": 1, // one
//     "b": 2  // two           "b": 2,  // two
//   }                          "c": 3
//                            }
//
// The comma goes directly after the last value, and the new item after the comments that follow it. Removing an item is
// the reverse, with more cases: which comma goes, whether the item's line goes, and whether a line comment before it
// would then swallow what follows.

namespace {

constexpr JsonReadOptions kSettings{.comments = true};

/// One change of the text: the bytes in `span` become `text`. An edit is a short list of these, so that everything else
/// stays as it is.
struct Splice {
  Span span;
  std::string text;
};

/// Applies the changes, which must be in order and must not overlap.
std::string splice_text(std::string_view text, const std::vector<Splice>& splices) {
  std::string out;
  size_t done = 0;
  for (const Splice& splice : splices) {
    out += text.substr(done, splice.span.begin - done);
    out += splice.text;
    done = splice.span.end;
  }
  out += text.substr(done);
  return out;
}

bool is_container(const Json& value) {
  return value.is_object() || value.is_array();
}

std::string spell(const Json& value, const JsonLayout& layout) {
  std::string out;
  append_json(out, value, layout);
  return out;
}

/// Adds one item at the end of a container, in the style of the items that are there. If the container is empty, the
/// style of the whole file decides.
class Appender {
 public:
  Appender(const SettingsText& settings, const Json& root, const Json& container)
      : settings_(settings), root_(root), container_(container), airy_(is_airy()), over_lines_(is_over_lines()) {}

  std::string append(std::string_view key, const Json& value) const {
    const std::string item = spell_item(key, value);
    return splice_text(settings_.text(), container_.empty() ? fill(item) : follow_last(item));
  }

 private:
  std::vector<Splice> fill(const std::string& item) const;
  std::vector<Splice> follow_last(const std::string& item) const;
  std::string spell_item(std::string_view key, const Json& value) const;
  std::string_view base_indent() const { return settings_.line_indent(container_.value.begin_offset()); }
  std::string item_indent() const;
  size_t insertion_point(Span gap) const;
  bool is_airy() const;
  bool is_over_lines() const;
  bool follows_colon(const JsonMember& member) const;

  const SettingsText& settings_;
  const Json& root_;
  Container container_;
  bool airy_;        ///< `"a": 1, "b": 2` rather than `"a":1,"b":2`
  bool over_lines_;  ///< each item has a line of its own
};

/// The first item of an empty container. White space that is already there stays before the item, so that removing the
/// item later can restore it.
std::vector<Splice> Appender::fill(const std::string& item) const {
  const Span gap = container_.tail();
  if (!over_lines_) return {{{gap.end, gap.end}, item}};
  const std::string line = std::string(settings_.newline()) + item_indent() + item;
  if (settings_.has_comment(gap)) {
    const size_t at = insertion_point(gap);
    return {{{at, at}, line}};
  }
  return {{{gap.end, gap.end}, line + std::string(settings_.newline()) + std::string(base_indent())}};
}

/// After the last item. If that has a trailing comma, the new item gets one, too; otherwise a comma goes between them.
std::vector<Splice> Appender::follow_last(const std::string& item) const {
  const Span gap = container_.tail();
  const size_t at = insertion_point(gap);
  const std::string separator = over_lines_ ? std::string(settings_.newline()) + item_indent() : airy_ ? " " : "";
  const bool trailing_comma = settings_.skip_gap(gap.begin) != gap.end;
  if (trailing_comma) return {{{at, at}, separator + item + ","}};
  return {{{gap.begin, gap.begin}, ","}, {{at, at}, separator + item}};
}

/// After the last comment of a gap, but before the line break that ends its line.
size_t Appender::insertion_point(Span gap) const {
  const size_t begin = settings_.trailing_white_space(gap);
  const size_t line_end = settings_.slice({begin, gap.end}).find_first_of("\r\n");
  return line_end == std::string_view::npos ? begin : begin + line_end;
}

std::string Appender::spell_item(std::string_view key, const Json& value) const {
  std::string out;
  if (container_.value.is_object()) {
    append_quoted(out, key);
    out += airy_ ? ": " : ":";
  }
  const std::string indent = item_indent();
  const JsonStyle style = over_lines_ ? JsonStyle::Pretty : airy_ ? JsonStyle::Spaced : JsonStyle::Compact;
  append_json(out, value, {style, settings_.newline(), settings_.unit(), indent});
  return out;
}

/// The indentation of the last item, or of the first one, if it begins a line. Otherwise one level more than the
/// container.
std::string Appender::item_indent() const {
  for (const size_t item : {container_.items.size(), size_t{1}}) {
    if (container_.empty()) break;
    const size_t begin = container_.items[item - 1].begin;
    if (settings_.begins_line(begin)) return std::string(settings_.line_indent(begin));
  }
  return std::string(base_indent()) + std::string(settings_.unit());
}

/// An empty container is spread over lines unless the whole file is one line; the root always is.
bool Appender::is_over_lines() const {
  if (container_.empty()) {
    const bool is_root = container_.value.begin_offset() == root_.begin_offset();
    return is_root || !settings_.is_one_line();
  }
  return settings_.has_break(container_.gap_before(container_.items.size() - 1)) ||
         settings_.has_break(container_.tail());
}

/// Looks at the first member of the container or else of the root; without members, at the last comma of the array.
bool Appender::is_airy() const {
  for (const Json& sample : {container_.value, root_}) {
    for (const JsonMember& member : sample.members()) return !follows_colon(member);
  }
  const size_t count = container_.items.size();
  return count < 2 || settings_.text()[container_.items[count - 1].begin - 1] != ',';
}

bool Appender::follows_colon(const JsonMember& member) const {
  return settings_.text()[member.value.begin_offset() - 1] == ':';
}

/// Replaces a value. The new one is written on one line if the old one was.
std::string replace_value(const SettingsText& settings, const Json& root, const Json& old, const Json& value) {
  const bool is_root = old.begin_offset() == root.begin_offset();
  const Span span{old.begin_offset(), old.end_offset()};
  const bool was_one_line = is_container(old) && old.size() > 0 && !settings.has_break(span);
  const bool one_line = was_one_line || (!is_root && settings.is_one_line());
  const std::string_view indent = settings.line_indent(span.begin);
  const JsonStyle style = one_line ? JsonStyle::Spaced : JsonStyle::Pretty;
  return splice_text(settings.text(), {{span, spell(value, {style, settings.newline(), settings.unit(), indent})}});
}

/// Removes the only item, with the line that it is on. The white space after it goes, too, unless there is a comment in
/// the container, which must stay readable.
std::vector<Splice> cut_only(const SettingsText& settings, const Container& container) {
  const Span item = container.items.front();
  const Span before = container.gap_before(0);
  const size_t comma = settings.skip_gap(item.end);
  const bool has_comma = comma != container.close;
  const size_t blank = settings.trailing_white_space(before);
  const bool own_line = settings.has_break({blank, before.end});
  const bool comments = settings.has_comment(before) || settings.has_comment(container.tail());
  size_t begin = own_line ? settings.last_line({blank, before.end}).begin : item.begin;
  if (!comments) return {{{begin, container.close}, ""}};
  const size_t after = has_comma && comma == item.end ? comma + 1 : item.end;
  // A line comment before the item needs its line break, unless another one follows the item.
  if (!settings.has_break({after, after + 1}) && settings.ends_line_comment(before, begin)) begin = item.begin;
  std::vector<Splice> cuts{{{begin, item.end}, ""}};
  if (has_comma) cuts.push_back({{comma, comma + 1}, ""});
  return cuts;
}

/// Removes the last of several items, with the comma after it or else the comma before it.
std::vector<Splice> cut_last(const SettingsText& settings, const Container& container) {
  const size_t index = container.items.size() - 1;
  const Span item = container.items[index];
  const size_t comma_before = settings.skip_gap(container.items[index - 1].end);
  const size_t comma_after = settings.skip_gap(item.end);
  const bool trailing_comma = comma_after != container.close;
  const Span gap{comma_before + 1, item.begin};
  size_t begin = settings.last_line({settings.trailing_white_space(gap), gap.end}).begin;
  const size_t after = trailing_comma && comma_after == item.end ? item.end + 1 : item.end;
  if (!settings.has_break({after, after + 1}) && settings.ends_line_comment(gap, begin)) begin = item.begin;
  if (trailing_comma) return {{{begin, item.end}, ""}, {{comma_after, comma_after + 1}, ""}};
  return {{{comma_before, comma_before + 1}, ""}, {{begin, item.end}, ""}};
}

/// Removes an item that others follow: the next one takes its place.
std::vector<Splice> cut_inner(const SettingsText& settings, const Container& container, size_t index) {
  const Span item = container.items[index];
  const size_t comma = settings.skip_gap(item.end);
  return {{item, ""}, {{comma, settings.skip_white_space(comma + 1)}, ""}};
}

std::vector<Splice> cut_item(const SettingsText& settings, const Container& container, size_t index) {
  if (container.items.size() == 1) return cut_only(settings, container);
  const bool last = index + 1 == container.items.size();
  return last ? cut_last(settings, container) : cut_inner(settings, container, index);
}

/// The index of the item that contains `value`. They end at the same byte; their beginnings differ, because a member
/// begins with its key.
size_t find_item(const Container& container, const Json& value) {
  size_t index = 0;
  while (container.items[index].end != value.end_offset()) ++index;
  return index;
}

Result<std::vector<std::string>> read_path(std::string_view pointer) {
  auto path = split_pointer(pointer);
  if (!path) return fail(Errc::BadInput, "not a JSON pointer: " + std::string(pointer));
  return std::move(*path);
}

}  // namespace

Result<std::string> set_value(std::string_view text, std::string_view pointer, const Json& value) {
  const auto path = read_path(pointer);
  if (!path) return std::unexpected(path.error());
  if (value.is_missing()) return fail(Errc::BadInput, "no value to set at '" + std::string(pointer) + "'");
  if (text::trim(text).empty()) return nest(*path, value).dump(JsonStyle::Pretty) + "\n";

  const auto root = Json::parse(std::string(text), kSettings);
  if (!root) return std::unexpected(root.error());
  const SettingsText settings(*root);
  const Reached reached = follow(*root, *path);
  if (reached.rest.empty()) return replace_value(settings, *root, reached.value, value);

  const std::string& token = reached.rest.front();
  const bool array_end = reached.value.is_array() && (token == "-" || read_index(token) == reached.value.size());
  if (!reached.value.is_object() && !array_end) {
    const SourcePos at = text::position_at("", text, reached.value.begin_offset());
    return fail(Errc::BadInput, "cannot set '" + token + "' (of " + std::string(pointer) + ") in this value", at);
  }
  return Appender(settings, *root, reached.value).append(token, nest(reached.rest.subspan(1), value));
}

Result<std::string> remove_value(std::string_view text, std::string_view pointer) {
  const auto path = read_path(pointer);
  if (!path) return std::unexpected(path.error());
  if (path->empty()) return fail(Errc::BadInput, "the whole document cannot be removed");

  std::string out(text);
  // Each round removes one item and reads the text again. Objects need several rounds if the key is duplicated; in an
  // array the index would then name another element, so one round is enough.
  for (bool found = false;; found = true) {
    const auto root = Json::parse(out, kSettings);
    if (!root) return std::unexpected(root.error());
    const Reached parent = follow(*root, std::span(*path).first(path->size() - 1));
    const Json value = parent.rest.empty() ? find_child(parent.value, path->back()) : Json();
    const bool duplicate = found && value && parent.value.is_object();
    if (!value && !found) return fail(Errc::NotFound, "nothing at '" + std::string(pointer) + "'");
    if (found && !duplicate) return out;
    const Container container(parent.value);
    out = splice_text(out, cut_item(SettingsText(*root), container, find_item(container, value)));
  }
}

}  // namespace grapnel::json
