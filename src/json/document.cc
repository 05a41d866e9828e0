#include "json/document.h"

#include <utility>

#include "base/error.h"
#include "json/reader.h"
#include "json/string.h"

namespace grapnel {

/// The limits protect against strangers, and this text is our own.
Json JsonDocument::adopt(std::string text) {
  constexpr JsonReadOptions kNoLimits{.max_depth = UINT32_MAX, .max_bytes = SIZE_MAX};
  auto nodes = read_tape(text, kNoLimits);
  GRAPNEL_CHECK(nodes.has_value());
  return {std::make_shared<JsonDocument>(std::move(text), std::move(*nodes)), 0};
}

Json JsonDocument::adopt_scalar(std::string text, JsonKind kind, bool plain) {
  const auto size = static_cast<uint32_t>(text.size());
  const JsonNode node{.begin = 0, .end = size, .next = 1, .kind = kind, .plain = plain};
  return {std::make_shared<JsonDocument>(std::move(text), node), 0};
}

/// The result points at the text inside of the document and keeps the document alive.
std::shared_ptr<const std::string> JsonDocument::shared_raw(const Json& value) {
  const std::string_view raw = value.raw();
  if (!value.document_ || raw.size() != value.document_->text_.size()) return std::make_shared<const std::string>(raw);
  return {value.document_, &value.document_->text_};
}

std::string JsonDocument::string(uint32_t index) const {
  const std::string_view body = string_body(index);
  return tape_[index].plain ? std::string(body) : json::unescape(body);
}

bool JsonDocument::string_equals(uint32_t index, std::string_view value) const {
  const std::string_view body = string_body(index);
  return tape_[index].plain ? body == value : json::unescapes_to(body, value);
}

/// A member is a key node and, directly after it, the value's nodes; the next key follows the value's subtree.
uint32_t JsonDocument::find_member(uint32_t object, std::string_view key) const {
  uint32_t found = 0;
  const uint32_t end = tape_[object].next;
  // No early exit: of duplicate keys the last one counts.
  for (uint32_t at = object + 1; at < end; at = tape_[at + 1].next) {
    if (is_key(at, key)) found = at + 1;
  }
  return found;
}

uint32_t JsonDocument::find_element(uint32_t array, size_t index) const {
  for (uint32_t at = array + 1; at < tape_[array].next; at = tape_[at].next) {
    if (index-- == 0) return at;
  }
  return 0;
}

}  // namespace grapnel
