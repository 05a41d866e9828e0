#include "convert/convert.h"

#include <gtest/gtest.h>

#include "convert/convert_support.h"
#include "discover/formats/settings_file.h"

/// What a hook becomes in another agent's file, and what is said about the rest.
namespace grapnel {

namespace {

using testing::TempDir;

struct ConvertCase {
  const char* note;
  const char* from;
  const char* to;
  const char* hooks;  ///< the value of "hooks", or a whole settings object with "hooks" in it
  const char* want;   ///< the hooks written
  std::vector<std::string> losses = {};
};

const std::vector<ConvertCase>& cases() {
  static const std::vector<ConvertCase> all = {
      {"names of events and tools, milliseconds", "gemini", "clawd",
       R"j({"BeforeTool": [{"matcher": "^(write_file|replace)$",
           "hooks": [{"type": "command", "command": "x", "timeout": 5000}]}]})j",
       R"j({"PreToolUse": [{"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "x", "timeout": 5}]}]})j"},
      {"every tool of a kind", "gemini", "claude",
       R"j({"BeforeTool": [{"matcher": "^replace$", "hooks": [{"type": "command", "command": "x", "timeout": 600000}]}]})j",
       R"j({"PreToolUse": [{"matcher": "Edit|MultiEdit|NotebookEdit", "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"a default that is another there is written", "claude", "gemini",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "timeout": 600000}]}]})j"},
      {"seconds are whole",
       "gemini",
       "blade",
       R"j({"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "timeout": 1500}]}]})j",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 2}]}]})j",
       {"the timeout of 1500 ms becomes 2 s"}},
      {"a name for a name", "gemini", "clawd",
       R"j({"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "name": "n"}]}]})j",
       R"j({"Stop": [{"name": "n", "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"no name",
       "qwen",
       "codex",
       R"j({"Stop": [{"sequential": true, "hooks": [{"type": "command", "command": "x", "name": "n", "description": "d",
           "env": {"A": "b"}, "timeout": 600000, "statusMessage": "s", "async": true}]}]})j",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "x", "statusMessage": "s", "async": true}]}]})j",
       {"codex hooks have no description; \"d\" is lost", "codex hooks have no environment; {\"A\":\"b\"} is lost",
        "codex hooks have no name; \"n\" is lost", "codex runs hooks side by side; 'sequential' is lost"}},
      {"one after the other by nature", "gemini", "clawd",
       R"j({"BeforeTool": [{"sequential": true, "hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"an event only one has",
       "gemini",
       "clawd",
       R"j({"BeforeModel": [{"hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({})j",
       {"clawd has no event BeforeModel; the hook is not written"}},
      {"one event is two", "gemini", "claude",
       R"j({"AfterTool": [{"hooks": [{"type": "command", "command": "x", "timeout": 600000}]}]})j",
       R"j({"PostToolUse": [{"hooks": [{"type": "command", "command": "x"}]}],
           "PostToolUseFailure": [{"hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"two events are one", "claude", "gemini",
       R"j({"PostToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 60}]}],
           "PostToolUseFailure": [{"hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"AfterTool": [{"hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"one of the two",
       "claude",
       "gemini",
       R"j({"PostToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"AfterTool": [{"hooks": [{"type": "command", "command": "x"}]}]})j",
       {"in gemini, AfterTool also covers PostToolUseFailure, so the hook runs more often"}},

      {"paths and commands", "clawd", "blade",
       R"j({"PreToolUse": [{"matcher": {"tools": "Write", "paths": "*.ts", "commands": "npm .*"},
           "hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"PreToolUse": [{"matcher": {"tools": "Write", "paths": "**/*.ts", "commands": "^(?:npm .*)$"},
           "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"paths nobody there looks at",
       "clawd",
       "gemini",
       R"j({"PreToolUse": [{"matcher": {"tools": "Write", "paths": "*.ts"}, "hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"BeforeTool": [{"matcher": "^write_file$", "hooks": [{"type": "command", "command": "x"}]}]})j",
       {"gemini cannot express the condition on tool_path '*.ts', so the hook runs more often"}},
      {"a glob behind a tool stays there", "blade", "blade",
       R"j({"PreToolUse": [{"matcher": {"tools": "Write(src/**)"}, "hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"PreToolUse": [{"matcher": {"tools": "Write(src/**)"}, "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"names inside a regex",
       "claude",
       "gemini",
       R"j({"PreToolUse": [{"matcher": "^(Bash|mcp__.*)$", "hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"BeforeTool": [{"matcher": "^(run_shell_command|mcp__.*)$", "hooks": [{"type": "command", "command": "x"}]}]})j",
       {"the pattern '^(run_shell_command|mcp__.*)$' is kept as it is; gemini may use other names"}},
      {"a tool nobody knows",
       "claude",
       "clawd",
       R"j({"PreToolUse": [{"matcher": "QueryTable", "hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"PreToolUse": [{"matcher": "QueryTable", "hooks": [{"type": "command", "command": "x"}]}]})j",
       {"the tool 'QueryTable' keeps its name, because no name for it in clawd is known"}},
      {"a tool by another name for matchers", "claude", "codex",
       R"j({"PreToolUse": [{"matcher": "Write|Task", "hooks": [{"type": "command", "command": "x"}]}]})j",
       R"j({"PreToolUse": [{"matcher": "spawn_agent|Write", "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"a list where there are none", "claude", "gemini",
       R"j({"SessionStart": [{"matcher": "startup|resume", "hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"SessionStart": [{"matcher": "resume", "hooks": [{"type": "command", "command": "x"}]},
                            {"matcher": "startup", "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"words for why a session ends", "claude", "blade",
       R"j({"SessionEnd": [{"matcher": "prompt_input_exit", "hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"SessionEnd": [{"matcher": "user_exit", "hooks": [{"type": "command", "command": "x"}]}]})j"},
      {"a matcher nobody there has",
       "claude",
       "clawd",
       R"j({"SessionEnd": [{"matcher": "clear", "hooks": [{"type": "command", "command": "x", "timeout": 60}]}]})j",
       R"j({"SessionEnd": [{"hooks": [{"type": "command", "command": "x"}]}]})j",
       {"clawd cannot express the condition on reason 'clear', so the hook runs more often"}},
      {"a condition of its own",
       "claude",
       "clawd",
       R"j({"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 60, "if": "Bash(git *)"}]}]})j",
       R"j({"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]})j",
       {"clawd cannot express the condition on tool_command 'git *', so the hook runs more often",
        "clawd hooks have no condition 'if'; \"Bash(git *)\" is lost"}},
      {"nothing is lost at home", "claude", "claude",
       R"j({"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "args": ["a b"], "if": "Bash(git *)",
           "timeout": 7, "statusMessage": "s", "onFailure": "block", "async": true, "once": true}]}]})j",
       R"j({"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "args": ["a b"], "if": "Bash(git *)",
           "timeout": 7, "statusMessage": "s", "onFailure": "block", "async": true, "once": true}]}]})j"},
      {"arguments become words of a shell", "claude", "clawd",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "x", "args": ["a b", "it's"], "timeout": 60}]}]})j",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "x 'a b' 'it'\\''s'"}]}]})j"},
      {"a type nobody there has",
       "claude",
       "gemini",
       R"j({"Stop": [{"hooks": [{"type": "prompt", "prompt": "p"}]}]})j",
       R"j({})j",
       {"gemini has no hooks of type 'prompt'; the hook is not written"}},
      {"a type both have", "claude", "qwen",
       R"j({"Stop": [{"hooks": [{"type": "http", "url": "https://u.test/", "headers": {"a": "b"}, "timeout": 60}]}]})j",
       R"j({"Stop": [{"hooks": [{"type": "http", "timeout": 60, "url": "https://u.test/", "headers": {"a": "b"}}]}]})j"},
      {"a variable nobody there sets",
       "gemini",
       "clawd",
       R"j({"AfterAgent": [{"hooks": [{"type": "command", "command": "sh \"${GEMINI_CWD}/x\" $GEMINI_CWDS"}]}]})j",
       R"j({"Stop": [{"hooks": [{"type": "command", "command": "sh \"${GEMINI_CWD}/x\" $GEMINI_CWDS"}]}]})j",
       {"the command uses $GEMINI_CWD, which clawd does not set"}},
  };
  return all;
}

std::vector<std::string> sentences(const std::vector<ConfigProblem>& problems) {
  std::vector<std::string> out;
  for (const ConfigProblem& problem : problems) out.push_back(problem.message);
  return out;
}

Conversion convert_text(const std::string& settings, const char* from, const char* to) {
  const TempDir dir;
  dir.put("settings.json", settings);
  const Registry registry = testing::read_hooks_at(dir / "settings.json", *find_dialect(from));
  EXPECT_EQ(sentences(registry.problems), std::vector<std::string>{});
  return convert_hooks(registry.hooks, *find_dialect(to));
}

TEST(Convert, Hooks) {
  for (const ConvertCase& c : cases()) {
    SCOPED_TRACE(std::string(c.from) + " to " + c.to + ": " + c.note);
    const Conversion got = convert_text("{\"hooks\": " + std::string(c.hooks) + "}", c.from, c.to);
    const Json hooks = (*Json::parse(got.files.front().text))["hooks"];
    EXPECT_EQ(hooks, *Json::parse(c.want)) << hooks.dump();
    EXPECT_EQ(sentences(got.losses), c.losses);
  }
}

struct SettingsCase {
  const char* note;
  const char* from;
  const char* to;
  const char* settings;
  const char* want;
  std::vector<std::string> losses = {};
};

TEST(Convert, WhatFilesSayAboutAllHooks) {
  const std::vector<SettingsCase> all = {
      {"failing blocks", "clawd", "blade",
       R"j({"hooks": {"failureBehavior": "deny", "timeoutBehavior": "ask",
                     "Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}})j",
       R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}],
                     "failureBehavior": "deny", "timeoutBehavior": "ask"}})j"},
      {"failing blocks, hook by hook", "clawd", "claude",
       R"j({"hooks": {"failureBehavior": "deny", "timeoutBehavior": "deny",
                     "PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 600}]}]}})j",
       R"j({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "onFailure": "block"}]}]}})j"},
      {"failing cannot block",
       "clawd",
       "gemini",
       R"j({"hooks": {"failureBehavior": "deny", "Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}})j",
       R"j({"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "x"}]}]}})j",
       {"gemini cannot set what a failure of a single hook means; 'closed' becomes 'open'"}},
      {"a default becomes each hook's", "clawd", "gemini",
       R"j({"hooks": {"defaultTimeout": 9, "Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}})j",
       R"j({"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "timeout": 9000}]}]}})j"},
      {"so many at once", "blade", "clawd",
       R"j({"hooks": {"maxConcurrentHooks": 2, "Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}})j",
       R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}], "maxConcurrentHooks": 2}})j"},
      {"all off", "gemini", "claude",
       R"j({"hooksConfig": {"enabled": false}, "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "x", "timeout": 600000}]}]}})j",
       R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}, "disableAllHooks": true})j"},
      {"one off, where names can be", "gemini", "gemini",
       R"j({"hooksConfig": {"disabled": ["a"]}, "hooks": {"AfterAgent": [{"hooks": [
           {"type": "command", "command": "x", "name": "a"}, {"type": "command", "command": "y"}]}]}})j",
       R"j({"hooks": {"AfterAgent": [{"hooks": [
           {"type": "command", "command": "x", "name": "a"}, {"type": "command", "command": "y"}]}]},
           "hooksConfig": {"disabled": ["a"]}})j"},
      {"one off, where none can be",
       "gemini",
       "clawd",
       R"j({"hooksConfig": {"disabled": ["x"]}, "hooks": {"AfterAgent": [{"hooks": [
           {"type": "command", "command": "x"}, {"type": "command", "command": "y"}]}]}})j",
       R"j({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "y"}]}]}})j",
       {"the hook is switched off, which clawd cannot express; it is not written"}},
  };
  for (const SettingsCase& c : all) {
    SCOPED_TRACE(std::string(c.from) + " to " + c.to + ": " + c.note);
    const Conversion got = convert_text(c.settings, c.from, c.to);
    EXPECT_EQ(*Json::parse(got.files.front().text), *Json::parse(c.want)) << got.files.front().text;
    EXPECT_EQ(sentences(got.losses), c.losses);
  }
}

TEST(Convert, LossesHaveThePlaceOfTheHook) {
  const TempDir dir;
  dir.put("s.json", "{\"hooks\": {\"BeforeModel\": [{\"hooks\": [\n  {\"type\": \"command\", \"command\": \"x\"}]}]}}");
  const Registry registry = testing::read_hooks_at(dir / "s.json", *find_dialect("gemini"));
  const Conversion got = convert_hooks(registry.hooks, *find_dialect("claude"));
  ASSERT_EQ(got.losses.size(), 1U);
  EXPECT_EQ(got.losses.front().to_string(),
            dir / "s.json" + ":2:3: warning: claude has no event BeforeModel; the hook is not written");
}

std::string text_of(const Conversion& conversion, const std::string& path) {
  for (const OutputFile& file : conversion.files) {
    if (file.path == path) return file.text;
  }
  return "(no such file)";
}

TEST(Convert, HookDirectories) {
  const Conversion got = convert_text(
      R"j({"hooks": {"PreToolUse": [{"matcher": "^Bash$", "hooks": [
           {"type": "command", "command": "guard \"$1\"", "name": "z", "description": "it's one", "env": {"A": "b c"}},
           {"type": "command", "command": "./more.sh --all", "timeout": 50, "async": true},
           {"type": "command", "command": "x", "name": "Big One"}]}]}})j",
      "qwen", "agenthooks");
  EXPECT_EQ(text_of(got, "z/HOOK.md"),
            "---\nname: 'z'\ndescription: 'it''s one'\ntrigger: 'pre-tool-call'\nmatcher:\n  tool: '^Bash$'\n"
            "timeout: 60000\npriority: 102\n---\n\n# z\n");
  EXPECT_EQ(text_of(got, "z/scripts/run"), "#!/bin/sh\nexport A='b c'\nguard \"$1\"\n");
  EXPECT_EQ(text_of(got, "more-sh-all/HOOK.md"),
            "---\nname: 'more-sh-all'\ndescription: 'Runs ./more.sh --all'\ntrigger: 'pre-tool-call'\nmatcher:\n"
            "  tool: '^Bash$'\ntimeout: 100\nasync: true\npriority: 101\n---\n\n# more-sh-all\n");
  EXPECT_EQ(sentences(got.losses),
            (std::vector<std::string>{"the tool 'Bash' keeps its name, because no name for it in agenthooks is known",
                                      "the tool 'Bash' keeps its name, because no name for it in agenthooks is known",
                                      "the timeout of 50 ms becomes 100 ms",
                                      "the tool 'Bash' keeps its name, because no name for it in agenthooks is known",
                                      "the hook 'Big One' is renamed to 'big-one'"}));
}

}  // namespace

}  // namespace grapnel
