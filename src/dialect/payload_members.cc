#include "dialect/payload_members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "dialect/payload.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel {

namespace {

/// How many members the list has room for before it grows.
constexpr size_t kUsualMembers = 24;
constexpr std::string_view kExtra = "\"extra\":{";

char* append(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Appends one character and then the text.
char* append(char* out, char before, std::string_view text) {
  *out++ = before;
  return append(out, text);
}

}  // namespace

PayloadMembers::PayloadMembers(const Json& source) : source_(source) {
  members_.reserve(kUsualMembers);
}

void PayloadMembers::set(std::string_view key, Json value) {
  // A JSON pointer leads into a member that may exist already. This is rare, so the slow way is good enough: build the
  // object, change it, and take it apart again.
  if (key.starts_with('/')) return replace(object().with_pointer(key, value));
  kept_.push_back(std::move(value));
  put(key, text_of(*JsonDocument::of(kept_.back()), JsonDocument::node_of(kept_.back())));
}

void PayloadMembers::set_string(std::string_view key, std::string_view text) {
  if (key.starts_with('/')) return set(key, Json::string(text));
  put(key, quoted(text));
}

void PayloadMembers::set_number(std::string_view key, int64_t number) {
  std::array<char, 24> digits;
  const char* end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  put_scalar(key, copied({digits.data(), end}));
}

void PayloadMembers::set_flag(std::string_view key, bool flag) {
  put_scalar(key, flag ? "true" : "false");
}

/// Sets a number or a flag, whose text is already valid JSON.
void PayloadMembers::put_scalar(std::string_view key, std::string_view json) {
  if (key.starts_with('/')) return set(key, JsonDocument::adopt(std::string(json)));
  put(key, json);
}

void PayloadMembers::set_part(std::string_view key, uint32_t node) {
  if (key.starts_with('/')) return set(key, JsonDocument::at_node(source_, node));
  put(key, text_of(*JsonDocument::of(source_), node));
}

/// Adds a member, or replaces one of an earlier table: the rows of an event refine those that all events share.
void PayloadMembers::put(std::string_view key, std::string_view value) {
  // Only members of earlier tables can have this key.
  const auto before = std::span(members_).first(before_);
  const auto found = std::ranges::find(before, key, &Member::key);
  if (found == before.end()) {
    members_.push_back({key, value});
  } else {
    found->value = value;
  }
}

std::string_view PayloadMembers::copied(std::string_view text) {
  char* const out = allocate(text.size());
  append(out, text);
  return {out, text.size()};
}

/// Most texts have nothing to escape and only need quotes.
std::string_view PayloadMembers::quoted(std::string_view text) {
  const char* const end = text.data() + text.size();
  if (json::skip_plain_bytes(text.data(), end) != end) {
    std::string escaped;
    json::append_quoted(escaped, text);
    return copied(escaped);
  }
  char* const out = allocate(text.size() + 2);
  *append(out, '"', text) = '"';
  return {out, text.size() + 2};
}

/// Compact values are used as they are; others are written again without white space, so that the payload stays
/// compact.
std::string_view PayloadMembers::text_of(const JsonDocument& document, uint32_t node) {
  if (is_compact(document.node(node))) return document.raw(node);
  std::string compact;
  append_json(compact, document, node, {});
  return copied(compact);
}

void PayloadMembers::add_constants(std::span<const ConstantRow> rows) {
  if (!rows.empty()) replace(with_constants(object(), rows));
}

void PayloadMembers::add_extra(uint32_t key) {
  const JsonDocument& document = *JsonDocument::of(source_);
  const bool is_plain = document.node(key).plain;
  extras_.push_back({is_plain ? document.raw(key) : quoted(document.string(key)), text_of(document, key + 1)});
}

Json PayloadMembers::object() const {
  return JsonDocument::adopt(text(JsonStyle::Compact, "", ""));
}

/// Takes an object apart into members. All of its keys come from tables, as those of pointers and constants do, so they
/// need no escaping.
void PayloadMembers::replace(Json object) {
  members_.clear();
  kept_.push_back(std::move(object));
  const JsonDocument& document = *JsonDocument::of(kept_.back());
  const uint32_t root = JsonDocument::node_of(kept_.back());
  for (uint32_t at = root + 1; at < document.node(root).next; at = document.node(at + 1).next) {
    members_.push_back({document.string_body(at), text_of(document, at + 1)});
  }
  begin_table();
}

/// An upper bound of what `write` writes. The string is allocated once with this size and shortened afterwards.
size_t PayloadMembers::size_with(std::string_view under, std::string_view end) const {
  constexpr size_t kPunctuation = 4;
  constexpr size_t kBraces = 8;
  size_t size = kBraces + end.size();
  for (const Member& member : members_) size += member.key.size() + member.value.size() + kPunctuation;
  if (!extras_.empty()) size += kExtra.size() + under.size() + kPunctuation;
  for (const Extra& extra : extras_) size += extra.key.size() + extra.value.size() + kPunctuation;
  return size;
}

char* PayloadMembers::write(char* out, std::string_view under, std::string_view end) const {
  char before = '{';
  for (const Member& member : members_) {
    *out++ = before;
    out = append(out, '"', member.key);
    *out++ = '"';
    out = append(out, ':', member.value);
    before = ',';
  }
  if (!extras_.empty()) {
    *out++ = before;
    out = write_extras(out, under);
    // Without members the opening brace has not been written yet.
  } else if (members_.empty()) {
    *out++ = '{';
  }
  *out++ = '}';
  return append(out, end);
}

char* PayloadMembers::write_extras(char* out, std::string_view under) const {
  out = append(out, kExtra);
  out = append(out, '"', under);
  out = append(out, "\":");
  char before = '{';
  for (const Extra& extra : extras_) {
    out = append(out, before, extra.key);
    out = append(out, ':', extra.value);
    before = ',';
  }
  return append(out, "}}");
}

std::string PayloadMembers::text(JsonStyle style, std::string_view under, std::string_view end) const {
  // Other layouts are rare: the compact text is parsed and written again.
  if (style != JsonStyle::Compact) {
    return JsonDocument::adopt(text(JsonStyle::Compact, under, "")).dump(style) + std::string(end);
  }
  std::string out;
  out.resize_and_overwrite(size_with(under, end),
                           [&](char* data, size_t) { return static_cast<size_t>(write(data, under, end) - data); });
  return out;
}

}  // namespace grapnel
