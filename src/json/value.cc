#include <utility>

#include "grapnel/json.h"

#include "json/document.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/reader.h"
#include "json/writer.h"

namespace grapnel {

// Lookups on the tape. A missing value has no document; all functions treat it like a value of the wrong kind, so that
// chains of lookups need no checks in between.
Result<Json> Json::parse(std::string text, const JsonReadOptions& options) {
  auto nodes = read_tape(text, options);
  if (!nodes) return std::unexpected(std::move(nodes.error()));
  return Json(std::make_shared<JsonDocument>(std::move(text), std::move(*nodes)), 0);
}

JsonKind Json::kind() const {
  return document_ ? document_->node(node_).kind : JsonKind::Missing;
}

std::optional<bool> Json::as_bool() const {
  if (kind() != JsonKind::Bool) return std::nullopt;
  return raw().front() == 't';
}

std::optional<double> Json::as_number() const {
  if (kind() != JsonKind::Number) return std::nullopt;
  return json::to_double(raw());
}

std::optional<int64_t> Json::as_integer() const {
  if (kind() != JsonKind::Number) return std::nullopt;
  return json::to_integer(raw());
}

std::optional<std::string> Json::as_string() const {
  if (!is_string()) return std::nullopt;
  return document_->string(node_);
}

/// Compares piece by piece, so it makes no copy even if the string has escapes.
bool Json::equals_string(std::string_view text) const {
  return is_string() && document_->string_equals(node_, text);
}

/// Walks over the members. Code that looks up many of them uses `MemberIndex` instead.
Json Json::operator[](std::string_view key) const {
  if (!is_object()) return {};
  const uint32_t found = document_->find_member(node_, key);
  return found == 0 ? Json() : Json(document_, found);
}

Json Json::at(size_t index) const {
  if (!is_array()) return {};
  const uint32_t found = document_->find_element(node_, index);
  return found == 0 ? Json() : Json(document_, found);
}

Json Json::at_pointer(std::string_view pointer) const {
  return json::find_at(*this, pointer);
}

/// Counts without making the members, which would copy every key.
size_t Json::size() const {
  size_t count = 0;
  if (is_object()) {
    const Members range = members();
    for (auto at = range.begin(); at != range.end(); ++at) ++count;
  } else if (is_array()) {
    const Elements range = elements();
    for (auto at = range.begin(); at != range.end(); ++at) ++count;
  }
  return count;
}

/// The range has its own share of the document, so that a loop over a temporary is safe.
Json::Members Json::members() const {
  return Members(is_object() ? *this : Json());
}

Json::Elements Json::elements() const {
  return Elements(is_array() ? *this : Json());
}

std::string_view Json::raw() const {
  return document_ ? document_->raw(node_) : std::string_view();
}

size_t Json::begin_offset() const {
  return document_ ? document_->node(node_).begin : 0;
}

size_t Json::end_offset() const {
  return document_ ? document_->node(node_).end : 0;
}

std::string_view Json::document_text() const {
  return document_ ? document_->text() : std::string_view();
}

std::string Json::dump(JsonStyle style) const {
  std::string out;
  append_json(out, *this, {.style = style});
  return out;
}

/// An iterator points at the key node of a member; the value is the node after it.
JsonMember Json::Members::Iterator::operator*() const {
  const auto& document = object_->document_;
  return {document->string(node_), Json(document, node_ + 1), document->node(node_).begin};
}

Json::Members::Iterator& Json::Members::Iterator::operator++() {
  node_ = object_->document_->node(node_ + 1).next;
  return *this;
}

Json::Members::Iterator Json::Members::begin() const {
  return {&object_, object_ ? object_.node_ + 1 : 0};
}

Json::Members::Iterator Json::Members::end() const {
  return {&object_, object_ ? object_.document_->node(object_.node_).next : 0};
}

Json Json::Elements::Iterator::operator*() const {
  return Json(array_->document_, node_);
}

Json::Elements::Iterator& Json::Elements::Iterator::operator++() {
  node_ = array_->document_->node(node_).next;
  return *this;
}

Json::Elements::Iterator Json::Elements::begin() const {
  return {&array_, array_ ? array_.node_ + 1 : 0};
}

Json::Elements::Iterator Json::Elements::end() const {
  return {&array_, array_ ? array_.document_->node(array_.node_).next : 0};
}

}  // namespace grapnel
