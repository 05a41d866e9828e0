#include "dialect/payload_members.h"

#include <algorithm>

#include "dialect/payload.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel {

namespace {

constexpr size_t kUsualMembers = 24;

}  // namespace

PayloadMembers::PayloadMembers(const Json& source) : source_(JsonDocument::of(source)) {
  members_.reserve(kUsualMembers);
  made_.reserve(kUsualMembers / 2);
}

void PayloadMembers::set(std::string_view key, const Json& value) {
  if (key.starts_with('/')) return replace(object().with_pointer(key, value));
  put(key, keep(value));
}

void PayloadMembers::put(std::string_view key, Part value) {
  const auto found = std::ranges::find(members_, key, &Member::key);
  if (found == members_.end()) {
    members_.push_back({key, value});
  } else {
    found->value = value;
  }
}

PayloadMembers::Part PayloadMembers::keep(const Json& value) {
  made_.push_back(value);
  return {JsonDocument::of(value), JsonDocument::node_of(value)};
}

void PayloadMembers::add_constants(std::span<const ConstantRow> rows) {
  if (!rows.empty()) replace(with_constants(object(), rows));
}

Json PayloadMembers::object() const {
  return JsonDocument::adopt(text(JsonStyle::Compact, "", ""));
}

/// All keys are of tables still: pointers and constants are, too.
void PayloadMembers::replace(const Json& object) {
  members_.clear();
  const auto [document, root] = keep(object);
  for (uint32_t at = root + 1; at < document->node(root).next; at = document->node(at + 1).next) {
    members_.push_back({document->string_body(at), {document, at + 1}});
  }
}

size_t PayloadMembers::size_hint() const {
  constexpr size_t kPunctuation = 4;
  size_t size = extras_.empty() ? 0 : 64;
  for (const auto& [key, value] : members_) size += key.size() + value.document->raw(value.node).size() + kPunctuation;
  for (const uint32_t key : extras_) size += source_->raw(key).size() + source_->raw(key + 1).size() + kPunctuation;
  return size;
}

void PayloadMembers::append_extras(std::string& out, std::string_view under) const {
  out.append(out.size() > 1 ? "," : "").append("\"extra\":{");
  json::append_quoted(out, under);
  char before = '{';
  out += ':';
  for (const uint32_t key : extras_) {
    out += before;
    json::append_quoted(out, source_->string(key));
    out += ':';
    append_json(out, *source_, key + 1, {});
    before = ',';
  }
  out += "}}";
}

std::string PayloadMembers::text(JsonStyle style, std::string_view under, std::string_view end) const {
  std::string out;
  out.reserve(size_hint() + end.size() + 2);
  out += '{';
  for (const auto& [key, value] : members_) {
    out.append(out.size() > 1 ? ",\"" : "\"").append(key).append("\":");
    append_json(out, *value.document, value.node, {});
  }
  if (!extras_.empty()) append_extras(out, under);
  out += '}';
  if (style != JsonStyle::Compact) out = JsonDocument::adopt(std::move(out)).dump(style);
  out += end;
  return out;
}

}  // namespace grapnel
