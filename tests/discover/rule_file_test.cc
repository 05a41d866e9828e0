#include "discover/formats/rule_file.h"

#include <gtest/gtest.h>

#include "base/text.h"

/// Rule files: what each key becomes, and what is said about mistakes.
namespace grapnel {

namespace {

/// A file of one hook: these lines behind its name and event.
std::string file_with(std::string_view lines) {
  std::string out = "version: 1\nhooks:\n  - name: r\n    on: PreToolUse\n";
  for (const std::string_view line : text::split(lines, '\n')) out += "    " + std::string(line) + "\n";
  return out;
}

RuleFile rules_of(std::string_view text) {
  return read_rules(text, {Scope::User, "grapnel.yaml", std::nullopt});
}

std::string problems_of(const RuleFile& file) {
  std::string out;
  for (const ConfigProblem& problem : file.problems) out += problem.to_string() + "\n";
  return out;
}

/// `runs` or `answers`, and when.
std::string text_of(const HookSpec& hook) {
  const std::string when = hook.condition_text();
  return hook.handler_word() + " " + hook.action_text() + (when.empty() ? "" : " | " + when);
}

struct GoodCase {
  const char* note;
  const char* lines;
  const char* want;  ///< handler, action and condition in words
};

constexpr GoodCase kGood[] = {
    {"a verdict with a reason", "deny: no", "rule deny: no"},
    {"a verdict without one", "deny: true", "rule deny"},
    {"an empty word is a reason, too, when quoted", "ask: 'true that'", "rule ask: true that"},
    {"allow", "when: {tool: read}\nallow: true", "rule allow | tool read"},
    {"kinds and names of tools", "when: {tool: [shell, 'mcp__*', run_shell_command]}\ndeny: no",
     "rule deny: no | tool shell or mcp__* or run_shell_command"},
    {"command, flag and effect are about one command",
     "when: {effect: destructive, flag: [-f, --force], command: [git  push, rm]}\ndeny: no",
     "rule deny: no | command git push or rm, flag -f or --force, effect destructive"},
    {"a command with a gap", "when: {command: git * push}\ndeny: no", "rule deny: no | command git * push"},
    {"paths", "when: {path: ['**/.env*', '/^secret/', ~/.ssh/**]}\ndeny: no",
     "rule deny: no | path **/.env* or /^secret/ or ~/.ssh/**"},
    {"texts of the event",
     "when: {prompt: '*deploy*', output: /error/, session: s1, agent: claude, mode: plan}\ndeny: no",
     "rule deny: no | prompt *deploy*, output /error/, session s1, agent claude, mode plan"},
    {"input by pointer, with or without the slash", "when: {input: {/a/b: x, command: [y, z]}}\ndeny: no",
     "rule deny: no | input /a/b x, input /command y or z"},
    {"files of this turn", "when: {changed: 'src/**'}\ndeny: no", "rule deny: no | changed src/**"},
    {"any, all, not",
     "when:\n  any: [{tool: write, path: a}, {tool: edit}]\n  all: [{mode: plan}]\n  not: {path: b}\ndeny: no",
     "rule deny: no | ((tool write, path a) or tool edit), mode plan, not (path b)"},
    {"a rewrite of the input", "rewrite: {input: {/timeout: '60', force: 'no'}}",
     "rule rewrite: /timeout becomes 60, /force becomes no"},
    {"a rewrite of the command", "when: {command: npm install}\nrewrite: {command: pnpm add}",
     "rule rewrite: the command becomes pnpm add | command npm install"},
    {"a rewrite of the output", "rewrite: {output: {max_lines: 50, drop_lines: 'npm WARN*', mask: ['/sk-[a-z0-9]+/']}}",
     "rule rewrite: at most 50 lines, without lines npm WARN*, /sk-[a-z0-9]+/ becomes ***"},
    {"what takes a mask's place", "rewrite: {output: {mask: {'/[0-9]{16}/': CARD}}}",
     "rule rewrite: /[0-9]{16}/ becomes CARD"},
    {"context", "inject: use pnpm", "rule inject: use pnpm"},
    {"context of a file", "inject: {file: NOTES.md, once: session, budget: 8k}", "rule inject: NOTES.md"},
    {"context of a command", "inject: {command: git status -s}", "command git status -s"},
    {"several answers", "ask: sure?\nnotify: look here\ninject: careful",
     "rule ask: sure?; inject: careful; notify: look here"},
    {"a command", "run: make test", "command make test"},
    {"a placeholder is an argument", "run: black -q {path}", "command black -q ${GRAPNEL_PATH}"},
    {"in shell text it is a reference", "run: cat {path} | wc -l", "command cat ${GRAPNEL_PATH} | wc -l"},
    {"the shell's own braces stay", "run: awk '{print}' ${path}", "command awk '{print}' ${path}"},
    {"a list is an argument vector", "run: [sh, -c, 'exit 2', '{tool}']", "command sh -c exit 2 ${GRAPNEL_TOOL}"},
    {"a worker", "worker: {command: python3 guard.py, idle: 1m, max_events: 10}", "worker python3 guard.py"},
    {"http", "http: {url: 'https://policy.example/x', headers: {X-A: b}, retries: 2}",
     "http POST https://policy.example/x"},
    {"a model", "prompt: Is this safe? $ARGUMENTS", "prompt Is this safe? $ARGUMENTS"},
    {"a sub-agent", "agent: {prompt: Read it., model: m, max_turns: 3}", "agent Read it."},
};

TEST(RuleFile, ReadsWhatEachKeyMeans) {
  for (const GoodCase& c : kGood) {
    SCOPED_TRACE(c.note);
    const RuleFile file = rules_of(file_with(c.lines));
    EXPECT_EQ(problems_of(file), "");
    ASSERT_EQ(file.hooks.size(), 1U);
    EXPECT_EQ(text_of(file.hooks[0]), c.want);
  }
}

TEST(RuleFile, FindsScriptsBesideItself) {
  struct Case {
    const char* note;
    const char* path;  ///< of the rule file
    const char* run;
    const char* want;
  };
  constexpr Case kBeside[] = {
      {"as a word", "/p/.agents/grapnel.yaml", "'{here}/scripts/check {path}'",
       "/p/.agents/scripts/check ${GRAPNEL_PATH}"},
      {"alone", "/p/.agents/grapnel.yaml", "'{here}/check'", "/p/.agents/check"},
      {"a directory with a blank stays one word", "/my p/grapnel.yaml", "'{here}/check -q'", "/my p/check -q"},
      {"in shell text it is quoted if necessary", "/my p/grapnel.yaml", "'{here}/check | tail -1'",
       "'/my p'/check | tail -1"},
      {"in a list", "/p/grapnel.yaml", "['{here}/check', '{here}']", "/p/check /p"},
      {"above", "/p/packs/a/../b/grapnel.yaml", "'{here}/check'", "/p/packs/b/check"},
  };
  for (const Case& c : kBeside) {
    SCOPED_TRACE(c.note);
    const RuleFile file = read_rules("version: 1\nhooks:\n  - {name: a, on: Stop, run: " + std::string(c.run) + "}\n",
                                     {Scope::User, c.path, std::nullopt});
    ASSERT_EQ(file.hooks.size(), 1U);
    EXPECT_EQ(file.hooks[0].command_text(), c.want);
  }
}

struct BadCase {
  const char* note;
  const char* lines;
  const char* want;  ///< the problems; the hook is left out
};

constexpr BadCase kBad[] = {
    {"a key that is misspelt", "dney: no",
     "grapnel.yaml:5:5: error: unknown key 'dney' in a hook (did you mean 'deny'?)\n"
     "grapnel.yaml:3:5: error: a hook needs something to do ([..])\n"},
    {"a key of a condition", "when: {tol: shell}\ndeny: no",
     "grapnel.yaml:5:12: error: unknown key 'tol' in 'when' (did you mean 'tool'?)\n"},
    {"a value", "when: {effect: destructiv}\ndeny: no",
     "grapnel.yaml:5:20: error: 'effect' must be 'readonly', 'writes', 'network' or 'destructive' (did you mean "
     "'destructive'?)\n"},
    {"an empty condition", "when: {}\ndeny: no",
     "grapnel.yaml:5:11: error: 'when' is empty (leave it out if the hook should always run)\n"},
    {"a condition that is none", "when: shell\ndeny: no",
     "grapnel.yaml:5:11: error: 'when' must be a map of conditions (as in { tool: shell, command: git push })\n"},
    {"an empty list", "when: {tool: []}\ndeny: no", "grapnel.yaml:5:18: error: 'tool' is an empty list\n"},
    {"an empty value", "when: {path: }\ndeny: no",
     "grapnel.yaml:5:12: error: 'path' must be a pattern or a list of patterns (write a value; a text that starts with "
     "'#' needs quotes)\n"},
    {"any without a list", "when: {any: {tool: a}}\ndeny: no",
     "grapnel.yaml:5:17: error: 'any' must be a list of conditions (as in any: [{ tool: write }, { tool: edit }])\n"},
    {"two verdicts", "deny: no\nallow: yes please",
     "grapnel.yaml:6:5: error: 'deny' and 'allow' contradict each other (a hook has one verdict)\n"},
    {"a verdict and an action", "deny: no\nrun: x",
     "grapnel.yaml:6:5: error: 'deny' and 'run' contradict each other (a hook either decides by itself or runs "
     "something; split it into two hooks)\n"},
    {"two actions", "run: x\nhttp: https://x",
     "grapnel.yaml:6:5: error: 'run' and 'http' contradict each other (split it into two hooks)\n"},
    {"a rewrite of what does not happen", "deny: no\nrewrite: {input: {a: b}}",
     "grapnel.yaml:6:5: error: 'deny' and 'rewrite' contradict each other (a denied call never runs, so there is "
     "nothing to rewrite)\n"},
    {"a verdict switched off", "deny: false",
     "grapnel.yaml:5:11: error: 'deny' must be a reason or true (write enabled: false to switch a hook off)\n"},
    {"a regular expression", "when: {path: '/a(b/'}\ndeny: no",
     "grapnel.yaml:5:18: error: '/a(b/' is not a valid regular expression: [..]\n"},
    {"one with flags", "when: {prompt: '/a+/i'}\ndeny: no",
     "grapnel.yaml:5:20: error: flags after a regular expression are not supported (write /(?i)…/ to ignore case)\n"},
    {"a backspace", "when: {prompt: \"/\\bfoo/\"}\ndeny: no",
     "grapnel.yaml:5:20: error: '\\b' in double quotes means a backspace in YAML (put the pattern in single quotes)\n"},
    {"a command as a regular expression", "when: {command: /git/}\ndeny: no",
     "grapnel.yaml:5:21: error: commands are compared word by word, not with regular expressions (write input: { "
     "/command: /git/ } to match the whole text)\n"},
    {"a command in shell syntax", "when: {command: 'a | b'}\ndeny: no",
     "grapnel.yaml:5:21: error: 'a | b' is shell syntax; a command is a list of plain words (write each command of a "
     "pipeline or list separately)\n"},
    {"a flag without dashes", "when: {flag: force}\ndeny: no",
     "grapnel.yaml:5:18: error: 'force' is not a flag (write it with its dashes and without a value: --force, -f)\n"},
    {"a timeout", "run: x\ntimeout: soon",
     "grapnel.yaml:6:14: error: 'timeout' must be a duration of at most 24 hours (write 500ms, 30s, 2m or 1h)\n"},
    {"a number", "deny: no\npriority: high",
     "grapnel.yaml:6:15: error: 'priority' must be a whole number from 0 to 1000\n"},
    {"a flag", "deny: no\nenabled: maybe", "grapnel.yaml:6:14: error: 'enabled' must be true or false\n"},
    {"a policy", "run: x\non_failure: close",
     "grapnel.yaml:6:17: error: 'on_failure' must be 'open', 'ask' or 'closed' (did you mean 'closed'?)\n"},
    {"a cause", "run: x\non_failure: {timout: open}",
     "grapnel.yaml:6:18: error: unknown key 'timout' in 'on_failure' (did you mean 'timeout'?)\n"},
    {"an answer nobody waits for", "deny: no\nasync: true",
     "grapnel.yaml:6:5: error: an async hook cannot decide anything, because nothing waits for its answer (remove "
     "'async')\n"},
    {"a job that decides", "deny: no\nasync: fleet",
     "grapnel.yaml:6:5: error: an async hook cannot decide anything, because nothing waits for its answer (remove "
     "'async')\n"},
    {"a job that is no program", "http: https://x\nasync: fleet",
     "grapnel.yaml:6:5: error: 'async: fleet' only works with 'run', and not with 'detach' or '{files}' (write async: "
     "true, and the hook runs here)\n"},
    {"a job that outlives the agent", "run: x\nasync: fleet\ndetach: true",
     "grapnel.yaml:6:5: error: 'async: fleet' only works with 'run', and not with 'detach' or '{files}' (write async: "
     "true, and the hook runs here)\n"},
    {"a job that waits for quiet", "run: x\nasync: fleet\ndebounce: 2s",
     "grapnel.yaml:7:5: error: 'debounce' does not work with 'async: fleet' (remove one of them)\n"},
    {"a job in a directory", "run: x\nasync: fleet\ncwd: src",
     "grapnel.yaml:7:5: error: 'cwd' does not work with 'async: fleet', because a worker has no project (remove "
     "it)\n"},
    {"an environment of nobody", "deny: no\nenv: {A: b}",
     "grapnel.yaml:6:5: error: 'env' only works with 'run' and 'worker' (remove it)\n"},
    {"context of two things", "inject: {text: a, file: b}",
     "grapnel.yaml:5:13: error: 'inject' needs one of 'text', 'file' or 'command'\n"},
    {"a URL", "http: policy.example", "grapnel.yaml:5:11: error: 'http' must start with http:// or https://\n"},
    {"a header that smuggles another", "http: {url: 'https://x', headers: {A: \"b\\r\\nC: d\"}}",
     "grapnel.yaml:5:39: error: 'A' is not a valid header; it needs a plain name and a value on one line\n"},
    {"a list where a text is due", "deny: [a]",
     "grapnel.yaml:5:11: error: 'deny' must be a text (write one text, in quotes if it starts with [ or {)\n"},
    {"nothing to do", "priority: 3", "grapnel.yaml:3:5: error: a hook needs something to do ([..])\n"},
};

/// Whether a text is the other one, in which `[..]` stands for anything within a line.
bool fits(const std::string& text, const std::string& want) {
  const size_t gap = want.find("[..]");
  if (gap == std::string::npos) return text == want;
  if (text.substr(0, gap) != want.substr(0, gap)) return false;
  for (size_t at = gap; at <= text.size(); ++at) {
    if (fits(text.substr(at), want.substr(gap + 4))) return true;
    if (at < text.size() && text[at] == '\n') return false;
  }
  return false;
}

TEST(RuleFile, SaysWhatIsWrongWhereAndWhatWasMeant) {
  for (const BadCase& c : kBad) {
    SCOPED_TRACE(c.note);
    const RuleFile file = rules_of(file_with(c.lines) + "  - {name: sibling, on: Stop, run: make test}\n");
    EXPECT_TRUE(fits(problems_of(file), c.want)) << problems_of(file);
    ASSERT_EQ(file.hooks.size(), 1U);
    EXPECT_EQ(file.hooks[0].name, "sibling");
  }
}

struct FileCase {
  const char* note;
  const char* text;
  const char* problems;
  size_t hooks;
};

constexpr FileCase kFiles[] = {
    {"an empty file", "", "", 0},
    {"only comments", "# nothing yet\n", "", 0},
    {"no hooks yet", "version: 1\nhooks:\n", "", 0},
    {"no version", "hooks: []\n",
     "grapnel.yaml:1:1: error: the file does not say which version it is written for (start it with version: 1)\n", 0},
    {"another version", "version: 2\nhooks: []\n",
     "grapnel.yaml:1:10: error: version '2' is not supported; no hook in this file is loaded (write version: 1, or "
     "get "
     "a newer grapnel)\n",
     0},
    {"a key of the file", "version: 1\nhoks: []\n",
     "grapnel.yaml:2:1: error: unknown key 'hoks' in a rule file (did you mean 'hooks'?)\n", 0},
    {"hooks that are no list", "version: 1\nhooks: {a: b}\n",
     "grapnel.yaml:2:8: error: 'hooks' must be a list (start each hook with a dash: - name: …)\n", 0},
    {"a hook that is no map", "version: 1\nhooks: [a]\n",
     "grapnel.yaml:2:9: error: a hook must be a map (as in - name: no-force-push)\n", 0},
    {"no YAML", "version: 1\nhooks: [\n",
     "grapnel.yaml:2:8: error: Invalid YAML: '[' is not closed; no hook in this file is loaded (end it with ])\n", 0},
    {"a key twice", "version: 1\nversion: 1\n",
     "grapnel.yaml:2:1: error: Invalid YAML: a second 'version' beside the one in line 1 is not allowed here; no hook "
     "in this file is loaded (join the two, or remove one)\n",
     0},
    {"two documents", "version: 1\n---\nversion: 1\n",
     "grapnel.yaml:2:1: error: Invalid YAML: '---' starts a second document, and a file is one; no hook in this file "
     "is loaded (remove the '---'; all hooks are in one list)\n",
     0},
    {"an alias", "version: &v 1\nhooks: *v\n",
     "grapnel.yaml:1:10: error: Invalid YAML: a value that starts with '&' is an anchor in YAML; no hook in this file "
     "is loaded (put it in quotes: '&v 1')\n",
     0},
    {"a list", "- a\n",
     "grapnel.yaml:1:1: error: the file must be a YAML mapping; no hook in this file is loaded (start it with version: "
     "1)\n",
     0},
    {"one name twice", "version: 1\nhooks:\n  - {name: a, on: Stop, run: x}\n  - {name: a, on: Stop, run: y}\n",
     "grapnel.yaml:4:12: error: line 3 already defines a hook 'a' (give this one another name)\n", 1},
    {"no name and no event", "version: 1\nhooks:\n  - deny: no\n",
     "grapnel.yaml:3:5: error: a hook needs a 'name' (as in name: no-force-push)\n"
     "grapnel.yaml:3:5: error: a hook needs 'on', an event or a list of them (as in on: PreToolUse)\n",
     0},
    {"a name that is none", "version: 1\nhooks:\n  - {name: A b, on: Stop, run: x}\n",
     "grapnel.yaml:3:12: error: [..]\n[..]\n", 0},
    {"an event that is misspelt", "version: 1\nhooks:\n  - {name: a, on: PreTolUse, deny: x}\n",
     "grapnel.yaml:3:19: error: 'PreTolUse' is not an event (did you mean 'PreToolUse'?)\n", 0},
    {"a placeholder that is misspelt", "version: 1\nhooks:\n  - {name: a, on: Stop, run: 'x {pth}'}\n",
     "grapnel.yaml:3:30: warning: '{pth}' is not a placeholder and stays as it is (did you mean 'path'?)\n", 1},
    {"a tool that is misspelt", "version: 1\nhooks:\n  - {name: a, on: PreToolUse, when: {tool: shel}, deny: x}\n",
     "grapnel.yaml:3:44: warning: no agent is known to have a tool 'shel' (did you mean 'shell'?)\n", 1},
};

TEST(RuleFile, TakesOrRefusesTheFile) {
  for (const FileCase& c : kFiles) {
    SCOPED_TRACE(c.note);
    const RuleFile file = rules_of(c.text);
    EXPECT_TRUE(fits(problems_of(file), c.problems)) << problems_of(file);
    EXPECT_EQ(file.hooks.size(), c.hooks);
  }
}

struct EventCase {
  const char* on;
  const char* want;
};

constexpr EventCase kEvents[] = {
    {"PreToolUse", "PreToolUse"},
    {"[PreToolUse, Stop]", "PreToolUse Stop"},
    {"BeforeTool", "PreToolUse"},
    {"AfterTool", "PostToolUse PostToolUseFailure"},
    {"BeforeAgent", "UserPromptSubmit"},
    {"pre-tool-call", "PreToolUse"},
    {"before_stop", "Stop"},
    {"Compaction", "PreCompact"},
    {"[Stop, AfterAgent, before_stop]", "Stop"},
    {"CwdChanged", "CwdChanged"},
    {"workspaceOpen", "Other"},
    {"Other", "Other"},
};

TEST(RuleFile, KnowsEverySpellingOfAnEvent) {
  for (const EventCase& c : kEvents) {
    SCOPED_TRACE(c.on);
    const RuleFile file = rules_of("version: 1\nhooks:\n  - {name: a, on: " + std::string(c.on) + ", run: x}\n");
    ASSERT_EQ(file.hooks.size(), 1U) << problems_of(file);
    std::string kinds;
    for (const EventKind kind : all_event_kinds()) {
      if (file.hooks[0].listens_to(kind)) kinds += (kinds.empty() ? "" : " ") + std::string(to_string(kind));
    }
    EXPECT_EQ(kinds, c.want);
  }
}

TEST(RuleFile, FillsWhatEveryHookHas) {
  const RuleFile file = rules_of(
      "version: 1\n"
      "hooks:\n"
      "  - name: tests-green\n"
      "    description: Tests pass before the turn ends.\n"
      "    on: Stop\n"
      "    run: make test\n"
      "    timeout: 2m\n"
      "    priority: 300\n"
      "    on_failure: {timeout: open, crash: closed, output: ask}\n"
      "    max_blocks: 3\n"
      "    once: yes\n"
      "    unless_unchanged: ['src/**', '*.mk']\n"
      "    enabled: off\n"
      "    env: {CI: '1'}\n"
      "    cwd: tools\n"
      "  - {name: formatter, on: PostToolUse, run: 'black {path}', detach: true}\n");
  EXPECT_EQ(problems_of(file), "");
  ASSERT_EQ(file.hooks.size(), 2U);
  const HookSpec& hook = file.hooks[0];
  EXPECT_EQ(hook.description, "Tests pass before the turn ends.");
  EXPECT_EQ(hook.timeout, std::chrono::minutes(2));
  EXPECT_EQ(hook.priority, 300);
  EXPECT_EQ(hook.failure.on_timeout, OnFailure::Open);
  EXPECT_EQ(hook.failure.on_failure, OnFailure::Closed);
  EXPECT_EQ(hook.failure.on_output, OnFailure::Ask);
  EXPECT_EQ(hook.max_blocks, 3U);
  EXPECT_TRUE(hook.once);
  ASSERT_EQ(hook.unless_unchanged.size(), 2U);
  EXPECT_TRUE(hook.unless_unchanged[0].matches("src/a/.hidden/b.c"));
  EXPECT_TRUE(hook.unless_unchanged[1].matches("a/b.mk"));
  EXPECT_FALSE(hook.enabled);
  EXPECT_EQ(hook.command()->env, (std::vector<std::pair<std::string, std::string>>{{"CI", "1"}}));
  EXPECT_EQ(hook.cwd, "tools");
  EXPECT_EQ(hook.source, (SourcePos{"grapnel.yaml", 3, 5}));
  EXPECT_EQ(hook.dialect, &kGrapnelDialect);
  EXPECT_FALSE(hook.async);
  EXPECT_TRUE(file.hooks[1].async);
  EXPECT_TRUE(file.hooks[1].detach);
  EXPECT_EQ(file.hooks[1].command()->args, std::vector<std::string>{"${GRAPNEL_PATH}"});
}

TEST(RuleFile, SaysWhichHooksAreJobs) {
  struct Case {
    const char* note;
    const char* file;  ///< what the file says for all of them
    const char* hook;
    bool is_async, is_job;
  };
  const Case cases[] = {
      {"it says so", "", "run: x, async: fleet", true, true},
      {"it runs here", "", "run: x, async: true", true, false},
      {"the file says so", "async: fleet\n", "run: x, async: true", true, true},
      {"the agent waits for it", "async: fleet\n", "run: x", false, false},
      {"it outlives the agent", "async: fleet\n", "run: x, detach: true", true, false},
      {"it waits for quiet", "async: fleet\n", "run: x, debounce: 2s", true, false},
      {"it runs in a directory", "async: fleet\n", "run: x, async: true, cwd: src", true, false},
      {"it is no program", "async: fleet\n", "http: 'https://x', async: true", true, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const RuleFile file =
        rules_of("version: 1\n" + std::string(c.file) + "hooks:\n  - {name: a, on: Stop, " + c.hook + "}\n");
    EXPECT_EQ(problems_of(file), "");
    ASSERT_EQ(file.hooks.size(), 1U);
    EXPECT_EQ(file.hooks[0].async, c.is_async);
    EXPECT_EQ(file.hooks[0].is_job, c.is_job);
  }
  EXPECT_EQ(problems_of(rules_of("version: 1\nasync: true\nhooks: []\n")),
            "grapnel.yaml:2:8: error: 'async' must be 'fleet'\n");
}

TEST(RuleFile, KeepsWhatActionsAreTold) {
  const RuleFile file = rules_of(
      "version: 1\n"
      "hooks:\n"
      "  - {name: a, on: Stop, inject: {command: git status, once: compaction, budget: 2k}}\n"
      "  - {name: b, on: Stop, inject: {text: hi, once: session}}\n"
      "  - {name: c, on: Stop, worker: {command: w, idle: 90s, max_events: 5}, env: {A: b}}\n"
      "  - name: d\n"
      "    on: Stop\n"
      "    http:\n"
      "      url: https://x.example/\n"
      "      headers: {Authorization: Bearer $TOKEN}\n"
      "      allowed_env: TOKEN\n"
      "      allowed_hosts: ['*.example']\n"
      "      private_addresses: true\n"
      "      retries: 2\n"
      "  - {name: e, on: Stop, agent: {prompt: p, model: m, max_turns: 7}}\n");
  EXPECT_EQ(problems_of(file), "");
  ASSERT_EQ(file.hooks.size(), 5U);
  const auto& printed = std::get<CommandHandler>(file.hooks[0].handler).inject;
  ASSERT_TRUE(printed.has_value());
  EXPECT_EQ(printed->how, Inject::How::OncePerCompaction);
  EXPECT_EQ(printed->budget, 2048U);
  const auto& text = std::get<RuleHandler>(file.hooks[1].handler).inject;
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->how, Inject::How::OncePerSession);
  const auto& worker = std::get<WorkerHandler>(file.hooks[2].handler);
  EXPECT_EQ(worker.idle, std::chrono::seconds(90));
  EXPECT_EQ(worker.max_events, 5U);
  EXPECT_EQ(worker.start.env.size(), 1U);
  const auto& http = std::get<HttpHandler>(file.hooks[3].handler);
  EXPECT_EQ(http.headers.front().second, "Bearer $TOKEN");
  EXPECT_EQ(http.allowed_env, std::vector<std::string>{"TOKEN"});
  EXPECT_EQ(http.allowed_hosts, std::vector<std::string>{"*.example"});
  EXPECT_TRUE(http.private_addresses);
  EXPECT_EQ(http.retries, 2U);
  const auto& agent = std::get<AgentHandler>(file.hooks[4].handler);
  EXPECT_EQ(agent.max_turns, 7U);
}

TEST(RuleFile, LimitsWhatItTakes) {
  std::string deep = "version: 1\nhooks:\n  - {name: a, on: Stop, deny: no, when: ";
  for (int i = 0; i < 40; ++i) deep += "{not: ";
  deep += "{tool: a}" + std::string(40, '}') + "}\n";
  EXPECT_NE(problems_of(rules_of(deep)).find("nested more than 32 deep"), std::string::npos);

  std::string wide = "version: 1\nhooks:\n  - name: a\n    on: Stop\n    run: x\n    env:\n";
  for (int i = 0; i < 2001; ++i) wide += "      A" + std::to_string(i) + ": b\n";
  EXPECT_NE(problems_of(rules_of(wide)).find("a map of more than 2000 keys"), std::string::npos);
}

}  // namespace

}  // namespace grapnel
