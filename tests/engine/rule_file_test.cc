#include <fstream>

#include "engine/fixture.h"

// Rules from a file through the engine, as an agent's events come in.

namespace grapnel::testing {
namespace {

class RuleFileTest : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine_for(const std::string& hooks) {
    EngineOptions out = options();
    out.configs.push_back({"", dir_.put("rules/grapnel.yaml", "version: 1\nhooks:\n" + hooks), {}});
    auto engine = Engine::create(std::move(out));
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    return engine;
  }

  Event event(EventKind kind, std::string payload) const {
    return Event(
        kind,
        json(std::move(payload)).with("session_id", Json::string("s1")).with("cwd", Json::string(dir_ / "project")));
  }
  Event shell(std::string_view text) const {
    return event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string("Bash")},
                                                      {"tool_input", Json::object({{"command", Json::string(text)}})}})
                                            .dump());
  }
};

TEST_F(RuleFileTest, OnlyRulesAnswerIfTheHostWantsNothingElse) {
  EngineOptions out = options();
  out.safety.rules_only = true;
  const std::string mark = dir_ / "started";
  // Those of the administrator cannot be switched off, but here they do not start either.
  dir_.put("root/etc/grapnel/grapnel.yaml",
           "version: 1\nhooks:\n  - {name: managed, on: PreToolUse, run: touch " + mark + "}\n");
  const std::string own =
      "version: 1\nhooks:\n"
      "  - {name: starts, on: PreToolUse, run: touch " +
      mark +
      ", on_failure: closed}\n"
      "  - {name: apart, on: PreToolUse, run: touch " +
      mark +
      ", async: true}\n"
      "  - {name: asks, on: PreToolUse, when: {command: git}, ask: 'Really?'}\n";
  out.configs.push_back({"", dir_.put("rules/grapnel.yaml", own), {}});
  const auto engine = Engine::create(std::move(out));
  bool is_called = false;
  ASSERT_TRUE(engine->register_callback(
      {.name = "called", .events = {EventKind::PreToolUse}, .call = [&](const Event&, std::stop_token) {
         is_called = true;
         return Effects{.verdict = Verdict::Deny};
       }}));
  const Decision decision = engine->fire(shell("git push"));
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
  size_t skipped = 0;
  for (const HookFate& fate : decision.hooks) skipped += fate.kind == HookFate::Kind::Skipped ? 1 : 0;
  EXPECT_EQ(skipped, 4u);
  EXPECT_FALSE(is_called);
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(RuleFileTest, DecidesInProcess) {
  const auto engine = engine_for(
      "  - {name: no-force, on: PreToolUse, when: {command: git push, flag: --force}, deny: 'Ask first: {command}'}\n"
      "  - {name: secrets, on: PreToolUse, when: {path: '**/.env*'}, deny: '{path} stays closed'}\n"
      "  - {name: look, on: PreToolUse, when: {tool: shell, effect: readonly}, allow: true}\n"
      "  - {name: uv, on: PreToolUse, when: {command: pip install *}, rewrite: {command: uv pip install *}}\n");
  struct Case {
    const char* note;
    const char* text;
    Verdict want;
    const char* reason;
  };
  const Case cases[] = {
      {"denied", "git push -f", Verdict::Deny, "Ask first: git push -f"},
      {"may be denied", "git $X # push -f", Verdict::Ask,
       "Ask first: git $X # push -f (`git $X` has words that are known only when it runs, and the text mentions "
       "`push`)"},
      {"nothing points to it", "git $X", Verdict::Pass, ""},
      {"allowed", "ls src && cat README", Verdict::Allow, "rule 'look': command \"ls src && cat README\""},
      {"neither", "make", Verdict::Pass, ""},
      {"a path", "cat .env", Verdict::Deny, ".env stays closed"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Decision decision = engine->fire(shell(c.text));
    EXPECT_EQ(decision.verdict(), c.want);
    EXPECT_EQ(decision.reason(), c.reason);
  }
  const Decision rewritten = engine->fire(shell("pip install x"));
  ASSERT_TRUE(rewritten.effects.input.has_value());
  EXPECT_EQ(rewritten.effects.input->apply(json("{}")).dump(), R"({"command":"uv pip install x"})");
}

TEST_F(RuleFileTest, ExplainNamesTheQuestion) {
  const auto engine = engine_for("  - {name: secrets, on: PreToolUse, when: {path: '**/.env*'}, deny: no secrets}\n");
  const auto shares = engine->explain(shell("cat src/a.py"));
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_FALSE(shares[0].runs);
  EXPECT_EQ(shares[0].detail, R"(path "src/a.py" matches none of **/.env*)");
}

TEST_F(RuleFileTest, RemembersWhatATurnTouched) {
  const auto engine = engine_for("  - {name: test-first, on: Stop, when: {changed: 'src/**'}, deny: run the tests}\n");
  const Event stop = event(EventKind::Stop, R"({"stop_hook_active":false})");
  const auto wrote = [&](const char* file) {
    engine->fire(
        event(EventKind::PostToolUse, Json::object({{"tool_name", Json::string("Write")},
                                                    {"tool_input", Json::object({{"file_path", Json::string(file)}})}})
                                          .dump()));
  };
  EXPECT_EQ(engine->fire(stop).verdict(), Verdict::Pass);
  wrote("docs/a.md");
  EXPECT_EQ(engine->fire(stop).verdict(), Verdict::Pass);
  wrote("src/a.cc");
  EXPECT_EQ(engine->fire(stop).verdict(), Verdict::Deny);
  engine->fire(event(EventKind::UserPromptSubmit, R"({"prompt":"go on"})"));
  EXPECT_EQ(engine->fire(stop).verdict(), Verdict::Pass) << "a new turn";
}

TEST_F(RuleFileTest, InjectsAnewAfterACompaction) {
  const auto engine = engine_for(
      "  - {name: style, on: UserPromptSubmit, inject: {text: Use tabs., once: compaction}}\n"
      "  - {name: tree, on: UserPromptSubmit, inject: {command: echo files, once: session}}\n");
  const Event prompt = event(EventKind::UserPromptSubmit, R"({"prompt":"hi"})");
  EXPECT_EQ(engine->fire(prompt).effects.context.size(), 2U);
  EXPECT_EQ(engine->fire(prompt).effects.context.size(), 0U);
  engine->fire(event(EventKind::PreCompact, R"({"trigger":"auto"})"));
  const Decision again = engine->fire(prompt);
  ASSERT_EQ(again.effects.context.size(), 1U);
  EXPECT_EQ(again.effects.context[0].text, "Use tabs.");
}

TEST_F(RuleFileTest, CommonFieldsHoldForCommands) {
  std::filesystem::create_directories(dir_ / "project/sub");
  const auto engine =
      engine_for("  - {name: here, on: UserPromptSubmit, run: pwd >> " + (dir_ / "log") + ", cwd: sub, once: true}\n");
  const Event prompt = event(EventKind::UserPromptSubmit, R"({"prompt":"hi"})");
  engine->fire(prompt);
  engine->fire(prompt);
  EXPECT_EQ(dir_.read("log"), dir_ / "project/sub\n");
}

TEST_F(RuleFileTest, ACommandIsToldTheFileThatMatched) {
  const auto engine =
      engine_for("  - {name: format, on: PostToolUse, when: {path: '**/*.py'}, run: [sh, -c, 'echo \"$1\" >> " +
                 (dir_ / "log") + "', sh, '{path}']}\n");
  struct Case {
    const char* note;
    const char* tool;
    const char* input;
    std::string want;
  };
  const Case cases[] = {
      {"as the argument spells it", "Write", R"({"file_path":"a.py"})", "a.py"},
      {"of a patch, not its first", "apply_patch",
       R"({"command":"*** Begin Patch\n*** Add File: README.md\n+x\n*** Add File: b.py\n+y\n*** End Patch\n"})",
       dir_ / "project/b.py"},
      {"of a shell command", "Bash", R"({"command":"touch c.py"})", dir_ / "project/c.py"},
  };
  std::string log;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    engine->fire(event(EventKind::PostToolUse,
                       Json::object({{"tool_name", Json::string(c.tool)}, {"tool_input", json(c.input)}}).dump()));
    log += c.want + "\n";
    EXPECT_EQ(dir_.read("log"), log);
  }
}

TEST_F(RuleFileTest, AManagedRuleHoldsWhateverIsSaidBelow) {
  const std::string rule = "version: 1\nhooks:\n  - {name: guard, on: PreToolUse, when: {command: curl}, ";
  dir_.put("root/etc/grapnel/grapnel.yaml", rule + "deny: policy}\n");
  dir_.put("home/.config/agents/grapnel.yaml", rule + "allow: mine, enabled: false}\n");
  EngineOptions out = options();
  out.configs.push_back({"", dir_.put("rules/grapnel.yaml", rule + "allow: named}\n"), {}});
  const auto engine = Engine::create(std::move(out));
  engine->set_enabled("guard", false);
  const Decision decision = engine->fire(shell("curl https://example.com"));
  EXPECT_EQ(decision.verdict(), Verdict::Deny);
  EXPECT_EQ(decision.reason(), "policy");
}

TEST_F(RuleFileTest, FailuresMeanWhatTheirCauseSays) {
  struct Case {
    const char* note;
    const char* run;
    const char* timeout;
    Verdict want;
  };
  const Case cases[] = {
      {"too slow", "[sleep, '600']", "50ms", Verdict::Pass},
      {"crashed", "'kill -9 $$'", "10m", Verdict::Deny},
      {"rubbish", "'echo \"{\\\"verdict\\\": \"'", "10m", Verdict::Ask},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto engine =
        engine_for("  - {name: guard, on: PreToolUse, on_failure: {timeout: open, crash: closed, output: ask}, run: " +
                   std::string(c.run) + ", timeout: " + c.timeout + "}\n");
    const Decision decision = engine->fire(shell("ls"));
    EXPECT_EQ(decision.verdict(), c.want);
    ASSERT_EQ(decision.hooks.size(), 1U);
    EXPECT_EQ(decision.hooks[0].kind, HookFate::Kind::Failed) << decision.hooks[0].detail;
  }
}

TEST_F(RuleFileTest, WhatIsDetachedLivesOn) {
  auto engine = engine_for("  - {name: later, on: UserPromptSubmit, detach: true, run: [sh, -c, 'sleep 0.05; cat > " +
                           (dir_ / "seen") + "']}\n");
  engine->fire(event(EventKind::UserPromptSubmit, R"({"prompt":"hi"})"));
  engine.reset();
  EXPECT_TRUE(becomes_true([&] { return !dir_.read("seen").empty(); }));
  EXPECT_NE(dir_.read("seen").find("\"hi\""), std::string::npos);
}

}  // namespace
}  // namespace grapnel::testing
