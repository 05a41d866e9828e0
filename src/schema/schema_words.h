#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// The words of JSON Schema that our schemas are made of.
namespace grapnel::schema {

inline Json type(std::string_view name) {
  return Json::object({{"type", Json::string(name)}});
}

inline Json words(const std::vector<std::string_view>& all) {
  std::vector<Json> list;
  for (const std::string_view word : all) list.push_back(Json::string(word));
  return Json::array(list);
}

inline Json one_of_words(const std::vector<std::string_view>& all) {
  return Json::object({{"enum", words(all)}});
}

inline Json any_of(const std::vector<Json>& schemas) {
  return Json::object({{"anyOf", Json::array(schemas)}});
}

inline Json list_of(const Json& items) {
  return Json::object({{"type", Json::string("array")}, {"items", items}});
}

inline Json reference(std::string_view definition) {
  return Json::object({{"$ref", Json::string("#/$defs/" + std::string(definition))}});
}

}  // namespace grapnel::schema
