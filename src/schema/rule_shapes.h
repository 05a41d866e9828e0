#pragma once

#include <cstdint>

#include "discover/formats/rule_condition.h"
#include "discover/formats/rule_entry.h"
#include "discover/formats/sandbox_entry.h"
#include "schema/schema_words.h"

/// Schemas of the values in rule files, one for each kind of value that the readers know (`RuleFields`).
namespace grapnel::schema {

/// An object whose keys the user chooses, such as names of headers.
inline Json map_with_any_key(const Json& value) {
  return Json::object({{"type", Json::string("object")}, {"additionalProperties", value}});
}

// Wherever it is possible, a schema lists types and has no `anyOf`: editors show the text of a member with `anyOf` only
// in part.

/// A value that the reader takes as text. Editors see `port: 80` as a number, but the reader keeps every scalar as
/// text.
inline Json text() {
  return Json::object({{"type", words({"string", "number", "boolean"})}});
}

/// A text or a list with at least one.
inline Json texts() {
  return Json::object({{"type", words({"string", "number", "boolean", "array"})},
                       {"items", text()},
                       {"minItems", Json::number(int64_t{1})}});
}

/// A single value or a list with at least one element.
inline Json one_or_more(const Json& item) {
  return any_of({item, list_of(item).with("minItems", Json::number(int64_t{1}))});
}

inline Json number(int64_t least, int64_t most) {
  return Json::object(
      {{"type", Json::string("integer")}, {"minimum", Json::number(least)}, {"maximum", Json::number(most)}});
}

/// A number, or a string of that form.
inline Json with_pattern(std::string_view pattern) {
  return Json::object({{"type", words({"number", "string"})}, {"pattern", Json::string(pattern)}});
}

inline Json duration() {
  return with_pattern("^[0-9.]+ *(ms|s|m|h)?$");
}

inline Json size() {
  return with_pattern("^[0-9]+ *([kKmM]?[bB]?)$");
}

inline Json flag() {
  std::vector<Json> all = {Json::boolean(true), Json::boolean(false)};
  for (const std::string_view word : {"true", "false", "yes", "no", "on", "off"}) all.push_back(Json::string(word));
  return Json::object({{"enum", Json::array(all)}});
}

inline Json url() {
  return Json::object({{"type", Json::string("string")}, {"pattern", Json::string("^https?://")}});
}

/// Names of files and directories; an empty list allows nothing.
inline Json places() {
  return Json::object({{"type", words({"string", "array"})}, {"items", text()}});
}

/// The readers take `off` as text; editors see it as a truth value.
inline Json sandbox() {
  return any_of({one_of_words({sandbox_words().begin(), sandbox_words().end()}), reference("sandbox")});
}

/// What happens when a hook fails.
inline Json policy() {
  return one_of_words({"open", "ask", "closed"});
}

/// A list of conditions.
inline Json conditions() {
  return list_of(reference("when")).with("minItems", Json::number(int64_t{1}));
}

/// Events are a closed list, because the reader refuses other names.
inline Json events() {
  return one_or_more(one_of_words(event_spellings()));
}

/// Tools are an open list: an editor offers the known ones and accepts patterns and the tools of MCP servers.
inline Json tools() {
  return one_or_more(any_of({one_of_words(tool_words()), text()}));
}

inline Json effects() {
  const KeyList known = effect_words();
  return one_or_more(one_of_words({known.begin(), known.end()}));
}

/// The short form, or a map with options.
inline Json or_map(const Json& short_form, std::string_view map) {
  return any_of({short_form, reference(map)});
}

}  // namespace grapnel::schema
