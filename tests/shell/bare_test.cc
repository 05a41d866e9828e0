#include "cli/doctor/doctor.h"
#include "cli/version.h"
#include "engine/fixture.h"
#include "shell/parse.h"
#include "shell/syntax.h"

// A build without the shell grammar. This program contains src/shell/syntax_none.cc, which takes the place of the
// grammar in the library.

namespace grapnel::testing {
namespace {

class Bare : public EngineTest {
 protected:
  Decision fire(const std::string& command) {
    EngineOptions out = options();
    out.configs.push_back({"",
                           dir_.put("rules/grapnel.yaml", R"(version: 1
hooks:
  - { name: lists, on: PreToolUse, when: { tool: shell, command: ls }, allow: true }
  - { name: reads, on: PreToolUse, when: { tool: shell, effect: readonly }, allow: true }
  - { name: no-push, on: PreToolUse, when: { tool: shell, command: git push }, deny: People push. }
)"),
                           {}});
    return Engine::create(std::move(out))
        ->fire(Event(EventKind::PreToolUse,
                     Json::object({{"tool_name", Json::string("Bash")},
                                   {"tool_input", Json::object({{"command", Json::string(command)}})}})));
  }
};

TEST_F(Bare, AllowsPlainWordsOnly) {
  ASSERT_FALSE(shell::has_grammar());
  const struct {
    const char* command;
    bool is_allowed;
    Verdict at_least;
  } kCases[] = {
      {"ls -l", true, Verdict::Allow},
      {"ls -l | wc", false, Verdict::Pass},
      {"ls 'a b'", false, Verdict::Pass},
      {"ls $X", false, Verdict::Pass},
      {"(ls)", false, Verdict::Pass},
      {"git push", false, Verdict::Deny},
      {"true && git push", false, Verdict::Ask},
  };
  for (const auto& c : kCases) {
    const Decision decision = fire(c.command);
    EXPECT_EQ(decision.verdict() == Verdict::Allow, c.is_allowed) << c.command;
    EXPECT_GE(decision.verdict(), c.at_least) << c.command;
  }
}

TEST_F(Bare, SaysSo) {
  fire("true && git push");
  std::string details;
  for (const HookFate& fate : sink_->records.back().hooks) details += fate.detail + "\n";
  EXPECT_TRUE(details.contains("this build has no shell grammar and understands plain words only")) << details;
  EXPECT_EQ(cli::version_text("1.2"),
            "grapnel 1.2\nwithout the shell grammar: only commands of plain words are understood, and rules allow no "
            "others\n");
  const Environment env{std::vector<std::string>{}};
  cli::Findings findings;
  cli::check_build({.env = env, .project = "", .state_dir = "", .program_dir = "", .registry = {}}, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].what, "this build has no shell grammar");
  EXPECT_EQ(findings[0].severity, cli::Severity::Warning);
}

}  // namespace
}  // namespace grapnel::testing
