#include "dialect/payload_members.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "dialect/payload.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel {

namespace {

constexpr size_t kUsualMembers = 24;
constexpr size_t kUsuallyMade = 256;
constexpr std::string_view kExtra = "\"extra\":{";

char* append(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// A value and what is to be written before it.
char* append(char* out, char before, std::string_view text) {
  *out++ = before;
  return append(out, text);
}

}  // namespace

PayloadMembers::PayloadMembers(const Json& source) : source_(source) {
  members_.reserve(kUsualMembers);
  made_.reserve(kUsuallyMade);
}

void PayloadMembers::set(std::string_view key, Json value) {
  if (key.starts_with('/')) return replace(object().with_pointer(key, value));
  kept_.push_back(std::move(value));
  put(key, text_of(*JsonDocument::of(kept_.back()), JsonDocument::node_of(kept_.back())));
}

void PayloadMembers::set_string(std::string_view key, std::string_view text) {
  if (key.starts_with('/')) return set(key, Json::string(text));
  const size_t start = made_.size();
  json::append_quoted(made_, text);
  put(key, made_since(start));
}

/// JSON text of a scalar.
void PayloadMembers::put_made(std::string_view key, std::string_view json) {
  if (key.starts_with('/')) return set(key, JsonDocument::adopt(std::string(json)));
  const size_t start = made_.size();
  made_ += json;
  put(key, made_since(start));
}

void PayloadMembers::set_number(std::string_view key, int64_t number) {
  std::array<char, 24> digits;
  const char* end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  put_made(key, {digits.data(), end});
}

void PayloadMembers::set_flag(std::string_view key, bool flag) {
  put_made(key, flag ? "true" : "false");
}

void PayloadMembers::set_part(std::string_view key, uint32_t node) {
  if (key.starts_with('/')) return set(key, JsonDocument::at_node(source_, node));
  put(key, text_of(*JsonDocument::of(source_), node));
}

void PayloadMembers::put(std::string_view key, const Text& value) {
  const auto before = std::span(members_).first(before_);
  const auto found = std::ranges::find(before, key, &Member::key);
  if (found == before.end()) {
    members_.push_back({key, value});
  } else {
    found->value = value;
  }
}

PayloadMembers::Text PayloadMembers::text_of(const JsonDocument& document, uint32_t node) {
  if (is_compact(document.node(node))) {
    const std::string_view raw = document.raw(node);
    return {raw.data(), 0, raw.size()};
  }
  const size_t start = made_.size();
  append_json(made_, document, node, {});
  return made_since(start);
}

void PayloadMembers::add_constants(std::span<const ConstantRow> rows) {
  if (!rows.empty()) replace(with_constants(object(), rows));
}

void PayloadMembers::add_extra(uint32_t key) {
  const JsonDocument& document = *JsonDocument::of(source_);
  Text name = text_of(document, key);
  if (!document.node(key).plain) {
    const size_t start = made_.size();
    json::append_quoted(made_, document.string(key));
    name = made_since(start);
  }
  extras_.push_back({name, text_of(document, key + 1)});
}

Json PayloadMembers::object() const {
  return JsonDocument::adopt(text(JsonStyle::Compact, "", ""));
}

/// All keys are of tables still: pointers and constants are, too.
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

/// No less than `write` needs.
size_t PayloadMembers::size_with(std::string_view under, std::string_view end) const {
  constexpr size_t kPunctuation = 4;
  constexpr size_t kBraces = 8;
  size_t size = kBraces + end.size();
  for (const Member& member : members_) size += member.key.size() + member.value.size + kPunctuation;
  if (!extras_.empty()) size += kExtra.size() + under.size() + kPunctuation;
  for (const Extra& extra : extras_) size += extra.key.size + extra.value.size + kPunctuation;
  return size;
}

char* PayloadMembers::write(char* out, std::string_view under, std::string_view end) const {
  char before = '{';
  for (const Member& member : members_) {
    *out++ = before;
    out = append(out, '"', member.key);
    *out++ = '"';
    out = append(out, ':', view(member.value));
    before = ',';
  }
  if (!extras_.empty()) {
    *out++ = before;
    out = write_extras(out, under);
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
    out = append(out, before, view(extra.key));
    out = append(out, ':', view(extra.value));
    before = ',';
  }
  return append(out, "}}");
}

std::string PayloadMembers::text(JsonStyle style, std::string_view under, std::string_view end) const {
  if (style != JsonStyle::Compact) {
    return JsonDocument::adopt(text(JsonStyle::Compact, under, "")).dump(style) + std::string(end);
  }
  std::string out;
  out.resize_and_overwrite(size_with(under, end),
                           [&](char* data, size_t) { return static_cast<size_t>(write(data, under, end) - data); });
  return out;
}

}  // namespace grapnel
