#include "discover/formats/hook_md.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "discover/formats/frontmatter.h"
#include "os/temp_dir.h"

/// One HOOK.md: what is taken, what is refused, and where it says so. Numbers E1 to E22 are the validator's errors,
/// plain ones cases of spec §6.1.
namespace grapnel {

namespace {

using testing::TempDir;

constexpr std::string_view kBase = "---\nname: h\ndescription: d\ntrigger: pre-tool-call\n";

/// The base with further lines of frontmatter.
std::string with(std::string_view more) {
  return std::string(kBase) + std::string(more) + "---\n";
}

/// Frontmatter of these lines alone.
std::string only(std::string_view lines) {
  return "---\n" + std::string(lines) + "---\n";
}

class HookMd : public ::testing::Test {
 protected:
  HookMdHooks read(std::string_view directory, std::string_view document, std::string_view file = "HOOK.md") {
    const std::string hook(directory);
    dir_.put(hook + "/" + std::string(file), document);
    dir_.put(hook + "/scripts/run.sh", "exit 0\n");
    return read_named_hooks(dir_ / hook, {hook_directory_dialect(), {}});
  }

  /// `HOOK.md:line: severity: text` of every problem.
  std::string problems_of(const HookMdHooks& hooks) const {
    std::string out;
    for (const ConfigProblem& problem : hooks.problems) {
      const std::string file = problem.at.file.substr(problem.at.file.rfind('/') + 1);
      out += file + (problem.at.line == 0 ? "" : ":" + std::to_string(problem.at.line));
      out +=
          (problem.severity == ConfigProblem::Severity::Error ? ": error: " : ": warning: ") + problem.message + "\n";
    }
    return out;
  }

  TempDir dir_;
};

struct ErrorCase {
  const char* note;
  std::string directory;
  std::string document;
  std::vector<std::string> want;  ///< parts of the problems, in this order; none: it loads without a word
};

TEST_F(HookMd, EveryMistakeHasItsPlace) {
  const std::string long_name(65, 'a');
  const ErrorCase cases[] = {
      {"1: the base", "h", with(""), {}},
      {"12: CRLF", "h", "---\r\nname: h\r\ndescription: d\r\ntrigger: pre-tool-call\r\n---\r\n", {}},
      {"E4, 7: no frontmatter", "h", "# Hook\n", {"HOOK.md:1: error: HOOK.md must start with YAML frontmatter"}},
      {"E4, 11: a blank line first", "h", "\n" + with(""), {"HOOK.md:1: error: HOOK.md must start with"}},
      {"E4: four dashes", "h", "----\nname: h\n---\n", {"HOOK.md:1: error: HOOK.md must start with"}},
      {"E5, 8: never closed", "h", "---\nname: h\n", {"HOOK.md:1: error: frontmatter not properly closed"}},
      {"E5: an empty opener", "h", "---", {"frontmatter not properly closed"}},
      {"E6, 9: no YAML", "h", only("name: [invalid yaml: : :\n"), {"error: Invalid YAML in frontmatter"}},
      {"E6, 10: empty", "h", "---\n---\n", {"HOOK.md:1: error: the frontmatter must be a YAML mapping"}},
      {"E6, 10: a list", "h", only("- a\n- b\n"), {"must be a YAML mapping"}},
      {"E6, 10: a scalar", "h", only("hello\n"), {"must be a YAML mapping"}},
      {"E6, 32: a key twice",
       "h",
       with("name: other\n"),
       {"HOOK.md:5: error: Invalid YAML in frontmatter: a second 'name'"}},
      {"E6, 32: an anchor",
       "h",
       with("metadata: &a x\n"),
       {"HOOK.md:5: error: Invalid YAML in frontmatter: a value that starts with '&' is an anchor"}},
      {"E6, 32: a tag",
       "h",
       with("metadata: !!str x\n"),
       {"HOOK.md:5: error: Invalid YAML in frontmatter: a value that starts with '!' is a tag"}},
      {"E6: a tab", "h", with("matcher:\n\ttool: x\n"), {"HOOK.md:6: error: Invalid YAML"}},
      {"not UTF-8", "h", "---\nname: \xff\n---\n", {"HOOK.md:1: error: the file is not UTF-8"}},
      {"what YAML would take for UTF-32",
       "h",
       std::string("---\n\1\0\0a: b\n---\n", 15),
       {"HOOK.md:1: error: the file is not UTF-8"}},
      {"E7, 22: unknown keys",
       "h",
       with("zeta: 1\nalpha: 2\n"),
       {"HOOK.md:5: error: Unexpected fields in frontmatter: alpha, zeta"}},
      {"E8, E17, 34: only a description",
       "h",
       only("description: d\n"),
       {"Missing required field in frontmatter: name", "Missing required field in frontmatter: trigger"}},
      {"E9: an empty name",
       "h",
       only("name: \"\"\ndescription: d\ntrigger: pre-session\n"),
       {"HOOK.md:2: error: field 'name' must be a non-empty string"}},
      {"E9: a name that is a list",
       "h",
       only("name: [h]\ndescription: d\ntrigger: pre-session\n"),
       {"HOOK.md:2: error: field 'name' must be a non-empty string"}},
      {"E10, 14: 65 characters",
       long_name,
       only("name: " + long_name + "\ndescription: d\ntrigger: pre-session\n"),
       {"HOOK.md:2: error: name exceeds 64 character limit (65 chars)"}},
      {"14: 64 characters",
       std::string(64, 'a'),
       only("name: " + std::string(64, 'a') + "\ndescription: d\ntrigger: pre-session\n"),
       {}},
      {"E11, 13", "MyHook", only("name: MyHook\ndescription: d\ntrigger: pre-session\n"), {"must be lowercase"}},
      {"E12, 15",
       "-my-hook",
       only("name: -my-hook\ndescription: d\ntrigger: pre-session\n"),
       {"cannot start or end with a hyphen"}},
      {"E13, 15", "my--hook", only("name: my--hook\ndescription: d\ntrigger: pre-session\n"), {"consecutive hyphens"}},
      {"E14, 15",
       "my_hook",
       only("name: my_hook\ndescription: d\ntrigger: pre-session\n"),
       {"contains invalid characters"}},
      {"E12, E13, 16",
       "my--hook-",
       only("name: my--hook-\ndescription: d\ntrigger: pre-session\n"),
       {"cannot start or end with a hyphen", "consecutive hyphens"}},
      {"E14: a fraction slash hides in ½",
       "ab½",
       only("name: ab½\ndescription: d\ntrigger: pre-session\n"),
       {"contains invalid characters"}},
      {"E15, 17: another directory",
       "wrong-name",
       only("name: correct-name\ndescription: d\ntrigger: pre-session\n"),
       {"HOOK.md:2: error: directory name 'wrong-name' must match hook name 'correct-name'"}},
      {"18: any script", "技能", only("name: 技能\ndescription: d\ntrigger: pre-session\n"), {}},
      {"19: composed and decomposed",
       "caf\u00e9",
       only("name: cafe\u0301\ndescription: d\ntrigger: pre-session\n"),
       {}},
      {"E16, 20: 1025 characters",
       "h",
       only("name: h\ndescription: " + std::string(1025, 'd') + "\ntrigger: pre-session\n"),
       {"HOOK.md:3: error: description exceeds 1024 character limit (1025 chars)"}},
      {"E16, 20: empty",
       "h",
       only("name: h\ndescription:\ntrigger: pre-session\n"),
       {"HOOK.md:3: error: field 'description' must be a non-empty string"}},
      {"E16: missing",
       "h",
       only("name: h\ntrigger: pre-session\n"),
       {"HOOK.md:2: error: Missing required field in frontmatter: description"}},
      {"E17, 23: unknown",
       "h",
       only("name: h\ndescription: d\ntrigger: invalid_trigger\n"),
       {"HOOK.md:4: error: Invalid trigger 'invalid_trigger'"}},
      {"E17, 23: case counts",
       "h",
       only("name: h\ndescription: d\ntrigger: Pre-Tool-Call\n"),
       {"HOOK.md:4: error: Invalid trigger 'Pre-Tool-Call'"}},
      {"E17, 24: a list",
       "h",
       only("name: h\ndescription: d\ntrigger: [pre-session]\n"),
       {"HOOK.md:4: error: field 'trigger' must be a string"}},
      {"E18, 29: a scalar", "h", with("matcher: Shell\n"), {"HOOK.md:5: error: field 'matcher' must be an object"}},
      {"E18, 29: empty", "h", with("matcher:\n"), {"HOOK.md:5: error: field 'matcher' must be an object"}},
      {"E19, 30", "h", with("matcher:\n  tools: Shell\n"), {"HOOK.md:5: error: Unexpected fields in matcher: tools"}},
      {"E20, 30: a list",
       "h",
       with("matcher:\n  tool: [a]\n"),
       {"HOOK.md:6: error: field 'matcher.tool' must be a string"}},
      {"E20, 30: no regex",
       "h",
       with("matcher:\n  tool: '[invalid('\n"),
       {"HOOK.md:6: error: Invalid regex in matcher.tool: "}},
      {"E20: the pattern",
       "h",
       with("matcher:\n  tool: Shell\n  pattern: '(a'\n"),
       {"HOOK.md:7: error: Invalid regex in matcher.pattern: "}},
      {"E21, 27: a fraction", "h", with("timeout: 5.5\n"), {"HOOK.md:5: error: field 'timeout' must be an integer"}},
      {"E21, 27: a word", "h", with("timeout: abc\n"), {"'timeout' must be an integer"}},
      {"E22: a list", "h", with("priority: [1]\n"), {"'priority' must be an integer"}},
      {"28: async is a truth value",
       "h",
       with("async: maybe\n"),
       {"HOOK.md:5: error: field 'async' must be true or false"}},
      {"all at once, in order",
       "x",
       only("name: Bad_Name\ntrigger: nope\ntimeout: 1\npriority: 5000\nextra: 1\n"),
       {"Unexpected fields", "lowercase", "invalid characters", "must match hook name", "description",
        "Invalid trigger", "'timeout'", "'priority'"}},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.note);
    const HookMdHooks got = read(c.directory, c.document);
    const std::string problems = problems_of(got);
    size_t at = 0;
    for (const std::string& want : c.want) {
      const size_t found = problems.find(want, at);
      EXPECT_NE(found, std::string::npos) << "no '" << want << "' in\n" << problems;
      at = found == std::string::npos ? at : found + 1;
    }
    EXPECT_EQ(static_cast<size_t>(std::ranges::count(problems, '\n')), c.want.size()) << problems;
    EXPECT_EQ(got.hooks.size(), c.want.empty() ? 1U : 0U);
  }
}

TEST_F(HookMd, AWarningDoesNotKeepAHookFromRunning) {
  const ErrorCase cases[] = {
      {"G8: a byte-order mark", "h", "\xEF\xBB\xBF" + with(""), {}},
      {"33, G8: dashes in a text", "h", only("name: h\ndescription: a --- b\ntrigger: pre-session\n"), {}},
      {"G1: a name of the first edition",
       "h",
       only("name: h\ndescription: d\ntrigger: before_tool\n"),
       {"HOOK.md:4: warning: 'before_tool' is the old name of this trigger"}},
      {"31, G3: the seed's own pattern",
       "h",
       with("matcher:\n  pattern: \"\\.(py|js|ts)$\"\n"),
       {"HOOK.md:6: warning: YAML has no such escape in double quotes"}},
      {"31: single quotes", "h", with("matcher:\n  pattern: '\\.py$'\n"), {}},
      {"a word boundary in double quotes",
       "h",
       with("matcher:\n  pattern: \"\\brm\\b\"\n"),
       {"HOOK.md:6: warning: '\\b' in double quotes means a backspace in YAML"}},
      {"G12: a matcher where no tool is",
       "h",
       only("name: h\ndescription: d\ntrigger: pre-session\nmatcher:\n  tool: Shell\n"),
       {"HOOK.md:5: warning: a matcher only works on tool events"}},
      {"32, G3: flow style", "h", with("matcher: {tool: Shell}\n"), {}},
      {"25: 99",
       "h",
       with("timeout: 99\n"),
       {"HOOK.md:5: warning: field 'timeout' is outside of its range, 100 to 600000 ms"}},
      {"25: too large for any integer", "h", with("timeout: 99999999999999999999\n"), {"'timeout' is outside"}},
      {"26: -1",
       "h",
       with("priority: -1\n"),
       {"HOOK.md:5: warning: field 'priority' is outside of its range, 0 to 1000"}},
      {"metadata of the wrong type",
       "h",
       with("metadata: x\n"),
       {"HOOK.md:5: warning: field 'metadata' is not an object"}},
      {"§9: a long description",
       "h",
       only("name: h\ndescription: " + std::string(1024, 'd') + "\ntrigger: pre-session\n"),
       {"HOOK.md:3: warning: name and description are about 260 tokens"}},
      {"§9: a long file", "h", with("") + std::string(4500, 'x'), {"HOOK.md:1: warning: the file is about"}},
      {"G33: a wish nobody knows",
       "h",
       with("metadata:\n  on_error: explode\n"),
       {"warning: metadata.on_error must be"}},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.note);
    const HookMdHooks got = read(c.directory, c.document);
    const std::string problems = problems_of(got);
    for (const std::string& want : c.want) EXPECT_NE(problems.find(want), std::string::npos) << problems;
    EXPECT_EQ(got.problems.size(), c.want.size()) << problems;
    EXPECT_EQ(got.hooks.size(), 1U);
  }
}

TEST_F(HookMd, PathsThatAreNoHook) {
  dir_.put("file.txt", "x");
  dir_.put("empty/other.md", "x");
  const ErrorCase cases[] = {
      {"E1, 6", "nowhere", "", {"does not exist"}},
      {"E2, 6", "file.txt", "", {"Not a directory"}},
      {"E3, 5", "empty", "", {"Missing required file: HOOK.md"}},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.note);
    const HookMdHooks got = read_named_hooks(dir_ / c.directory, {hook_directory_dialect(), {}});
    ASSERT_EQ(got.problems.size(), 1U);
    EXPECT_NE(got.problems[0].message.find(c.want[0]), std::string::npos) << got.problems[0].message;
    EXPECT_EQ(got.problems[0].at.file, dir_ / c.directory);
  }
}

TEST_F(HookMd, DefaultsAndFields) {
  const HookMdHooks plain = read("h", with(""));
  ASSERT_EQ(plain.hooks.size(), 1U);
  const HookSpec& usual = plain.hooks[0];
  EXPECT_EQ(usual.timeout, std::chrono::seconds(30));
  EXPECT_EQ(usual.priority, 100);
  EXPECT_FALSE(usual.async);
  EXPECT_TRUE(usual.clauses.empty());
  EXPECT_EQ(usual.failure.on_failure, OnFailure::Open);

  const HookMdHooks full = read("h", with("matcher:\n  tool: Shell\n  pattern: rm\ntimeout: 5_000\nasync: Yes\n"
                                          "priority: 999\nmetadata:\n  on_error: block\n  author: me\n"));
  ASSERT_EQ(full.hooks.size(), 1U);
  const HookSpec& hook = full.hooks[0];
  EXPECT_EQ(hook.timeout, std::chrono::seconds(5));
  EXPECT_EQ(hook.priority, 999);
  EXPECT_TRUE(hook.async);
  EXPECT_EQ(hook.clauses.size(), 2U);
  EXPECT_EQ(hook.failure.on_timeout, OnFailure::Closed);
}

TEST_F(HookMd, ANumberOutsideOfItsRangeIsTheNearestInIt) {  // 25, 26
  struct Case {
    const char* fields;
    int timeout_ms;
    int priority;
  };
  const Case cases[] = {
      {"timeout: 100\npriority: 0\n", 100, 0},
      {"timeout: 99\npriority: -1\n", 100, 0},
      {"timeout: 600001\npriority: 1001\n", 600000, 1000},
      {"timeout: 99999999999999999999\npriority: -99999999999999999999\n", 600000, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.fields);
    const HookMdHooks got = read("h", with(c.fields));
    ASSERT_EQ(got.hooks.size(), 1U);
    EXPECT_EQ(got.hooks[0].timeout, std::chrono::milliseconds(c.timeout_ms));
    EXPECT_EQ(got.hooks[0].priority, c.priority);
  }
}

TEST_F(HookMd, BlockScalarsAreTrimmed) {  // 21
  const HookMdHooks folded = read("h", only("name: h\ndescription: >\n  one\n  two\ntrigger: pre-session\n"));
  ASSERT_EQ(folded.hooks.size(), 1U);
  EXPECT_EQ(folded.hooks[0].description, "one two");
  const HookMdHooks literal = read("h", only("name: h\ndescription: |\n  one\n  two\ntrigger: pre-session\n"));
  ASSERT_EQ(literal.hooks.size(), 1U);
  EXPECT_EQ(literal.hooks[0].description, "one\ntwo");
}

TEST_F(HookMd, TheUpperCaseFileCounts) {  // 3, 4
  dir_.put("h/hook.md", only("name: h\ndescription: lower\ntrigger: pre-session\n"));
  HookMdHooks got = read_named_hooks(dir_ / "h", {hook_directory_dialect(), {}});
  ASSERT_EQ(got.hooks.size(), 1U);
  EXPECT_NE(problems_of(got).find("hook.md:1: warning: the file should be called HOOK.md"), std::string::npos);
  got = read("h", only("name: h\ndescription: upper\ntrigger: pre-session\n"));
  ASSERT_EQ(got.hooks.size(), 1U);
  EXPECT_EQ(got.hooks[0].description, "upper");
}

TEST_F(HookMd, EveryTriggerOfBothEditions) {
  const std::pair<const char*, EventKind> cases[] = {
      {"session_start", EventKind::SessionStart},
      {"session_end", EventKind::SessionEnd},
      {"before_agent", EventKind::UserPromptSubmit},
      {"after_agent", EventKind::TurnEnd},
      {"before_stop", EventKind::Stop},
      {"before_tool", EventKind::PreToolUse},
      {"after_tool", EventKind::PostToolUse},
      {"after_tool_failure", EventKind::PostToolUseFailure},
      {"subagent_start", EventKind::SubagentStart},
      {"subagent_stop", EventKind::SubagentStop},
      {"pre_compact", EventKind::PreCompact},
      {"pre-session", EventKind::SessionStart},
      {"post-session", EventKind::SessionEnd},
      {"pre-agent-turn", EventKind::UserPromptSubmit},
      {"post-agent-turn", EventKind::TurnEnd},
      {"pre-agent-turn-stop", EventKind::Stop},
      {"post-agent-turn-stop", EventKind::TurnEnd},
      {"pre-tool-call", EventKind::PreToolUse},
      {"post-tool-call", EventKind::PostToolUse},
      {"post-tool-call-failure", EventKind::PostToolUseFailure},
      {"pre-subagent", EventKind::SubagentStart},
      {"post-subagent", EventKind::SubagentStop},
      {"pre-context-compact", EventKind::PreCompact},
      {"post-context-compact", EventKind::PostCompact},
  };
  for (const auto& [name, kind] : cases) {
    SCOPED_TRACE(name);
    const std::string trigger = name;
    const HookMdHooks got = read("h", only("name: h\ndescription: d\ntrigger: " + trigger + "\n"));
    ASSERT_EQ(got.hooks.size(), 1U);
    EXPECT_TRUE(got.hooks[0].listens_to(kind));
    EXPECT_EQ(got.hooks[0].event_name, trigger);
    EXPECT_EQ(got.problems.size(), trigger.find('_') == std::string::npos ? 0U : 1U);
  }
}

/// Whatever bytes somebody puts there: a hook or a problem with its place, never anything else.
TEST_F(HookMd, AnyTextIsReadOrRefused) {
  constexpr std::string_view kBits = "-:{}[]&*!|>'\"%@`#,?\\\n\r\t \x80\xff~<abz09";
  const std::string original =
      with("matcher:\n  tool: \"Sh\\.ell\"\n  pattern: 'a|b'\nmetadata: {a: [1, 2], b: >\n  x}\n");
  std::mt19937 random(20240115);
  const auto below = [&](size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random); };
  for (int round = 0; round < 3000; ++round) {
    std::string document = original;
    for (size_t change = below(8) + 1; change > 0; --change) {
      const size_t at = below(document.size());
      const size_t count = below(3);
      document.replace(at, std::min(count, document.size() - at), std::string(below(3), kBits[below(kBits.size())]));
    }
    const auto got = read_frontmatter(document, "HOOK.md");
    if (got) {
      EXPECT_TRUE(got->root.is_map());
    } else {
      EXPECT_TRUE(got.error().at.has_value() && got.error().at->line >= 1) << document;
    }
  }
}

}  // namespace

}  // namespace grapnel
