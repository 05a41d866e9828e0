#include "engine/fixture.h"
#include "trust/trust_store.h"

/// `mode: observe`: everything is decided and recorded, and nothing happens.
namespace grapnel::testing {
namespace {

class ObserveTest : public EngineTest {
 protected:
  /// An engine with rules of the user.
  std::unique_ptr<Engine> engine_for(const std::string& file) {
    dir_.put("home/.config/agents/grapnel.yaml", "version: 1\n" + file);
    auto engine = Engine::create(options());
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    return engine;
  }

  static Event shell(const char* command) {
    return pre_tool("Bash", Json::object({{"command", Json::string(command)}}).dump());
  }
  static Event stop() { return Event(EventKind::Stop, json(R"({"session_id":"s1"})")); }
  static Event after() {
    return Event(EventKind::PostToolUse,
                 json(R"({"session_id":"s1","tool_name":"Bash","tool_input":{"command":"x"},"tool_output":"secret"})"));
  }
  static Event prompt() { return Event(EventKind::UserPromptSubmit, json(R"({"session_id":"s1","prompt":"go"})")); }
};

struct ObserveCase {
  const char* note;
  const char* rule;  ///< without name and mode
  Event event;
  Verdict would;
  const char* reason;
  const char* effects;  ///< "" for none
};

TEST_F(ObserveTest, NothingHappensButAllIsNoted) {
  const ObserveCase cases[] = {
      {"deny", "on: PreToolUse, when: {command: rm}, deny: no rm", shell("rm x"), Verdict::Deny, "no rm", ""},
      {"ask", "on: PreToolUse, ask: 'sure?'", shell("rm x"), Verdict::Ask, "sure?", ""},
      {"rewrite", "on: PreToolUse, when: {command: rm *}, rewrite: {command: trash *}", shell("rm x"), Verdict::Pass,
       "", R"({"rewrite":{"input_patch":{"command":"trash x"}}})"},
      {"context", "on: UserPromptSubmit, inject: be careful", prompt(), Verdict::Pass, "",
       R"({"context":"be careful"})"},
      {"output", "on: PostToolUse, rewrite: {output: {mask: '/secret/'}}", after(), Verdict::Pass, "",
       R"({"rewrite":{"output":"***"}})"},
      {"message", "on: PreToolUse, notify: look", shell("ls"), Verdict::Pass, "", R"({"messages":"look"})"},
      {"a command that denies", "on: PreToolUse, run: 'echo no >&2; exit 2'", shell("ls"), Verdict::Deny, "no", ""},
      {"a command that fails closed", "on: PreToolUse, run: exit 7, on_failure: closed", shell("ls"), Verdict::Deny,
       "hook 'h' failed: exit 7", R"({"messages":"hook 'h' failed: exit 7"})"},
      {"a gate", "on: Stop, run: 'echo red; exit 1'", stop(), Verdict::Deny, "red", ""},
      {"a gate with a rule", "on: Stop, deny: not yet", stop(), Verdict::Deny, "not yet", ""},
  };
  for (const ObserveCase& c : cases) {
    SCOPED_TRACE(c.note);
    sink_->records.clear();
    const auto engine = engine_for("hooks:\n  - {name: h, " + std::string(c.rule) + ", mode: observe}\n");
    const Decision decision = engine->fire(c.event);
    EXPECT_TRUE(decision.effects.is_neutral());
    EXPECT_EQ(decision.continuation, "");
    ASSERT_TRUE(decision.would);
    EXPECT_EQ(decision.would->verdict, c.would);
    EXPECT_EQ(decision.would->reason, c.reason);
    EXPECT_EQ(decision.would->decided_by, c.would == Verdict::Pass ? "" : "h");
    EXPECT_EQ(decision.would->effects ? decision.would->effects.dump() : "", c.effects);
    ASSERT_EQ(decision.hooks.size(), 1U);
    EXPECT_EQ(decision.hooks[0].would, c.would);
    EXPECT_EQ(decision.hooks[0].verdict, Verdict::Pass);
    ASSERT_EQ(sink_->records.size(), 1U);
    EXPECT_EQ(sink_->records[0].would, decision.would);
    EXPECT_EQ(sink_->records[0].rewritten_subject, "");
  }
}

TEST_F(ObserveTest, OneThatHasNothingToSayIsNotTold) {
  const auto engine =
      engine_for("hooks:\n  - {name: h, on: PreToolUse, when: {command: rm}, deny: no, mode: observe}\n");
  EXPECT_FALSE(engine->fire(shell("ls")).would);
}

TEST_F(ObserveTest, OthersDecideAsIfItWereNotThere) {
  const auto engine = engine_for(
      "hooks:\n"
      "  - {name: look, priority: 500, on: PreToolUse, when: {command: rm *}, rewrite: {command: trash *}, mode: "
      "observe}\n"
      "  - {name: stern, priority: 400, on: PreToolUse, when: {command: rm}, deny: would be no, mode: observe}\n"
      "  - {name: trash, on: PreToolUse, when: {command: trash}, deny: no trash}\n"
      "  - {name: real, on: PreToolUse, when: {command: rm}, ask: 'really?'}\n");
  const Decision decision = engine->fire(shell("rm x"));
  EXPECT_EQ(decision.verdict(), Verdict::Ask) << "the rewrite did not happen";
  EXPECT_EQ(decision.reason(), "really?");
  EXPECT_EQ(decision.decided_by, "real");
  EXPECT_EQ(decision.origin, Origin::Hook);
  ASSERT_TRUE(decision.would);
  EXPECT_EQ(decision.would->decided_by, "stern");
}

TEST_F(ObserveTest, AGateThatIsWatchedNeverWearsOut) {
  for (const char* limit : {"", ", max_blocks: 2"}) {
    SCOPED_TRACE(limit);
    const auto engine =
        engine_for("hooks:\n  - {name: h, on: Stop, deny: red, mode: observe" + std::string(limit) + "}\n");
    for (int i = 0; i < 8; ++i) {
      const Decision decision = engine->fire(stop());
      EXPECT_EQ(decision.origin, Origin::Hook);
      EXPECT_EQ(decision.would ? decision.would->verdict : Verdict::Pass, Verdict::Deny);
      EXPECT_TRUE(decision.effects.messages.empty()) << "it never closed the gate, so it does not open either";
    }
  }
}

TEST_F(ObserveTest, AFailureThatIsWatchedIsNoFailureOfTheEvent) {
  const auto engine = engine_for("hooks:\n  - {name: h, on: PreToolUse, run: exit 7, mode: observe}\n");
  const Decision decision = engine->fire(shell("ls"));
  EXPECT_EQ(decision.origin, Origin::Hook);
  EXPECT_EQ(decision.hooks.at(0).kind, HookFate::Kind::Failed);
}

/// Who may say it, and for whom.
struct LevelCase {
  const char* note;
  const char* managed_settings;
  const char* user_settings;
  const char* file;  ///< the first lines of all rule files
  const char* want;  ///< the hooks that observe
};

TEST_F(ObserveTest, EachLevelCoversWhatIsBelowIt) {
  const LevelCase cases[] = {
      {"nobody", "", "", "", ""},
      {"the machine", "mode: observe", "", "", "managed project user"},
      {"the user", "", "mode: observe", "", "project user"},
      {"the user, but the machine forbids it", "mode: enforce", "mode: observe", "", ""},
      {"the machine, whatever the user says", "mode: observe", "mode: enforce", "", "managed project user"},
      {"each file", "", "", "mode: observe", "managed project user"},
      {"a word that is none", "mode: off", "mode: observer", "", ""},
  };
  for (const LevelCase& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("root/etc/grapnel/settings.yaml", c.managed_settings);
    dir_.put("home/.config/grapnel/settings.yaml", c.user_settings);
    const auto rules = [&](const std::string& name) {
      return "version: 1\n" + std::string(c.file) + "\nhooks:\n  - {name: " + name + ", on: PreToolUse, deny: no}\n";
    };
    dir_.put("root/etc/grapnel/grapnel.yaml", rules("managed"));
    dir_.put("home/.config/agents/grapnel.yaml", rules("user"));
    dir_.put("project/.agents/grapnel.yaml", rules("project"));
    EngineOptions with = options();
    with.places.trust_store = dir_ / "state/trust.json";
    auto engine = Engine::create(with);
    std::set<std::string> digests;
    for (const HookInfo& hook : engine->hooks()) digests.insert(hook.digest);
    ASSERT_TRUE(TrustStore(with.places.trust_store).set_trusted(dir_ / "project", digests));
    engine->reload();
    std::string observers;
    std::vector<std::string> names;
    for (const HookInfo& hook : engine->hooks()) {
      if (hook.observes) names.push_back(hook.name);
    }
    std::ranges::sort(names);
    for (const std::string& name : names) observers += (observers.empty() ? "" : " ") + name;
    EXPECT_EQ(observers, c.want);
    EXPECT_EQ(engine->fire(shell("ls")).verdict(), names.size() == 3 ? Verdict::Pass : Verdict::Deny);
    const bool is_wrong = std::string_view(c.note) == "a word that is none";
    EXPECT_EQ(engine->problems().size(), is_wrong ? 2U : 0U);
  }
}

TEST_F(ObserveTest, ARuleMayBeEnforcedInAFileThatObserves) {
  const auto engine = engine_for(
      "mode: observe\nhooks:\n"
      "  - {name: a, on: PreToolUse, deny: watched}\n"
      "  - {name: b, on: PreToolUse, deny: enforced, mode: enforce}\n");
  EXPECT_EQ(engine->fire(shell("ls")).reason(), "enforced");
}

TEST_F(ObserveTest, AProjectCannotHideThatItsGuardChanged) {
  const auto rules = [&](const char* top, const char* more) {
    dir_.put("project/.agents/grapnel.yaml", "version: 1\n" + std::string(top) +
                                                 "hooks:\n  - {name: h, on: PreToolUse, deny: no, on_failure: closed" +
                                                 more + "}\n");
  };
  EngineOptions with = options();
  with.places.trust_store = dir_ / "state/trust.json";
  rules("", "");
  auto engine = Engine::create(with);
  ASSERT_TRUE(TrustStore(with.places.trust_store).set_trusted(dir_ / "project", {engine->hooks().at(0).digest}));
  engine->reload();
  ASSERT_EQ(engine->fire(shell("ls")).verdict(), Verdict::Deny);
  for (const auto& [top, more] : {std::pair("", ", mode: observe"), std::pair("mode: observe\n", "")}) {
    rules(top, more);
    engine->reload();
    EXPECT_FALSE(engine->hooks().at(0).trusted);
    EXPECT_FALSE(engine->hooks().at(0).observes) << "its own word does not count before it is trusted";
    EXPECT_EQ(engine->fire(shell("ls")).verdict(), Verdict::Ask);
  }
  dir_.put("home/.config/grapnel/settings.yaml", "mode: observe\n");
  engine->reload();
  const Decision decision = engine->fire(shell("ls"));
  EXPECT_EQ(decision.verdict(), Verdict::Pass) << "the user's word does";
  EXPECT_EQ(decision.would ? decision.would->verdict : Verdict::Pass, Verdict::Ask);
}

TEST_F(ObserveTest, SelfProtectionIsNotWatchedOnly) {
  dir_.put("root/etc/grapnel/settings.yaml", "mode: observe\n");
  const auto engine = engine_for("hooks: []\n");
  const std::string file = dir_ / "home/.config/agents/grapnel.yaml";
  const Decision decision = engine->fire(
      pre_tool("Write", Json::object({{"file_path", Json::string(file)}, {"content", Json::string("")}}).dump()));
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
}

}  // namespace
}  // namespace grapnel::testing
