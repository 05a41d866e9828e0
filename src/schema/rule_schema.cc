#include "schema/rule_schema.h"

#include <algorithm>
#include <array>

#include "discover/formats/rule_action.h"
#include "discover/formats/rule_file.h"
#include "schema/rule_members.h"
#include "schema/schema_words.h"

// Which keys a map has is asked of the readers; what a value may be and what an editor says about it is a row in
// rule_members.cc. Every map is a definition of its own, so rows refer to maps by name.
namespace grapnel {

namespace {

using Properties = std::vector<std::pair<std::string, Json>>;

/// The keys that a map must have.
struct RequiredKey {
  std::string_view map;
  std::string_view key;
};
constexpr auto kRequiredKeys = std::to_array<RequiredKey>({{"file", "version"},
                                                           {"hook", "name"},
                                                           {"hook", "on"},
                                                           {"worker", "command"},
                                                           {"http", "url"},
                                                           {"prompt", "prompt"},
                                                           {"agent", "prompt"}});

/// What editors offer where a new rule starts. A body is the rule with places to fill in.
struct SnippetRow {
  std::string_view label;
  std::string_view about;
  std::string_view body;
};
constexpr auto kSnippets = std::to_array<SnippetRow>({
    {"deny a command", "refuse a shell command",
     R"j({"name": "${1:no-force-push}", "on": "PreToolUse",
          "when": {"tool": "shell", "command": "${2:git push}", "flag": ["${3:--force}"]},
          "deny": "${4:Force pushes need a human.}"})j"},
    {"protect files", "refuse to read or change files, by whatever tool",
     R"j({"name": "${1:protect-secrets}", "on": "PreToolUse", "when": {"path": "${2:**/.env*}"},
          "deny": "${3:Secrets stay out of the conversation.}"})j"},
    {"run after edits", "run a command with each file that was changed",
     R"j({"name": "${1:format}", "on": "PostToolUse", "when": {"tool": ["write", "edit"], "path": "${2:**/*.py}"},
          "run": "${3:black -q} {path}"})j"},
    {"gate", "let the agent stop only when a command succeeds",
     R"j({"name": "${1:tests-green}", "on": "Stop", "run": "${2:make test}", "timeout": "${3:120s}", "max_blocks": 3})j"},
});

Json snippets() {
  std::vector<Json> out;
  for (const SnippetRow& row : kSnippets) {
    out.push_back(Json::object({{"label", Json::string(row.label)},
                                {"description", Json::string(row.about)},
                                {"body", Json::parse(std::string(row.body)).value_or(Json())}}));
  }
  return Json::array(out);
}

/// The schema of one member, with its hover text: plain for every editor, and with the example for those that show
/// Markdown. A member without a row accepts anything, so that a forgotten row does no harm before the test finds it.
Json member(std::string_view map, std::string_view key) {
  const auto members = rule_members();
  const auto row = std::ranges::find_if(members, [&](const MemberRow& r) { return r.map == map && r.key == key; });
  if (row == members.end()) return Json::object({});
  const std::string about(row->about);
  const std::string example = row->example.empty() ? "" : "\n\n```yaml\n" + std::string(row->example) + "\n```";
  return row->shape()
      .with("description", Json::string(about))
      .with("markdownDescription", Json::string(about + example));
}

/// An object with the keys of this map and no others, as the readers refuse unknown keys.
Json map_schema(const RuleMap& map) {
  Properties properties;
  for (const std::string_view key : map.keys) properties.emplace_back(key, member(map.name, key));
  std::vector<std::string_view> required;
  for (const RequiredKey& row : kRequiredKeys) {
    if (row.map == map.name) required.push_back(row.key);
  }
  const Json out = Json::object({{"type", Json::string("object")},
                                 {"properties", Json::object(properties)},
                                 {"additionalProperties", Json::boolean(false)}});
  return required.empty() ? out : out.with("required", schema::words(required));
}

/// Beyond its keys an entry must have at least one verdict or action.
Json something_to_do() {
  std::vector<Json> out;
  for (const KeyList list : {verdict_keys(), action_keys()}) {
    for (const std::string_view key : list) out.push_back(Json::object({{"required", schema::words({key})}}));
  }
  return Json::array(out);
}

}  // namespace

Json rule_schema() {
  Json file;
  Properties definitions;
  for (const RuleMap& map : rule_maps()) {
    const Json map_of = map_schema(map);
    if (map.name == "file") {
      file = map_of;
    } else if (map.name == "hook") {
      definitions.emplace_back(map.name, map_of.with("anyOf", something_to_do()).with("defaultSnippets", snippets()));
    } else if (map.name == "when") {
      definitions.emplace_back(map.name, map_of.with("minProperties", Json::number(int64_t{1})));
    } else {
      definitions.emplace_back(map.name, map_of);
    }
  }
  return Json::object({{"$schema", Json::string("https://json-schema.org/draft/2020-12/schema")},
                       {"title", Json::string("Rules of grapnel.yaml")}})
      .merged(file)
      .with("$defs", Json::object(definitions));
}

}  // namespace grapnel
