#include "discover/formats/rule_checks.h"

#include <gtest/gtest.h>

#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_compare.h"
#include "discover/formats/rule_file.h"

/// What `grapnel check` says about rules that are well written.
namespace grapnel {

namespace {

RuleFile read(std::string_view hooks) {
  return read_rules("version: 1\nhooks:\n" + std::string(hooks), {Scope::User, "r.yaml", std::nullopt});
}

std::string checked(std::string_view hooks) {
  const RuleFile file = read(hooks);
  std::string out;
  for (const ConfigProblem& problem : file.problems) out += problem.to_string() + "\n";
  RuleTexts texts;
  texts.files.emplace("r.yaml", read_yaml_fields("version: 1\nhooks:\n" + std::string(hooks), "r.yaml")->root);
  for (const ConfigProblem& problem : check_rules(file.hooks, texts)) out += problem.to_string() + "\n";
  return out;
}

struct RuleCheckCase {
  const char* note;
  const char* hooks;
  const char* want;
};

constexpr RuleCheckCase kCases[] = {
    {"nothing to say", "- {name: a, on: PreToolUse, when: {tool: shell, command: rm, path: x}, deny: no}\n", ""},
    {"an event without tools", "- {name: a, on: Stop, when: {tool: shell}, run: x}\n",
     "r.yaml:3:30: warning: this never matches: Stop has no tool (PreToolUse, PermissionRequest and PostToolUse are "
     "about a tool)\n"},
    {"an event without a prompt", "- {name: a, on: PreToolUse, when: {prompt: '*x*'}, deny: no}\n",
     "r.yaml:3:36: warning: this never matches: PreToolUse has no prompt (UserPromptSubmit has the prompt)\n"},
    {"one of its events has it", "- {name: a, on: [Stop, PreToolUse], when: {tool: shell}, deny: no}\n", ""},
    {"one of its questions can be answered",
     "- {name: a, on: Stop, when: {any: [{tool: shell}, {mode: plan}]}, deny: x}\n", ""},
    {"what is not asked is no matter", "- {name: a, on: Stop, when: {not: {tool: shell}}, deny: x}\n", ""},
    {"a command of a tool that has none",
     "- {name: a, on: PreToolUse, when: {tool: [read, write], command: rm}, deny: x}\n",
     "r.yaml:3:57: warning: this never matches: only shell tools have commands (write tool: shell)\n"},
    {"a tool of a name may have one", "- {name: a, on: PreToolUse, when: {tool: my_tool, flag: -x}, deny: x}\n", ""},
    {"a path of a tool that has none", "- {name: a, on: PreToolUse, when: {tool: fetch, path: x}, deny: x}\n",
     "r.yaml:3:49: warning: this never matches: tools of this kind have no path (write tool: [read, write, edit])\n"},
    {"a question to nobody", "- {name: a, on: Stop, ask: 'really?'}\n",
     "r.yaml:3:23: warning: 'ask' has no effect on Stop (it works on PreToolUse, PermissionRequest)\n"},
    {"a denial of what is over", "- {name: a, on: SessionEnd, deny: no}\n",
     "r.yaml:3:29: warning: 'deny' has no effect on SessionEnd (PreToolUse can stop a tool, UserPromptSubmit a prompt, "
     "Stop the end of a turn)\n"},
    {"a gate that is none", "- {name: a, on: PreToolUse, deny: no, max_blocks: 2}\n",
     "r.yaml:3:39: warning: 'max_blocks' only works on gates, and PreToolUse is not one (gates are Stop, SubagentStop, "
     "TaskCompleted, TeammateIdle and PreCompact)\n"},
    {"an output that is not there yet", "- {name: a, on: PreToolUse, rewrite: {output: {max_lines: 3}}}\n",
     "r.yaml:3:29: warning: PreToolUse has no output to change (an output is changed on PostToolUse)\n"},
    {"an input that is gone", "- {name: a, on: PostToolUse, rewrite: {input: {a: b}}}\n",
     "r.yaml:3:30: warning: PostToolUse has no input to change (an input is changed on PreToolUse)\n"},
    {"a path of a tool whose name is known", "- {name: a, on: PreToolUse, when: {tool: WebFetch, path: x}, deny: x}\n",
     "r.yaml:3:52: warning: this never matches: tools of this kind have no path (write tool: [read, write, edit])\n"},
    {"an output before the tool", "- {name: a, on: PreToolUse, when: {output: '*x*'}, deny: no}\n",
     "r.yaml:3:36: warning: this never matches: PreToolUse has no output (PostToolUse has the output)\n"},
    {"conditions that exclude each other",
     "- {name: a, on: PreToolUse, when: {tool: write, not: {tool: [write, edit]}}, deny: x}\n",
     "r.yaml:3:49: warning: this never matches: the other conditions demand what 'not' excludes (remove one of the "
     "two)\n"},
    {"conditions that leave something",
     "- {name: a, on: PreToolUse, when: {tool: [write, read], not: {tool: write}}, deny: x}\n", ""},
    {"an exception", "- {name: a, on: PreToolUse, when: {command: git push, not: {flag: --dry-run}}, deny: x}\n", ""},
    {"a slow expression", "- {name: a, on: PreToolUse, when: {path: '/a(?=b)/'}, deny: x}\n",
     "r.yaml:3:36: warning: /a(?=b)/ needs backtracking and may be slow (look-around and back-references cannot be "
     "matched "
     "in linear time)\n"},
    {"a shadow",
     "- {name: a, on: PreToolUse, when: {command: git}, deny: x}\n"
     "- {name: b, on: PreToolUse, when: {command: git push, flag: -f}, ask: x}\n",
     "r.yaml:4:3: warning: this rule never takes effect: 'a' (line 3) answers deny wherever it matches (exclude this "
     "case there, as in when: { …, not: { … } })\n"},
    {"a weaker verdict throws none",
     "- {name: a, on: PreToolUse, when: {command: git}, ask: x}\n"
     "- {name: b, on: PreToolUse, when: {command: git push}, deny: x}\n",
     ""},
    {"nor does a narrower one",
     "- {name: a, on: PreToolUse, when: {command: git push, flag: -f}, deny: x}\n"
     "- {name: b, on: PreToolUse, when: {command: git push}, deny: x}\n",
     ""},
    {"nor does one that is switched off",
     "- {name: a, on: PreToolUse, deny: x, enabled: false}\n- {name: b, on: PreToolUse, deny: x}\n", ""},
    {"nor does one that only observes",
     "- {name: a, on: PreToolUse, deny: x, mode: observe}\n- {name: b, on: PreToolUse, deny: x}\n", ""},
    {"who tells the model something is seen",
     "- {name: a, on: PreToolUse, deny: x}\n- {name: b, on: PreToolUse, deny: x, inject: y}\n", ""},
    {"an allow over a denial",
     "- {name: a, on: PreToolUse, when: {command: git push, flag: -f}, deny: x}\n"
     "- {name: b, on: PreToolUse, when: {command: git}, allow: true}\n",
     "r.yaml:4:3: warning: this allows everything that 'a' (line 3) denies, and the denial wins (narrow 'when' to what "
     "you really want to allow)\n"},
    {"an allow of something else",
     "- {name: a, on: PreToolUse, when: {command: rm}, deny: x}\n"
     "- {name: b, on: PreToolUse, when: {command: git}, allow: true}\n",
     ""},
};

TEST(RuleChecks, WarnOfWhatIsNotAsItSeems) {
  for (const RuleCheckCase& c : kCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(checked(c.hooks), c.want);
  }
}

struct ImpliesCase {
  const char* narrow;
  const char* wide;
  bool want;
};

constexpr ImpliesCase kImplies[] = {
    {"{tool: shell}", "{tool: [shell, read]}", true},
    {"{tool: [shell, read]}", "{tool: shell}", false},
    {"{tool: shell, path: a}", "{path: a}", true},
    {"{path: a}", "{tool: shell, path: a}", false},
    {"{path: .env}", "{path: '*.env'}", true},
    {"{path: src/a.c}", "{path: 'src/**'}", true},
    {"{path: 'src/**'}", "{path: 'src/*'}", false},
    {"{command: git push}", "{command: [git, rm]}", true},
    {"{command: git}", "{command: git push}", false},
    {"{effect: destructive}", "{effect: [destructive, writes]}", true},
    {"{any: [{path: a}, {path: b}]}", "{path: [a, b]}", true},
    {"{path: a}", "{any: [{path: a}, {tool: read}]}", true},
    {"{not: {path: [a, b]}}", "{not: {path: a}}", true},
    {"{not: {path: a}}", "{not: {path: [a, b]}}", false},
    {"{input: {a: x}}", "{input: {b: x}}", false},
    {"{mode: plan}", "{mode: '*'}", true},
};

TEST(RuleChecks, TellWiderFromNarrower) {
  for (const ImpliesCase& c : kImplies) {
    SCOPED_TRACE(std::string(c.narrow) + " → " + c.wide);
    const RuleFile file = read("- {name: a, on: PreToolUse, deny: x, when: " + std::string(c.narrow) +
                               "}\n- {name: b, on: PreToolUse, deny: x, when: " + std::string(c.wide) + "}\n");
    ASSERT_EQ(file.hooks.size(), 2U);
    EXPECT_EQ(implies(file.hooks[0].when, file.hooks[1].when), c.want);
    EXPECT_TRUE(implies(file.hooks[0].when, std::nullopt));
    EXPECT_FALSE(implies(std::nullopt, file.hooks[1].when));
  }
}

}  // namespace

}  // namespace grapnel
