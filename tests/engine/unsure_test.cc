#include "engine/fixture.h"

/// `unsure`: what a rule does if it cannot be told whether it applies.
namespace grapnel::testing {
namespace {

constexpr const char* kUserSettings = "home/.config/grapnel/settings.yaml";
constexpr const char* kManagedSettings = "root/etc/grapnel/settings.yaml";

class UnsureTest : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine_for(const std::string& head, const std::string& rule) {
    dir_.put("home/.config/agents/grapnel.yaml",
             "version: 1\n" + head + "hooks:\n  - {name: no-rm, on: PreToolUse, when: {command: rm}, " + rule + "}\n");
    return Engine::create(options());
  }
  static Event shell(const char* command, const char* mode = "default") {
    return Event(EventKind::PreToolUse,
                 Json::object({{"tool_name", Json::string("Bash")},
                               {"permission_mode", Json::string(mode)},
                               {"tool_input", Json::object({{"command", Json::string(command)}})}}));
  }
};

constexpr const char* kDoubtful = "python3 -c 'import os; os.remove(x)'";

TEST_F(UnsureTest, TheNearestWordCounts) {
  struct Case {
    const char* note;
    const char* settings;
    const char* file;
    const char* rule;
    Verdict attended;
    Verdict unattended;
  };
  const Case cases[] = {
      {"nobody says anything", "", "", "deny: no", Verdict::Ask, Verdict::Deny},
      {"the rule", "", "", "deny: no, unsure: deny", Verdict::Deny, Verdict::Deny},
      {"the rule passes", "", "", "deny: no, unsure: pass", Verdict::Pass, Verdict::Pass},
      {"unattended", "", "", "deny: no, unsure_unattended: pass", Verdict::Ask, Verdict::Pass},
      {"the file", "", "unsure: deny\n", "deny: no", Verdict::Deny, Verdict::Deny},
      {"the file, unattended", "", "unsure_unattended: pass\n", "deny: no", Verdict::Ask, Verdict::Pass},
      {"the rule before the file", "", "unsure: pass\n", "deny: no, unsure: ask", Verdict::Ask, Verdict::Deny},
      {"the user", "unsure: pass\n", "", "deny: no", Verdict::Pass, Verdict::Pass},
      {"the file before the user", "unsure: pass\n", "unsure: deny\n", "deny: no", Verdict::Deny, Verdict::Deny},
      {"a word that is not known", "unsure: maybe\n", "", "deny: no", Verdict::Ask, Verdict::Deny},
      {"a rule that asks", "", "", "ask: sure, unsure: deny", Verdict::Ask, Verdict::Ask},
      {"a rule that asks and passes", "", "", "ask: sure, unsure: pass", Verdict::Pass, Verdict::Pass},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put(kUserSettings, c.settings);
    const auto engine = engine_for(c.file, c.rule);
    EXPECT_EQ(engine->fire(shell(kDoubtful)).verdict(), c.attended);
    EXPECT_EQ(engine->fire(shell(kDoubtful, "dontAsk")).verdict(), c.unattended);
    EXPECT_NE(engine->fire(shell("rm x")).verdict(), Verdict::Pass) << "what is certain is not touched by it";
  }
}

TEST_F(UnsureTest, TheRecordNamesTheDoubt) {
  const auto engine = engine_for("", "deny: no, unsure: pass");
  const Decision decision = engine->fire(shell(kDoubtful));
  ASSERT_EQ(decision.hooks.size(), 1U);
  EXPECT_EQ(decision.hooks[0].doubt, "`python3 -c …` mentions `os.remove`, and what it does with it is not known");
  EXPECT_EQ(engine->fire(shell("rm x")).hooks[0].doubt, "");
}

TEST_F(UnsureTest, OnlyRulesThatObjectHaveIt) {
  for (const char* rule : {"allow: true, unsure: pass", "notify: hello, unsure: ask", "deny: no, unsure: perhaps",
                           "deny: no, unsure_unattended: ask"}) {
    EXPECT_EQ(engine_for("", rule)->problems().size(), 1U) << rule;
  }
}

TEST_F(UnsureTest, AnAllowIsNeverGivenInDoubt) {
  dir_.put(kUserSettings, "unsure: pass\n");
  EXPECT_EQ(engine_for("", "allow: true")->fire(shell(kDoubtful)).verdict(), Verdict::Pass);
}

TEST_F(UnsureTest, AUserCannotMakeManagedRulesMilder) {
  dir_.put("root/etc/grapnel/grapnel.yaml",
           "version: 1\nhooks:\n  - {name: managed, on: PreToolUse, when: {command: rm}, deny: no}\n");
  dir_.put(kUserSettings, "unsure: pass\n");
  EXPECT_EQ(Engine::create(options())->fire(shell(kDoubtful)).verdict(), Verdict::Ask);
  dir_.put(kManagedSettings, "unsure: deny\n");
  EXPECT_EQ(Engine::create(options())->fire(shell(kDoubtful)).verdict(), Verdict::Deny);
}

}  // namespace
}  // namespace grapnel::testing
