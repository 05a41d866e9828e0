#include <gtest/gtest.h>

#include "base/text.h"
#include "discover/formats/hook_entry.h"
#include "discover/formats/settings_file.h"

namespace grapnel {
namespace {

using Texts = std::vector<std::string>;

SettingsFile read(const Dialect& dialect, const std::string& text) {
  return read_settings(text, {&dialect, Scope::User, "f"});
}

Texts problems_of(const SettingsFile& file) {
  Texts out;
  for (const ConfigProblem& problem : file.problems) out.push_back(problem.to_string());
  return out;
}

/// Names of the hooks that were loaded.
std::string names_of(const SettingsFile& file) {
  Texts names;
  for (const ParsedHook& hook : file.hooks) names.push_back(hook.spec.name);
  return text::join(names, ", ");
}

struct SettingsCase {
  const char* note;
  std::string text;
  const char* hooks;
  Texts problems = {};
};

void check(const Dialect& dialect, std::span<const SettingsCase> cases) {
  for (const SettingsCase& c : cases) {
    SCOPED_TRACE(std::string(dialect.name) + ": " + c.note);
    const SettingsFile file = read(dialect, c.text);
    EXPECT_EQ(names_of(file), c.hooks);
    EXPECT_EQ(problems_of(file), c.problems);
  }
}

TEST(ReadSettings, WholeFiles) {
  const SettingsCase cases[] = {
      {"an empty file", "", ""},
      {"blanks", " \n\t", ""},
      {"an empty object", "{}", ""},
      {"no hooks", R"({"theme": "dark"})", ""},
      {"no events", R"({"hooks": {}})", ""},
      {"a byte-order mark", "\xEF\xBB\xBF{}", ""},
      {"comments and trailing commas", "// a\n{/* b */ \"hooks\": {},}", ""},
      {"no JSON",
       "{\n  \"hooks\": {,}\n}",
       "",
       {"f:2:13: error: expected a key in double quotes, found ',' (no hook in this file is loaded)"}},
      {"cut off",
       "{\"hooks\": {",
       "",
       {"f:1:12: error: expected a key in double quotes, found the end of the text (the '{' at line 1:11 is not "
        "closed) (no hook in this file is loaded)"}},
      {"a list", "[]", "", {"f:1:1: error: settings must be a JSON object"}},
      {"null", "null", "", {"f:1:1: error: settings must be a JSON object"}},
      {"hooks that are none",
       R"({"hooks": []})",
       "",
       {"f:1:11: error: 'hooks' must be an object with one list per event"}},
  };
  check(kClawdDialect, cases);
  check(kGeminiDialect, cases);
}

TEST(ReadSettings, ABadEntryIsLeftOutAndItsSiblingsLoad) {
  const SettingsCase cases[] = {
      {"an unknown event",
       "{\"hooks\": {\n \"PreTolUse\": [],\n \"Nonsense\": 1,\n \"Stop\": [{\"hooks\": [{\"type\": \"command\", "
       "\"command\": \"a\"}]}]}}",
       "a",
       {"f:2:2: error: 'PreTolUse' is not an event of clawd hooks (did you mean 'PreToolUse'?)",
        "f:3:2: error: 'Nonsense' is not an event of clawd hooks"}},
      {"another dialect's event",
       R"({"hooks": {"BeforeTool": []}})",
       "",
       {"f:1:12: error: 'BeforeTool' is not an event of clawd hooks"}},
      {"an event that is no list",
       R"({"hooks": {"Stop": {}}})",
       "",
       {"f:1:20: error: 'Stop' must be a list of groups, each with 'hooks'"}},
      {"a group that is none",
       R"({"hooks": {"Stop": [7, {"hooks": [{"type": "command", "command": "a"}]}]}})",
       "a",
       {"f:1:21: error: a group must be an object with a list 'hooks'"}},
      {"a group without hooks",
       R"({"hooks": {"Stop": [{}]}})",
       "",
       {"f:1:21: error: a group must have a list 'hooks' (as in \"hooks\": [{\"type\": \"command\", \"command\": "
        "\"…\"}])"}},
      {"hooks of a group that are no list",
       R"({"hooks": {"Stop": [{"hooks": "a"}]}})",
       "",
       {"f:1:31: error: a group must have a list 'hooks' (as in \"hooks\": [{\"type\": \"command\", \"command\": "
        "\"…\"}])"}},
      {"an unknown key in a group",
       R"({"hooks": {"Stop": [{"macher": "x", "hooks": [{"type": "command", "command": "a"}]}]}})",
       "a",
       {"f:1:22: warning: unknown key 'macher' in a group is ignored (did you mean 'matcher'?)"}},
      {"a group's name of the wrong type",
       R"({"hooks": {"Stop": [{"name": 7, "hooks": [{"type": "command", "command": "a"}]}]}})",
       "a",
       {"f:1:30: error: 'name' must be a string"}},
      {"entries that are none",
       R"({"hooks": {"Stop": [{"hooks": [7, {"type": "command", "command": "a"}]}]}})",
       "a",
       {"f:1:32: error: a hook must be an object with 'type' and 'command'"}},
      {"no type",
       R"({"hooks": {"Stop": [{"hooks": [{"command": "a"}]}]}})",
       "",
       {"f:1:32: error: a hook needs \"type\": \"command\""}},
      {"a mistyped type",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "comand", "command": "a"}]}]}})",
       "",
       {"f:1:41: error: 'comand' is not a hook type here (did you mean 'command'?)"}},
      {"no command",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}})",
       "",
       {"f:1:32: error: a hook of type 'command' needs a 'command'"}},
      {"an empty command",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ""}]}]}})",
       "",
       {"f:1:32: error: a hook of type 'command' needs a 'command'"}},
      {"a command that is no text",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ["a"]}]}]}})",
       "",
       {"f:1:63: error: 'command' must be a string"}},
      {"a command with a NUL",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a\u0000b"}]}]}})",
       "",
       {"f:1:63: error: 'command' must be a string without NUL characters"}},
      {"an unknown key in a hook",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "timout": 5}]}]}})",
       "a",
       {"f:1:68: warning: unknown key 'timout' in a hook is ignored (did you mean 'timeout'?)"}},
      {"timeouts",
       R"({"hooks": {"Stop": [{"hooks": [
{"type": "command", "command": "zero", "timeout": 0},
{"type": "command", "command": "negative", "timeout": -1},
{"type": "command", "command": "text", "timeout": "soon"},
{"type": "command", "command": "a week", "timeout": 604800},
{"type": "command", "command": "digits", "timeout": "5"},
{"type": "command", "command": "fine", "timeout": 0.5}]}]}})",
       "digits, fine",
       {"f:2:51: error: 'timeout' must be a number of seconds above 0",
        "f:3:55: error: 'timeout' must be a number of seconds above 0",
        "f:4:51: error: 'timeout' must be a number of seconds above 0",
        "f:5:53: error: 'timeout' must be at most 24 hours (it is given in seconds)"}},
      {"matchers",
       R"({"hooks": {"PreToolUse": [
{"matcher": 7, "hooks": [{"type": "command", "command": "number"}]},
{"matcher": {"tool": "x"}, "hooks": [{"type": "command", "command": "member"}]},
{"matcher": {"tools": 7}, "hooks": [{"type": "command", "command": "pattern"}]},
{"matcher": {"tools": "("}, "hooks": [{"type": "command", "command": "literal"}]},
{"matcher": null, "hooks": [{"type": "command", "command": "null"}]}]}})",
       "literal, null",
       {"f:2:13: error: 'matcher' must be an object or a string",
        "f:3:14: error: a matcher has no key 'tool' (did you mean 'tools'?)",
        "f:4:23: error: a pattern must be a string",
        "f:5:23: warning: '(' is not a valid regular expression, so it matches only this exact text"}},
      {"duplicate keys: the last counts",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "lost"}]}],
"Stop": [{"name": "lost", "name": "kept", "hooks": [{"type": "command", "command": "x", "command": "y"}]}]}})",
       "kept",
       {"f:1:12: warning: 'Stop' appears twice; only the last one is used",
        "f:2:11: warning: 'name' appears twice; only the last one is used",
        "f:2:73: warning: 'command' appears twice; only the last one is used"}},
  };
  check(kClawdDialect, cases);
}

TEST(ReadSettings, TheSameOfGemini) {
  const SettingsCase cases[] = {
      {"an unknown event",
       R"({"hooks": {"BeforeTol": []}})",
       "",
       {"f:1:12: error: 'BeforeTol' is not an event of gemini hooks (did you mean 'BeforeTool'?)"}},
      {"old spellings",
       R"({"hooks": {"before-model": [{"hooks": [{"type": "command", "command": "a"}]}], "block-tool": []}})", "a"},
      {"a matcher is a string",
       R"({"hooks": {"BeforeTool": [{"matcher": {"tools": "x"}, "hooks": []}]}})",
       "",
       {"f:1:39: error: 'matcher' must be a string"}},
      {"milliseconds",
       R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "a", "timeout": -5}]}]}})",
       "",
       {"f:1:85: error: 'timeout' must be a number of milliseconds above 0"}},
      {"sequential of the wrong type",
       R"({"hooks": {"BeforeTool": [{"sequential": "yes", "hooks": [{"type": "command", "command": "a"}]}]}})",
       "a",
       {"f:1:42: error: 'sequential' must be true or false"}},
      {"names of the wrong type",
       R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "a", "name": 7}]}]}})",
       "",
       {"f:1:82: error: 'name' must be a string"}},
      {"variables",
       R"({"hooks": {"BeforeTool": [{"hooks": [
{"type": "command", "command": "a", "env": []},
{"type": "command", "command": "b", "env": {"A": 7}},
{"type": "command", "command": "c", "env": {"A=B": "x"}},
{"type": "command", "command": "d", "env": {"": "x"}},
{"type": "command", "command": "e", "env": {"A": "\u0000"}},
{"type": "command", "command": "f", "env": {"A": "x"}}]}]}})",
       "f",
       {"f:2:44: error: 'env' must be an object of strings", "f:3:50: error: 'env' must map variable names to strings",
        "f:4:52: error: 'env' must map variable names to strings",
        "f:5:49: error: 'env' must map variable names to strings",
        "f:6:50: error: 'env' must map variable names to strings"}},
      {"settings",
       R"({"hooksConfig": {"enabled": "no", "disabled": ["a", 7], "notifications": false},
"hooks": {"enabled": true, "disabled": [], "BeforeTool": []}})",
       "",
       {"f:1:29: error: 'enabled' must be true or false", "f:1:53: error: 'disabled' must be a list of hook names"}},
      {"disabled that is no list",
       R"({"hooksConfig": {"disabled": "a"}})",
       "",
       {"f:1:30: error: 'disabled' must be a list of hook names"}},
  };
  check(kGeminiDialect, cases);
}

TEST(ReadSettings, SettingsOfClawd) {
  struct Setting {
    const char* note;
    const char* text;
    std::function<bool(const Toggles&)> holds;
    const char* problem = "";
  };
  using std::chrono::milliseconds;
  const Setting cases[] = {
      {"none", "{}", [](const Toggles& t) { return !t.enabled && !t.default_timeout && !t.max_concurrent; }},
      {"enabled", R"({"enabled": false})", [](const Toggles& t) { return t.enabled == false; }},
      {"seconds", R"({"defaultTimeout": 1.5})",
       [](const Toggles& t) { return t.default_timeout == milliseconds(1500); }},
      {"the least", R"({"defaultTimeout": 0.0001})",
       [](const Toggles& t) { return t.default_timeout == milliseconds(1); }},
      {"the most", R"({"defaultTimeout": 86400})",
       [](const Toggles& t) { return t.default_timeout == milliseconds(86400000); }},
      {"too much", R"({"defaultTimeout": 86401})", [](const Toggles& t) { return !t.default_timeout; },
       "'defaultTimeout' must be at most 24 hours (it is given in seconds)"},
      {"ignore", R"({"timeoutBehavior": "ignore"})", [](const Toggles& t) { return t.on_timeout == OnFailure::Open; }},
      {"deny", R"({"failureBehavior": "deny"})", [](const Toggles& t) { return t.on_failure == OnFailure::Closed; }},
      {"ask", R"({"failureBehavior": "ask"})", [](const Toggles& t) { return t.on_failure == OnFailure::Ask; }},
      {"another word", R"({"failureBehavior": "Deny"})", [](const Toggles& t) { return !t.on_failure; },
       "'failureBehavior' must be \"ignore\", \"deny\" or \"ask\""},
      {"concurrency", R"({"maxConcurrentHooks": 3})", [](const Toggles& t) { return t.max_concurrent == 3u; }},
      {"half a hook", R"({"maxConcurrentHooks": 2.5})", [](const Toggles& t) { return !t.max_concurrent; },
       "'maxConcurrentHooks' must be a whole number above 0"},
      {"less than none", R"({"maxConcurrentHooks": -1})", [](const Toggles& t) { return !t.max_concurrent; },
       "'maxConcurrentHooks' must be a whole number above 0"},
  };
  for (const Setting& c : cases) {
    SCOPED_TRACE(c.note);
    const SettingsFile file = read(kClawdDialect, std::string("{\"hooks\": ") + c.text + "}");
    EXPECT_TRUE(c.holds(file.toggles));
    EXPECT_EQ(file.problems.empty() ? "" : file.problems.front().message, c.problem);
  }
}

TEST(ReadSettings, AHookHasAllItsFileSays) {
  const SettingsFile file = read(kGeminiDialect, R"({"hooks": {"AfterTool": [{"matcher": "a|b", "sequential": true,
    "hooks": [{"type": "command", "command": "run", "name": "n", "description": "d", "timeout": 70, "env": {"A": "1"}}]}]}})");
  ASSERT_EQ(file.hooks.size(), 1u);
  const ParsedHook& hook = file.hooks.front();
  EXPECT_EQ(hook.event, "AfterTool");
  EXPECT_EQ(hook.timeout, std::chrono::milliseconds(70));
  EXPECT_EQ(hook.spec.name, "n");
  EXPECT_EQ(hook.spec.description, "d");
  EXPECT_TRUE(hook.spec.sequential);
  EXPECT_TRUE(hook.spec.listens_to(EventKind::PostToolUse));
  EXPECT_TRUE(hook.spec.listens_to(EventKind::PostToolUseFailure)) << "one wire name, two kinds";
  EXPECT_EQ(hook.spec.source.line, 2u);
  EXPECT_EQ(hook.spec.clauses.size(), 1u);
  EXPECT_EQ(hook.spec.command()->env, (std::vector<std::pair<std::string, std::string>>{{"A", "1"}}));
  EXPECT_NE(hook.spec.definition.find("\"matcher\":\"a|b\""), std::string::npos) << "the matcher is pinned as well";
}

TEST(ReadSettings, AMessageIsNoLongerThanIsUseful) {
  const std::string key(100000, 'x');
  const SettingsFile file = read(kClawdDialect, "{\"hooks\": {\"" + key + "\": []}}");
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_LT(file.problems.front().message.size(), 500u);
}

TEST(ReadSettings, TenThousandHooksInOneFile) {
  std::string entries;
  for (int i = 0; i < 10000; ++i) {
    entries += (i == 0 ? "" : ",\n") + std::string("{\"matcher\": {\"tools\": \"T") + std::to_string(i) +
               "\"}, \"hooks\": [{\"type\": \"command\", \"command\": \"c" + std::to_string(i) + "\"}]}";
  }
  const SettingsFile file = read(kClawdDialect, "{\"hooks\": {\"PreToolUse\": [" + entries + "]}}");
  EXPECT_EQ(file.hooks.size(), 10000u);
  EXPECT_EQ(file.hooks.back().spec.source.line, 10000u);
}

TEST(ReadSettings, TenThousandProblemsInOneFile) {
  std::string entries;
  for (int i = 0; i < 10000; ++i) entries += (i == 0 ? "" : ",\n") + std::string("{\"hooks\": 7}");
  EXPECT_EQ(read(kClawdDialect, "{\"hooks\": {\"Stop\": [" + entries + "]}}").problems.size(), 10000u);
  std::string keys;
  for (int i = 0; i < 10000; ++i) keys += ",\n\"event" + std::to_string(i) + "\": []";
  EXPECT_EQ(read(kClawdDialect, "{\"hooks\": {\"Stop\": []" + keys + "}}").problems.size(), 10000u);
}

TEST(DetectDialect, ByWhatIsNamedAndByTheFileName) {
  struct Detected {
    const char* note;
    const char* text;
    const char* path;
    const Dialect* want;
  };
  const Detected cases[] = {
      {"nothing", "{}", "", nullptr},
      {"not an object", "[]", "", nullptr},
      {"hooks that are none", R"({"hooks": 7})", "", nullptr},
      {"unknown events", R"({"hooks": {"Nonsense": []}})", "", nullptr},
      {"entries with an event", R"({"hooks": [{"event": "Stop", "command": "x"}]})", "", &kKimiDialect},
      {"entries with an unknown one", R"({"hooks": [{"event": "Nonsense"}, 7]})", "", nullptr},
      {"an event of gemini", R"({"hooks": {"BeforeTool": []}})", "", &kGeminiDialect},
      {"an old spelling", R"({"hooks": {"block-tool": []}})", "", &kGeminiDialect},
      {"an event of clawd", R"({"hooks": {"Compaction": [], "PermissionRequest": []}})", "clawd.json", &kClawdDialect},
      {"the majority", R"({"hooks": {"BeforeTool": [], "AfterTool": [], "PreToolUse": []}})", "", &kGeminiDialect},
      {"a shared event, by the file's name", R"({"hooks": {"SessionStart": []}})", "/x/.clawdcode/settings.local.json",
       &kClawdDialect},
      {"a shared event, by the other's", R"({"hooks": {"SessionStart": []}})", "/x/.gemini/settings.json",
       &kGeminiDialect},
      {"a name that only ends like it", R"({"hooks": {"BeforeTool": []}})", "/x/my.clawdcode/settings.json",
       &kGeminiDialect},
      {"a name of a dialect that knows none of it", R"({"hooks": {"BeforeTool": []}})", "/x/.clawdcode/settings.json",
       &kGeminiDialect},
  };
  for (const Detected& c : cases) {
    SCOPED_TRACE(c.note);
    const Dialect* got = detect_dialect(*Json::parse(c.text), c.path);
    EXPECT_EQ(got == nullptr ? "none" : got->name, c.want == nullptr ? "none" : c.want->name);
  }
}

TEST(FittingDialects, AreAllWithTheMostNamesUnlessSomethingTellsThemApart) {
  struct Fitting {
    const char* note;
    const char* text;
    const char* path;
    const Dialect* likely;
    std::vector<const Dialect*> want;
  };
  const Fitting cases[] = {
      {"nothing", "{}", "", &kBladeDialect, {}},
      {"events of two",
       R"({"hooks": {"Compaction": [], "PreToolUse": []}})",
       "",
       nullptr,
       {&kClawdDialect, &kBladeDialect}},
      {"an event of one", R"({"hooks": {"Compaction": [], "TaskCompleted": []}})", "", nullptr, {&kBladeDialect}},
      {"the likely one", R"({"hooks": {"Compaction": [], "PreToolUse": []}})", "", &kBladeDialect, {&kBladeDialect}},
      {"the likely one fits less",
       R"({"hooks": {"BeforeTool": [], "AfterTool": [], "SessionStart": []}})",
       "",
       &kBladeDialect,
       {&kGeminiDialect}},
      {"the likely one does not fit", R"({"hooks": {"BeforeTool": []}})", "", &kBladeDialect, {&kGeminiDialect}},
      {"the name goes before the likely one",
       R"({"hooks": {"Stop": []}})",
       "/x/.claude/settings.json",
       &kBladeDialect,
       {&kClaudeDialect}},
  };
  for (const Fitting& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(fitting_dialects(*Json::parse(c.text), c.path, c.likely), c.want);
  }
}

TEST(ReadDuration, InTheDialectsUnit) {
  struct Duration {
    const char* json;
    int64_t milliseconds;  ///< 0: refused
  };
  const Duration cases[] = {
      {"1", 1000}, {"0.25", 250}, {"1e-9", 1},   {"\"2\"", 2000},     {"\"2.5\"", 2500}, {"0", 0},
      {"-1", 0},   {"\"\"", 0},   {"\"2s\"", 0}, {"\" 2\"", 0},       {"\"nan\"", 0},    {"\"inf\"", 0},
      {"true", 0}, {"null", 0},   {"[1]", 0},    {"86400", 86400000}, {"86400.5", 0},    {"1e400", 0}};
  for (const Duration& c : cases) {
    SCOPED_TRACE(c.json);
    const auto got = read_duration(*Json::parse(c.json), std::chrono::seconds(1), std::chrono::hours(24));
    EXPECT_EQ(got ? got->count() : 0, c.milliseconds);
  }
}

}  // namespace
}  // namespace grapnel
