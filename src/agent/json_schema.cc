#include "agent/json_schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "json/pointer.h"

/// The checker walks value and schema together and stops at the first violation. Each `check_…` function handles a
/// group of keywords and returns a message, or nothing when the value conforms. A keyword that the schema lacks
/// restricts nothing. `place` is the JSON pointer of the value; "" is the whole input.
namespace grapnel::agent {

namespace {

using json::below;

/// The JSON Schema name of a value's type. Whole numbers are `integer`, which `number` accepts too.
std::string_view type_of(const Json& value) {
  switch (value.kind()) {
    case JsonKind::Missing:
    case JsonKind::Null:
      return "null";
    case JsonKind::Bool:
      return "boolean";
    case JsonKind::Number:
      return value.as_integer() ? "integer" : "number";
    case JsonKind::String:
      return "string";
    case JsonKind::Array:
      return "array";
    case JsonKind::Object:
      return "object";
  }
  return "null";
}

/// One message: the place, then what is wrong with it.
std::string complain(const std::string& place, std::string_view what) {
  return (place.empty() ? "the input" : place) + ' ' + std::string(what);
}

using Violation = std::optional<std::string>;

/// `type` is one name or an array of them.
Violation check_type(const Json& value, const Json& type, const std::string& place) {
  if (!type) return {};
  std::vector<std::string> names;
  if (const auto one = type.as_string()) names.push_back(*one);
  for (const Json& name : type.elements()) names.push_back(name.as_string().value_or(""));
  const std::string_view own = type_of(value);
  const bool fits = std::ranges::any_of(
      names, [&](const std::string& name) { return name == own || (name == "number" && own == "integer"); });
  if (fits) return {};
  return complain(place, "must be " + text::join(names, " or ") + ", not " + std::string(own));
}

/// The message lists the allowed values as JSON, so that the model can copy one.
Violation check_enum(const Json& value, const Json& allowed, const std::string& place) {
  if (!allowed) return {};
  std::vector<std::string> texts;
  for (const Json& one : allowed.elements()) {
    if (one == value) return {};
    texts.push_back(one.dump());
  }
  return complain(place, "must be one of " + text::join(texts, ", "));
}

/// Numbers against minimum and maximum, strings against minLength (in characters, not bytes), arrays against minItems.
Violation check_limits(const Json& value, const Json& schema, const std::string& place) {
  if (const auto number = value.as_number()) {
    const Json minimum = schema["minimum"];
    const Json maximum = schema["maximum"];
    if (minimum && *number < minimum.as_number().value_or(*number)) {
      return complain(place, "must be at least " + minimum.dump());
    }
    if (maximum && *number > maximum.as_number().value_or(*number)) {
      return complain(place, "must be at most " + maximum.dump());
    }
  }
  const auto least = [&](const char* key) {
    return static_cast<size_t>(std::max<int64_t>(schema[key].as_integer().value_or(0), 0));
  };
  const size_t shortest = least("minLength");
  if (const auto string = value.as_string(); string && shortest > 0) {
    // Counting stops at the required length, so a very long string costs no more than a short one.
    const bool is_shorter = text::find_character(*string, shortest - 1) == string->size();
    if (string->empty()) return complain(place, "must not be empty");
    if (is_shorter) return complain(place, "must have at least " + std::to_string(shortest) + " characters");
  }
  if (value.is_array() && value.size() < least("minItems")) {
    return complain(place, "must have at least " + schema["minItems"].dump() + " elements");
  }
  return {};
}

/// Objects and arrays contain values again, hence the forward declaration.
Violation check_value(const Json& value, const Json& schema, const std::string& place);

/// Missing members are reported before wrong ones. Unknown members are allowed unless the schema forbids them.
Violation check_object(const Json& value, const Json& schema, const std::string& place) {
  for (const Json& name : schema["required"].elements()) {
    const std::string key = name.as_string().value_or("");
    if (!value[key]) return complain(below(place, key), "is missing");
  }
  const bool is_closed = schema["additionalProperties"].as_bool() == false;
  const Json properties = schema["properties"];
  for (const JsonMember& member : value.members()) {
    const Json own = properties[member.key];
    if (!own && is_closed) return complain(below(place, member.key), "is not a known property");
    if (!own) continue;
    if (auto wrong = check_value(member.value, own, below(place, member.key))) return wrong;
  }
  return {};
}

Violation check_elements(const Json& value, const Json& items, const std::string& place) {
  if (!items) return {};
  size_t index = 0;
  for (const Json& element : value.elements()) {
    if (auto wrong = check_value(element, items, below(place, std::to_string(index++)))) return wrong;
  }
  return {};
}

/// The checks run from general to specific, so that the first message is the most helpful one: a wrong type is reported
/// before a wrong value, and a value before its members.
Violation check_value(const Json& value, const Json& schema, const std::string& place) {
  if (auto wrong = check_type(value, schema["type"], place)) return wrong;
  if (auto wrong = check_enum(value, schema["enum"], place)) return wrong;
  if (auto wrong = check_limits(value, schema, place)) return wrong;
  if (value.is_object()) return check_object(value, schema, place);
  return check_elements(value, schema["items"], place);
}

}  // namespace

std::optional<std::string> violation(const Json& value, const Json& schema) {
  return check_value(value, schema, "");
}

}  // namespace grapnel::agent
