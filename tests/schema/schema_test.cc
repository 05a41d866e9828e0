#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "discover/formats/frontmatter.h"
#include "discover/formats/hook_fields.h"
#include "discover/formats/rule_action.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/settings_file.h"
#include "discover/formats/toml_document.h"
#include "discover/formats/yaml_document.h"
#include "os/files.h"
#include "schema/rule_members.h"
#include "schema/rule_schema.h"
#include "schema/settings_schema.h"

/// Schemas take what readers take without an error, and refuse what they refuse.
namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// As much of JSON Schema as our schemas use.
class Validator {
 public:
  explicit Validator(Json schema) : root_(std::move(schema)) {}

  bool accepts(const Json& value) const { return accepts(root_, value); }

 private:
  bool accepts(const Json& schema, const Json& value) const {
    if (const auto verdict = schema.as_bool()) return *verdict;
    for (const JsonMember& rule : schema.members()) {
      if (!holds(rule, schema, value)) return false;
    }
    return true;
  }

  bool holds(const JsonMember& rule, const Json& schema, const Json& value) const {
    const std::string& key = rule.key;
    const Json& says = rule.value;
    const auto accepted = [&](const Json& one) { return accepts(one, value); };
    if (key == "$ref") return accepts(root_.at_pointer(says.as_string()->substr(1)), value);
    if (key == "type" && says.is_array())
      return any(says, [&](const Json& one) { return has_type(*one.as_string(), value); });
    if (key == "type") return has_type(*says.as_string(), value);
    if (key == "enum") return any(says, [&](const Json& one) { return one == value; });
    if (key == "const") return says == value;
    if (key == "anyOf") return any(says, accepted);
    if (key == "if") return !accepts(says, value) || accepts(schema["then"], value);
    if (key == "minimum") return !value.as_number() || *value.as_number() >= *says.as_number();
    if (key == "exclusiveMinimum") return !value.as_number() || *value.as_number() > *says.as_number();
    if (key == "maximum") return !value.as_number() || *value.as_number() <= *says.as_number();
    if (key == "minItems") return !value.is_array() || value.size() >= 1;
    if (key == "minProperties") return !value.is_object() || value.size() >= 1;
    if (key == "minLength") return !value.is_string() || !value.equals_string("");
    if (key == "pattern")
      return !value.is_string() ||
             Matcher::compile(*says.as_string(), MatchSyntax::StrictRegex)->matches(*value.as_string());
    if (key == "items") return !value.is_array() || !any(value, [&](const Json& one) { return !accepts(says, one); });
    if (key == "required")
      return !value.is_object() || !any(says, [&](const Json& one) { return !value[*one.as_string()]; });
    if (key == "properties") return !value.is_object() || members_hold(says, value);
    if (key == "additionalProperties") return !value.is_object() || others_hold(says, schema["properties"], value);
    const bool is_remark = key == "$schema" || key == "title" || key == "$defs" || key == "then" ||
                           key == "description" || key == "markdownDescription" || key == "defaultSnippets";
    EXPECT_TRUE(is_remark) << "a keyword this validator does not know: " << key;
    return is_remark;
  }

  static bool any(const Json& list, const auto& test) {
    for (const Json& one : list.elements()) {
      if (test(one)) return true;
    }
    return false;
  }

  static bool has_type(const std::string& type, const Json& value) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.as_bool().has_value();
    if (type == "integer") return value.as_integer().has_value();
    return type == "number" && value.as_number();
  }

  bool members_hold(const Json& properties, const Json& value) const {
    for (const JsonMember& property : properties.members()) {
      const Json member = value[property.key];
      if (member && !accepts(property.value, member)) return false;
    }
    return true;
  }

  bool others_hold(const Json& schema, const Json& properties, const Json& value) const {
    for (const JsonMember& member : value.members()) {
      if (!properties[member.key] && !accepts(schema, member.value)) return false;
    }
    return true;
  }

  Json root_;
};

bool has_error(const std::vector<ConfigProblem>& problems) {
  return std::ranges::any_of(problems,
                             [](const ConfigProblem& p) { return p.severity == ConfigProblem::Severity::Error; });
}

bool is_read_without_error(const Dialect& dialect, const Json& settings) {
  return !has_error(read_settings(settings, {&dialect, Scope::User, "settings"}).problems);
}

std::string text_of(const Json& file) {
  std::string out;
  for (const Json& line : file.elements()) out += line.as_string().value_or("") + "\n";
  return out;
}

/// Holds the schema against one file of a case when the readers take it; tells whether they did.
bool check_file(const Dialect& dialect, const Validator& schema, const std::string& path, const Json& file) {
  SCOPED_TRACE(path);
  if (path.ends_with("HOOK.md")) {
    const auto head = read_frontmatter(text_of(file), path);
    std::vector<ConfigProblem> problems;
    if (!head || !read_hook_fields(head->root, {dialect, "", false}, problems) || has_error(problems)) return false;
    EXPECT_TRUE(schema.accepts(to_json(head->root))) << to_json(head->root).dump();
    return true;
  }
  Json settings = file;
  if (path.ends_with(".toml")) {
    const auto document = read_toml(text_of(file));
    settings = document ? document->root : Json();
  } else if (!file.is_object()) {
    settings = Json::parse(text_of(file), {.comments = true}).value_or(Json());
  }
  const bool is_own = settings.is_object() && detect_dialect(settings, path) == &dialect;
  if (!is_own || !is_read_without_error(dialect, settings)) return false;
  EXPECT_TRUE(schema.accepts(settings)) << settings.dump();
  return true;
}

TEST(Schema, TakesWhatReadersTakeInConformanceCases) {
  for (const Dialect* dialect : all_dialects()) {
    if (!dialect->file_format()) continue;
    SCOPED_TRACE(dialect->name);
    const Validator schema(settings_schema(*dialect));
    size_t checked = 0;
    const fs::path folder = fs::path(GRAPNEL_SOURCE) / "tests/conformance" / dialect->name;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto cases = Json::parse(*os::read_file(entry.path(), size_t{16} << 20), {.comments = true});
      ASSERT_TRUE(cases.has_value()) << entry.path();
      for (const Json& one : cases->elements()) {
        SCOPED_TRACE(one["id"].as_string().value_or(""));
        const Json config = one["config"];
        if (config.is_object() && is_read_without_error(*dialect, config)) {
          EXPECT_TRUE(schema.accepts(config)) << config.dump();
          ++checked;
        }
        for (const JsonMember& file : one["files"].members()) {
          checked += check_file(*dialect, schema, file.key, file.value) ? 1 : 0;
        }
      }
    }
    EXPECT_GT(checked, 0U);
  }
}

struct RuleCase {
  const char* note;
  const char* file;
  bool is_fine;
};

constexpr RuleCase kRules[] = {
    {"nothing", "version: 1", true},
    {"a rule", "{version: 1, hooks: [{name: a, on: BeforeTool, when: {tool: shell}, deny: no}]}", true},
    {"numbers where texts are due", "{version: 1, hooks: [{name: a, on: Stop, run: [sleep, 3], timeout: 5}]}", true},
    {"no version", "hooks: []", false},
    {"another version", "version: 2", false},
    {"no name", "{version: 1, hooks: [{on: Stop, run: x}]}", false},
    {"no event of that name", "{version: 1, hooks: [{name: a, on: Stopp, run: x}]}", false},
    {"nothing to do", "{version: 1, hooks: [{name: a, on: Stop}]}", false},
    {"an unknown key", "{version: 1, hooks: [{name: a, on: Stop, run: x, tiemout: 3s}]}", false},
    {"an empty condition", "{version: 1, hooks: [{name: a, on: Stop, run: x, when: {}}]}", false},
    {"an unknown question", "{version: 1, hooks: [{name: a, on: Stop, run: x, when: {not: {tol: a}}}]}", false},
    {"a duration", "{version: 1, hooks: [{name: a, on: Stop, run: x, timeout: soon}]}", false},
};

TEST(Schema, OfRulesAgreesWithTheirReader) {
  const Validator schema(rule_schema());
  const auto check = [&](const std::string& text) {
    const auto document = read_yaml(text);
    return document.has_value() && schema.accepts(document->root);
  };
  for (const RuleCase& c : kRules) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(check(c.file), c.is_fine);
    EXPECT_EQ(!has_error(read_rules(c.file, {Scope::User, "r.yaml", std::nullopt}).problems), c.is_fine);
  }
  for (const char* name : {"rules.yaml", "every_key.yaml"}) {
    const auto text = os::read_file(fs::path(GRAPNEL_SOURCE) / "fuzz/corpus/frontmatter" / name, size_t{1} << 20);
    ASSERT_TRUE(text.has_value()) << name;
    EXPECT_TRUE(check(*text)) << name;
    EXPECT_FALSE(has_error(read_rules(*text, {Scope::User, "r.yaml", std::nullopt}).problems)) << name;
  }
}

/// An editor has something to say about each key that the readers know, and about no other.
TEST(Schema, OfRulesHasAHoverTextForEveryMember) {
  const auto rows = rule_members();
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const RuleMap& map : rule_maps()) {
    for (const std::string_view key : map.keys) {
      known.emplace(map.name, key);
      const auto row =
          std::ranges::find_if(rows, [&](const MemberRow& r) { return r.map == map.name && r.key == key; });
      const bool has_text = row != rows.end() && row->about.size() > 10 && row->about.ends_with('.');
      EXPECT_TRUE(has_text) << "add a row for '" << key << "' in '" << map.name << "' to src/schema/rule_members.cc";
    }
  }
  for (const MemberRow& row : rows) {
    EXPECT_TRUE(known.contains({row.map, row.key})) << "no reader knows '" << row.key << "' in '" << row.map << "'";
  }
}

/// A rule file in which one member of one map has that value, and nothing else is unusual.
std::string file_with(const MemberRow& row, const std::string& value) {
  const std::string map(row.map);
  const std::string key = "\"" + std::string(row.key) + "\": " + value;
  const bool is_verdict = std::ranges::find(verdict_keys(), row.key) != verdict_keys().end();
  const bool is_action = std::ranges::find(action_keys(), row.key) != action_keys().end();
  const std::string start = row.key == "name" ? "\"on\": Stop" : row.key == "on" ? "name: a" : "name: a, \"on\": Stop";
  const std::string run = is_verdict || is_action ? "" : ", run: x";
  std::string body = start + run + ", " + key;
  if (map == "file") return row.key == "version" ? "{" + key + "}" : "{version: 1, " + key + "}";
  if (map == "when" || map == "on_failure") body = start + ", run: x, " + map + ": {" + key + "}";
  if (map == "rewrite" || map == "inject") body = start + ", " + map + ": {" + key + "}";
  if (map == "output") body = start + ", rewrite: {output: {" + key + "}}";
  const bool is_required = row.key == "command" || row.key == "url" || row.key == "prompt";
  const std::string needed = map == "worker" ? "command: x, " : map == "http" ? "url: 'https://x', " : "prompt: x, ";
  if (map == "worker" || map == "http" || map == "prompt" || map == "agent")
    body = start + ", " + map + ": {" + (is_required ? "" : needed) + key + "}";
  return "{version: 1, hooks: [{" + body + "}]}";
}

/// What an editor underlines is an error for the readers, too, whatever the value of whichever key.
TEST(Schema, OfRulesRefusesOnlyWhatTheirReaderRefuses) {
  const Validator schema(rule_schema());
  size_t refused = 0;
  for (const MemberRow& row : rule_members()) {
    for (const char* value : {"7", "-1", "9999999999", "1.5", "x", "'5s'", "true", "null", "[]", "[x]", "[[x]]", "{}",
                              "{x: y}", "[{tool: shell}]", "''", "PreToolUse", "'https://x'"}) {
      const std::string file = file_with(row, value);
      const auto document = read_yaml(file);
      ASSERT_TRUE(document.has_value()) << file << ": " << document.error().message;
      if (schema.accepts(document->root)) continue;
      ++refused;
      EXPECT_TRUE(has_error(read_rules(file, {Scope::User, "r.yaml", std::nullopt}).problems)) << file;
    }
  }
  EXPECT_GT(refused, 300U);
}

/// An example is one that works: read as the member itself, with what the schema says about it.
TEST(Schema, OfRulesShowsExamplesThatItAccepts) {
  const Json all = rule_schema();
  for (const MemberRow& row : rule_members()) {
    if (row.example.empty()) continue;
    SCOPED_TRACE(row.example);
    const auto example = read_yaml(row.example);
    ASSERT_TRUE(example.has_value()) << example.error().message;
    EXPECT_TRUE(example->root[row.key]) << "the example is about another key";
    const Json member = (row.map == "file" ? all : all["$defs"][row.map])["properties"][row.key];
    EXPECT_TRUE(Validator(member.with("$defs", all["$defs"])).accepts(example->root[row.key]));
  }
}

/// A snippet, with its places filled in as they stand, is a rule that both accept.
TEST(Schema, OfRulesOffersSnippetsThatAreRules) {
  const Json all = rule_schema();
  const Json snippets = all["$defs"]["hook"]["defaultSnippets"];
  EXPECT_GT(snippets.size(), 2U);
  for (const Json& snippet : snippets.elements()) {
    std::string text = snippet["body"].dump();
    SCOPED_TRACE(text);
    // `${1:x}` is a place with the text `x`.
    text = std::regex_replace(text, std::regex(R"(\$\{[0-9]:([^}]*)\})"), "$1");
    const std::string file = R"({"version": 1, "hooks": [)" + text + "]}";
    EXPECT_FALSE(has_error(read_rules(file, {Scope::User, "r.yaml", std::nullopt}).problems)) << file;
    EXPECT_TRUE(Validator(all).accepts(*Json::parse(file))) << file;
  }
}

TEST(Schema, TakesTheExamples) {
  size_t checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GRAPNEL_SOURCE) / "examples")) {
    if (!entry.is_regular_file() || entry.path().filename() != "settings.json") continue;
    const auto settings = Json::parse(*os::read_file(entry.path(), size_t{1} << 20), {.comments = true});
    ASSERT_TRUE(settings.has_value()) << entry.path();
    const Dialect* dialect = detect_dialect(*settings, entry.path().string());
    ASSERT_NE(dialect, nullptr) << entry.path();
    EXPECT_TRUE(Validator(settings_schema(*dialect)).accepts(*settings)) << entry.path();
    ++checked;
  }
  EXPECT_GT(checked, 1U);
}

struct BrokenCase {
  const char* note;
  const char* dialect;
  const char* settings;
};

constexpr BrokenCase kBroken[] = {
    {"no such event", "gemini", R"j({"hooks": {"BeforeTol": []}})j"},
    {"an event that is no list", "gemini", R"j({"hooks": {"BeforeTool": {}}})j"},
    {"a group without hooks", "claude", R"j({"hooks": {"Stop": [{"matcher": "x"}]}})j"},
    {"no type", "claude", R"j({"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}})j"},
    {"no such type", "gemini", R"j({"hooks": {"AfterAgent": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}})j"},
    {"no command", "qwen", R"j({"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}})j"},
    {"an empty command", "codex", R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ""}]}]}})j"},
    {"a command that is no text", "codex",
     R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 7}]}]}})j"},
    {"no time", "clawd", R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 0}]}]}})j"},
    {"more than a day", "blade",
     R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 86401}]}]}})j"},
    {"a matcher that is a number", "claude", R"j({"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}})j"},
    {"an object where there is none", "claude",
     R"j({"hooks": {"PreToolUse": [{"matcher": {"tools": "x"}, "hooks": []}]}})j"},
    {"a matcher of something else", "clawd",
     R"j({"hooks": {"PreToolUse": [{"matcher": {"tool": "x"}, "hooks": []}]}})j"},
    {"no word for failing", "claude",
     R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "onFailure": "deny"}]}]}})j"},
    {"nor here", "clawd", R"j({"hooks": {"failureBehavior": "block"}})j"},
    {"none at once", "blade", R"j({"hooks": {"maxConcurrentHooks": 0}})j"},
    {"a switch that is a word", "claude", R"j({"disableAllHooks": "yes"})j"},
    {"variables that are numbers", "gemini",
     R"j({"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "env": {"A": 1}}]}]}})j"},
    {"an entry without an event", "kimi", R"j({"hooks": [{"command": "x"}]})j"},
    {"too long", "kimi", R"j({"hooks": [{"event": "Stop", "command": "x", "timeout": 601}]})j"},
};

TEST(Schema, RefusesWhatReadersRefuse) {
  for (const BrokenCase& c : kBroken) {
    SCOPED_TRACE(std::string(c.dialect) + ": " + c.note);
    const Dialect& dialect = *find_dialect(c.dialect);
    const Json settings = *Json::parse(c.settings);
    EXPECT_FALSE(Validator(settings_schema(dialect)).accepts(settings));
    EXPECT_FALSE(is_read_without_error(dialect, settings));
  }
}

TEST(Schema, RefusesBadFrontmatter) {
  const Validator schema(settings_schema(*find_dialect("agenthooks")));
  const Json good = *Json::parse(R"j({"name": "n", "description": "d", "trigger": "pre-tool-call"})j");
  EXPECT_TRUE(schema.accepts(good));
  EXPECT_FALSE(schema.accepts(good.without("trigger")));
  EXPECT_FALSE(schema.accepts(good.with("trigger", Json::string("pre-tool"))));
  EXPECT_FALSE(schema.accepts(good.with("colour", Json::string("red"))));
  EXPECT_FALSE(schema.accepts(good.with("timeout", Json::number(int64_t{50}))));
  EXPECT_FALSE(schema.accepts(good.with("priority", Json::number(int64_t{1001}))));
  EXPECT_FALSE(schema.accepts(good.with("matcher", Json::string("Bash"))));
  EXPECT_FALSE(schema.accepts(good.with("async", Json::string("maybe"))));
}

}  // namespace

}  // namespace grapnel
