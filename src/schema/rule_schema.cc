#include "schema/rule_schema.h"

#include "discover/formats/rule_action.h"
#include "discover/formats/rule_condition.h"
#include "discover/formats/rule_entry.h"
#include "schema/schema_words.h"

// The schema repeats by hand what the readers in src/discover/formats accept, because the readers are code and not
// tables. Only lists of keys and events are shared. A test runs both over the same files, so a new key needs its
// property here, too.
namespace grapnel {

namespace {

using schema::any_of;
using schema::list_of;
using schema::one_of_words;
using schema::reference;
using schema::type;
using schema::words;
using Properties = std::vector<std::pair<std::string, Json>>;

/// An object with these properties and no others, as the readers refuse unknown keys.
Json map_of(const Properties& properties, const std::vector<std::string_view>& required = {}) {
  Json out = Json::object({{"type", Json::string("object")},
                           {"properties", Json::object(properties)},
                           {"additionalProperties", Json::boolean(false)}});
  return required.empty() ? out : out.with("required", words(required));
}

/// An object whose keys the user chooses, such as names of headers.
Json map_with_any_key(const Json& value) {
  return Json::object({{"type", Json::string("object")}, {"additionalProperties", value}});
}

/// A value that the reader takes as text. Editors see `port: 80` as a number, but the reader keeps every scalar as
/// text.
Json text() {
  return any_of({type("string"), type("number"), type("boolean")});
}

/// A single value or a list with at least one element.
Json one_or_more(const Json& item) {
  return any_of({item, list_of(item).with("minItems", Json::number(int64_t{1}))});
}

Json number(int64_t least, int64_t most) {
  return Json::object(
      {{"type", Json::string("integer")}, {"minimum", Json::number(least)}, {"maximum", Json::number(most)}});
}

/// A number, or a string of that form.
Json with_pattern(std::string_view pattern) {
  return any_of({type("number"), Json::object({{"type", Json::string("string")}, {"pattern", Json::string(pattern)}})});
}

Json duration() {
  return with_pattern("^[0-9.]+ *(ms|s|m|h)?$");
}

Json size() {
  return with_pattern("^[0-9]+ *([kKmM]?[bB]?)$");
}

Json flag() {
  return any_of({type("boolean"), one_of_words({"true", "false", "yes", "no", "on", "off"})});
}

/// What happens when a hook fails.
Json policy() {
  return one_of_words({"open", "ask", "closed"});
}

/// Most keys take patterns, so all keys start with those; the exceptions are replaced afterwards.
Json condition() {
  const Json pattern = one_or_more(text());
  Properties keys;
  for (const std::string_view key : condition_keys()) keys.emplace_back(key, pattern);
  Json out = map_of(keys).with("minProperties", Json::number(int64_t{1}));
  const Json effect = one_of_words({"readonly", "writes", "network", "destructive"});
  const Json parts = list_of(reference("condition")).with("minItems", Json::number(int64_t{1}));
  out = out.with_pointer("/properties/effect", one_or_more(effect));
  out = out.with_pointer("/properties/input", map_with_any_key(pattern));
  out = out.with_pointer("/properties/any", parts);
  out = out.with_pointer("/properties/all", parts);
  return out.with_pointer("/properties/not", reference("condition"));
}

Json rewrite() {
  const Json mask = any_of({one_or_more(text()), map_with_any_key(text())});
  const Json output = map_of({{"max_lines", number(1, 1000000)}, {"drop_lines", one_or_more(text())}, {"mask", mask}});
  return map_of({{"input", map_with_any_key(text())}, {"command", text()}, {"output", output}});
}

Json inject() {
  return any_of({text(), map_of({{"text", text()},
                                 {"file", text()},
                                 {"command", one_or_more(text())},
                                 {"once", one_of_words({"session", "compaction"})},
                                 {"budget", size()}})});
}

Json worker() {
  return any_of({one_or_more(text()),
                 map_of({{"command", one_or_more(text())}, {"idle", duration()}, {"max_events", number(1, 1000000000)}},
                        {"command"})});
}

Json http() {
  const Json url = Json::object({{"type", Json::string("string")}, {"pattern", Json::string("^https?://")}});
  return any_of({url, map_of({{"url", url},
                              {"headers", map_with_any_key(text())},
                              {"allowed_env", one_or_more(text())},
                              {"allowed_hosts", one_or_more(text())},
                              {"loopback_addresses", flag()},
                              {"private_addresses", flag()},
                              {"max_reply", size()},
                              {"retries", number(0, 10)}},
                             {"url"})});
}

/// `prompt` and `agent`: a text, or a map with a prompt and options.
Json judge(const Properties& more) {
  Properties keys = {{"prompt", text()}, {"model", text()}};
  keys.insert(keys.end(), more.begin(), more.end());
  return any_of({text(), map_of(keys, {"prompt"})});
}

/// One entry. Beyond its properties it must have at least one verdict or action.
Json hook() {
  std::vector<std::string_view> events = event_spellings();
  const Json event = one_of_words(events);
  const Json causes = map_of({{"timeout", policy()}, {"crash", policy()}, {"output", policy()}});
  const Properties keys = {{"name", text()},
                           {"description", text()},
                           {"on", one_or_more(event)},
                           {"when", reference("condition")},
                           {"deny", text()},
                           {"ask", text()},
                           {"allow", text()},
                           {"rewrite", rewrite()},
                           {"inject", inject()},
                           {"notify", text()},
                           {"run", one_or_more(text())},
                           {"worker", worker()},
                           {"http", http()},
                           {"prompt", judge({})},
                           {"agent", judge({{"max_turns", number(1, 100)}})},
                           {"priority", number(0, 1000)},
                           {"timeout", duration()},
                           {"async", flag()},
                           {"detach", flag()},
                           {"on_failure", any_of({policy(), causes})},
                           {"max_blocks", number(1, 100)},
                           {"once", flag()},
                           {"unless_unchanged", one_or_more(text())},
                           {"enabled", flag()},
                           {"env", map_with_any_key(text())},
                           {"cwd", text()}};
  std::vector<Json> something_to_do;
  for (const KeyList list : {verdict_keys(), action_keys()}) {
    for (const std::string_view key : list) {
      something_to_do.push_back(Json::object({{"required", words({key})}}));
    }
  }
  return map_of(keys, {"name", "on"}).with("anyOf", Json::array(something_to_do));
}

}  // namespace

Json rule_schema() {
  const Json hooks = any_of({type("null"), list_of(reference("hook"))});
  const Json version = Json::object({{"enum", Json::array({Json::number(int64_t{1}), Json::string("1")})}});
  return Json::object({{"$schema", Json::string("https://json-schema.org/draft/2020-12/schema")},
                       {"title", Json::string("Rules of grapnel.yaml")}})
      .merged(map_of({{"version", version}, {"hooks", hooks}}, {"version"}))
      .with("$defs", Json::object({{"condition", condition()}, {"hook", hook()}}));
}

}  // namespace grapnel
