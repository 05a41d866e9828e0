#include <algorithm>

#include <gtest/gtest.h>

#include "convert/convert.h"
#include "convert/write_rules.h"
#include "discover/discover.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/settings_file.h"

namespace grapnel {
namespace {

struct Case {
  const char* note;
  const char* dialect;
  const char* settings;
  const char* rules;                ///< behind `hooks:`
  std::vector<const char*> losses;  ///< what each says, in order
};

std::vector<HookSpec> hooks_of(const Case& c) {
  const Environment env;
  DiscoverOptions options;
  options.roots.env = &env;
  options.use_standard_places = false;
  options.objects = {{c.dialect, Json::parse(c.settings).value_or(Json())}};
  return discover(options).registry.hooks;
}

const std::vector<Case> kCases = {
    {"a command",
     "claude",
     R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make test"}]}]}})",
     "\n  - name: 'make-test'\n    on: 'Stop'\n    run: 'make test'\n    timeout: '600s'\n",
     {}},
    {"names of tools become kinds",
     "claude",
     R"({"hooks": {"PreToolUse": [{"matcher": "Bash|Write", "hooks": [{"type": "command", "command": "./guard", "timeout": 60}]}]}})",
     "\n  - name: 'guard'\n    on: 'PreToolUse'\n    when:\n      tool: [\"shell\",\"write\"]\n    run: './guard'\n",
     {}},
    {"so do those in a regular expression that is a list",
     "gemini",
     R"({"hooks": {"BeforeTool": [{"matcher": "write_file|replace", "hooks": [{"type": "command", "name": "g", "command": "./guard"}]}]}})",
     "\n  - name: 'g'\n    on: 'PreToolUse'\n    when:\n      tool: [\"write\",\"edit\"]\n    run: './guard'\n",
     {}},
    {"other regular expressions stay",
     "gemini",
     R"({"hooks": {"BeforeTool": [{"matcher": "mcp_.*", "hooks": [{"type": "command", "name": "g", "command": "./guard"}]}]}})",
     "\n  - name: 'g'\n    on: 'PreToolUse'\n    when:\n      tool: '/mcp_.*/'\n    run: './guard'\n",
     {}},
    {"a condition that rules do not have",
     "claude",
     R"({"hooks": {"SessionStart": [{"matcher": "resume", "hooks": [{"type": "command", "command": "hi", "timeout": 60}]}]}})",
     "\n  - name: 'hi'\n    on: 'SessionStart'\n    run: 'hi'\n",
     {"the hook runs more often"}},
    {"an event that only this agent has",
     "claude",
     R"({"hooks": {"ConfigChange": [{"hooks": [{"type": "command", "command": "hi"}]}]}})",
     "\n  - name: 'hi'\n    on: 'ConfigChange'\n    run: 'hi'\n    timeout: '600s'\n",
     {}},
    {"environment, names that are taken, what rules do not know",
     "qwen",
     R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "name": "My hook", "env": {"A": "b'c"}, "once": true},
                                       {"type": "command", "command": "a $QWEN_PROJECT_DIR", "name": "my-hook"}]}]}})",
     "\n  - name: 'my-hook'\n    on: 'Stop'\n    run: 'a'\n    env:\n      A: 'b''c'\n"
     "\n  - name: 'my-hook-2'\n    on: 'Stop'\n    run: 'a $QWEN_PROJECT_DIR'\n",
     {"is renamed to 'my-hook'", "no 'once'", "is renamed to 'my-hook-2'", "$QWEN_PROJECT_DIR"}},
    {"posts and questions",
     "claude",
     R"({"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "https://example.org/x", "timeout": 60},
                                       {"type": "prompt", "prompt": "Done?", "model": "m", "timeout": 60}]}]}})",
     "\n  - name: 'post-https-example-org-x'\n    on: 'Stop'\n    http:\n      url: 'https://example.org/x'\n"
     "\n  - name: 'done'\n    on: 'Stop'\n    prompt:\n      prompt: 'Done?'\n      model: 'm'\n",
     {}},
    {"entries that call grapnel are nobody's hooks",
     "claude",
     R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "exec '/usr/bin/grapnel' fire --bridge --as claude"}]}]}})",
     " []\n",
     {}},
};

TEST(ConvertToRules, cases) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.note);
    const std::vector<HookSpec> hooks = hooks_of(c);
    const Conversion done = convert_to_rules(hooks);
    EXPECT_EQ(done.files.front().text, std::string("version: 1\nhooks:") + c.rules);
    ASSERT_EQ(done.losses.size(), c.losses.size());
    for (size_t i = 0; i < c.losses.size(); ++i) EXPECT_TRUE(done.losses[i].message.contains(c.losses[i]));
  }
}

TEST(ConvertToRules, what_is_written_can_be_read) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.note);
    const std::vector<HookSpec> hooks = hooks_of(c);
    const std::string text = convert_to_rules(hooks).files.front().text;
    const RuleFile file = read_rules(text, {Scope::User, "grapnel.yaml", {}});
    for (const ConfigProblem& problem : file.problems) ADD_FAILURE() << problem.to_string();
    size_t supported = 0;
    for (const HookSpec& hook : hooks) supported += hook.other_events.empty() ? 1 : 0;
    EXPECT_EQ(file.hooks.size(), supported);
  }
}

// A sandbox that got lost on the way would free the hook.
TEST(ConvertRules, KeepsSandboxesOrSaysThatTheyAreLost) {
  struct SandboxCase {
    const char* sandbox;
    const char* want;
  };
  const SandboxCase cases[] = {
      {"guard", "    sandbox: 'guard'\n"},
      {"contain", "    sandbox: 'contain'\n"},
      {"off", "    sandbox: 'off'\n"},
      {"{ network: false, read: [project], write: [], memory: 2M, cpu: 10s, processes: 8, leftovers: kill, required: "
       "false }",
       ""},
  };
  for (const SandboxCase& c : cases) {
    SCOPED_TRACE(c.sandbox);
    const auto rules_with = [](const std::string& sandbox) {
      return read_rules(
          "version: 1\nhooks:\n  - name: r\n    on: PreToolUse\n    run: ./x\n    sandbox: " + sandbox + "\n",
          {Scope::User, "grapnel.yaml", std::nullopt});
    };
    const RuleFile before = rules_with(c.sandbox);
    ASSERT_EQ(before.hooks.size(), 1u);
    const Conversion got = convert_to_rules(before.hooks);
    EXPECT_TRUE(got.files.front().text.contains(c.want)) << got.files.front().text;
    const RuleFile after = read_rules(got.files.front().text, {Scope::User, "grapnel.yaml", std::nullopt});
    ASSERT_EQ(after.hooks.size(), 1u) << got.files.front().text;
    EXPECT_EQ(describe(*after.hooks[0].sandbox), describe(*before.hooks[0].sandbox));
    EXPECT_TRUE(after.hooks[0].sandbox->files == before.hooks[0].sandbox->files);
    const Conversion lost = convert_hooks(before.hooks, *find_dialect("claude"));
    EXPECT_TRUE(std::ranges::any_of(
        lost.losses, [](const ConfigProblem& loss) { return loss.message.contains("claude hooks have no sandbox"); }));
  }
}

}  // namespace
}  // namespace grapnel
