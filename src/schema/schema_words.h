#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// Small builders for the parts of JSON Schema that both schemas are made of.
namespace grapnel::schema {

/// A value of that JSON type.
inline Json type(std::string_view name) {
  return Json::object({{"type", Json::string(name)}});
}

/// A JSON list of strings, for `enum` and `required`.
inline Json words(const std::vector<std::string_view>& all) {
  std::vector<Json> list;
  for (const std::string_view word : all) list.push_back(Json::string(word));
  return Json::array(list);
}

/// One of these strings.
inline Json one_of_words(const std::vector<std::string_view>& all) {
  return Json::object({{"enum", words(all)}});
}

/// A value that at least one of the schemas accepts.
inline Json any_of(const std::vector<Json>& schemas) {
  return Json::object({{"anyOf", Json::array(schemas)}});
}

/// A list of any length, also empty, whose elements match the schema.
inline Json list_of(const Json& items) {
  return Json::object({{"type", Json::string("array")}, {"items", items}});
}

/// The schema of that name in `$defs`; it keeps schemas short and permits recursion.
inline Json reference(std::string_view definition) {
  return Json::object({{"$ref", Json::string("#/$defs/" + std::string(definition))}});
}

}  // namespace grapnel::schema
