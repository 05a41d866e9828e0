#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "grapnel/json.h"

#include "json/document.h"
#include "json/member_index.h"
#include "json/pointer.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel {

namespace {

/// The number in its shortest spelling that reads back as the same value.
template <typename... Number>
Json adopt_number(Number... value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value...);
  return JsonDocument::adopt_scalar(std::string(buffer.data(), end), JsonKind::Number);
}

/// Whether a double is better spelled `100000` than `1e+05`, which is what the shortest spelling would be.
bool is_everyday_integer(double value) {
  return std::trunc(value) == value && std::abs(value) < 1e15;
}

/// The compact text of an object or array, built item by item. Values are appended as they were spelled, and closing it
/// reads the text as a new document. So every part keeps its bytes, and the reader stays the only code that makes a
/// tape.
class ContainerText {
 public:
  explicit ContainerText(char opening) : text_(1, opening) {}

  void add_member(std::string_view key, const Json& value) {
    begin_item();
    json::append_quoted(text_, key);
    add_value_after_key(value);
  }
  /// For a key that is already quoted, in its original spelling.
  void add_member_raw(std::string_view quoted_key, const Json& value) {
    begin_item();
    text_ += quoted_key;
    add_value_after_key(value);
  }
  void add_element(const Json& value) {
    begin_item();
    append_json(text_, value, {});
  }
  Json close(char closing) {
    text_ += closing;
    return JsonDocument::adopt(std::move(text_));
  }

 private:
  void begin_item() {
    if (text_.size() > 1) text_ += ',';
  }
  void add_value_after_key(const Json& value) {
    text_ += ':';
    append_json(text_, value, {});
  }

  std::string text_;
};

/// Missing values are left out, so that callers need no `if` for optional members.
template <typename Members>
Json make_object(const Members& members) {
  ContainerText out('{');
  for (const auto& [key, value] : members) {
    if (value) out.add_member(key, value);
  }
  return out.close('}');
}

/// A copy of an array in which the element at `index` is set, appended (if the index is the size) or removed (if the
/// value is missing).
Json with_element(const Json& array, size_t index, const Json& value) {
  ContainerText out('[');
  size_t at = 0;
  for (const Json& element : array.elements()) {
    if (at++ != index) {
      out.add_element(element);
    } else if (value) {
      out.add_element(value);
    }
  }
  if (at == index && value) out.add_element(value);
  return out.close(']');
}

/// A copy of `container`, which is the last value that a path reaches, in which the rest of the path is created.
/// Missing if that is not possible.
Json with_child(const Json& container, std::span<const std::string> path, const Json& value) {
  const Json child = path.size() == 1 ? value : json::nest(path.subspan(1), value);
  if (container.is_object()) return container.with(path.front(), child);
  if (!container.is_array()) return json::nest(path, value);
  const size_t size = container.size();
  const size_t index = path.front() == "-" ? size : json::read_index(path.front()).value_or(size + 1);
  return index <= size ? with_element(container, index, child) : Json();
}

/// A copy of `root` in which `part`, a piece of the same document, is replaced by `value`.
Json replace_part(const Json& root, const Json& part, const Json& value) {
  const std::string_view before = root.raw().substr(0, part.begin_offset() - root.begin_offset());
  const std::string_view after = root.raw().substr(part.end_offset() - root.begin_offset());
  std::string text(before);
  append_json(text, value, {});
  text += after;
  return JsonDocument::adopt(std::move(text));
}

}  // namespace

/// Null, true and false are the same document every time.
Json Json::null() {
  static const Json value = JsonDocument::adopt_scalar("null", JsonKind::Null);
  return value;
}

Json Json::boolean(bool value) {
  static const Json yes = JsonDocument::adopt_scalar("true", JsonKind::Bool);
  static const Json no = JsonDocument::adopt_scalar("false", JsonKind::Bool);
  return value ? yes : no;
}

Json Json::number(int64_t value) {
  return adopt_number(value);
}

Json Json::number(double value) {
  if (!std::isfinite(value)) return null();
  return is_everyday_integer(value) ? adopt_number(value, std::chars_format::fixed) : adopt_number(value);
}

Json Json::string(std::string_view value) {
  std::string text;
  text.reserve(value.size() + 2);
  json::append_quoted(text, value);
  const bool plain = text.find('\\') == std::string::npos;
  return JsonDocument::adopt_scalar(std::move(text), JsonKind::String, plain);
}

Json Json::object(std::initializer_list<std::pair<std::string_view, Json>> members) {
  return make_object(members);
}

Json Json::object(const std::vector<std::pair<std::string, Json>>& members) {
  return make_object(members);
}

Json Json::array(const std::vector<Json>& elements) {
  ContainerText out('[');
  for (const Json& element : elements) out.add_element(element);
  return out.close(']');
}

Json Json::with(std::string_view key, const Json& value) const {
  ContainerText out('{');
  const uint32_t place = is_object() ? document_->find_member(node_, key) : 0;
  const uint32_t end = is_object() ? document_->node(node_).next : 0;
  for (uint32_t at = node_ + 1; at < end; at = document_->node(at + 1).next) {
    // Members with other keys are copied. Of duplicates of this key only the last one is set; the others are dropped.
    if (!document_->string_equals(at, key)) {
      out.add_member_raw(document_->raw(at), Json(document_, at + 1));
    } else if (at + 1 == place && value) {
      out.add_member_raw(document_->raw(at), value);
    }
  }
  if (place == 0 && value) out.add_member(key, value);
  return out.close('}');
}

Json Json::without(std::string_view key) const {
  return with(key, Json());
}

/// Indexes on both sides, because looking up every member by walking would take quadratic time.
Json Json::merged(const Json& patch) const {
  if (!patch.is_object()) return is_object() ? *this : object();
  if (!is_object()) return object().merged(patch);
  const MemberIndex own(*document_, node_);
  const MemberIndex changes(*patch.document_, patch.node_);
  ContainerText out('{');
  for (uint32_t at = node_ + 1; at < document_->node(node_).next; at = document_->node(at + 1).next) {
    const std::string key = document_->string(at);
    const uint32_t change = changes.find(key);
    if (change == 0) {
      out.add_member_raw(document_->raw(at), Json(document_, at + 1));
    } else if (own.find(key) == at + 1) {
      out.add_member_raw(document_->raw(at), Json(patch.document_, change));
    }
  }
  for (const JsonMember& member : patch.members()) {
    // New members, in the order of the patch. Of duplicate keys only the last one counts.
    const bool counts = changes.find(member.key) == member.value.node_;
    if (counts && own.find(member.key) == 0) out.add_member(member.key, member.value);
  }
  return out.close('}');
}

/// Finds the last container on the path that exists, makes a changed copy of it, and puts that in its place in the
/// text.
Json Json::with_pointer(std::string_view pointer, const Json& value) const {
  const auto path = json::split_pointer(pointer);
  if (!path) return *this;
  if (path->empty()) return value;
  // The result is read as strict JSON, so comments and trailing commas must be gone before a part is replaced.
  const Json root = document_ && document_->node(node_).plain ? *this : JsonDocument::adopt(dump());
  // Replaces the container of the value and not the value itself, because the container knows how to deal with
  // duplicate keys.
  const auto parents = std::span(*path).first(path->size() - 1);
  const json::Reached reached = json::follow(root, parents);
  const bool exists = reached.rest.empty() && json::find_child(reached.value, path->back());
  if (!value && !exists) return *this;
  const auto rest = std::span(*path).subspan(parents.size() - reached.rest.size());
  const Json changed = with_child(reached.value, rest, value);
  return changed ? replace_part(root, reached.value, changed) : *this;
}

}  // namespace grapnel
