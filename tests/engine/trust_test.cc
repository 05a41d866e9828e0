#include "engine/fixture.h"
#include "trust/trust_store.h"

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

class TrustTest : public EngineTest {
 protected:
  void SetUp() override {
    dir_.put("project/guard.sh", "#!/bin/sh\necho no >&2\nexit 2\n", 0755);
    dir_.put("project/.gemini/settings.json",
             R"({"hooks":{"BeforeTool":[{"hooks":[{"name":"guard","type":"command","command":"./guard.sh"}]}]}})");
  }

  void trust(const Engine& engine) {
    std::set<std::string> digests;
    for (const HookInfo& hook : engine.hooks()) digests.insert(hook.digest);
    ASSERT_TRUE(TrustStore(store_).set_trusted(dir_ / "project", digests));
  }

  EngineOptions trusting_options() {
    EngineOptions out = options();
    out.places.trust_store = store_;
    return out;
  }

  std::string store_ = dir_ / "state/trust.json";
};

TEST_F(TrustTest, ProjectHooksRunOnlyAsTrusted) {
  auto engine = Engine::create(trusting_options());
  const Decision skipped = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(
      notices_,
      (std::vector<std::string>{"1 hook of this project is not trusted and will not run; `grapnel trust` shows them"}));
  EXPECT_FALSE(skipped.denied());
  ASSERT_EQ(skipped.hooks.size(), 1u);
  EXPECT_EQ(skipped.hooks[0].kind, HookFate::Kind::Skipped);
  EXPECT_EQ(skipped.hooks[0].detail, "untrusted");
  EXPECT_EQ(sink_->records.size(), 1u) << "and that is on record";

  trust(*engine);
  engine->reload();
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
}

TEST_F(TrustTest, AnythingChangedIsUntrustedAgain) {
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  engine->reload();
  ASSERT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());

  dir_.put("project/guard.sh", "#!/bin/sh\ntouch /tmp/evil\n", 0755);
  const Decision changed = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(changed.hooks.at(0).detail, "untrusted: it changed after it was trusted") << "hashed again at the start";

  dir_.put("project/guard.sh", "#!/bin/sh\necho no >&2\nexit 2\n", 0755);
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied()) << "the trusted bytes are back";

  dir_.put(
      "project/.gemini/settings.json",
      R"({"hooks":{"BeforeTool":[{"matcher":"x","hooks":[{"name":"guard","type":"command","command":"./guard.sh"}]}]}})");
  engine->reload();
  EXPECT_FALSE(engine->hooks().at(0).trusted) << "the matcher is part of what was trusted";
}

TEST_F(TrustTest, AnotherScriptOfThatNameElsewhereIsNotTrusted) {
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  engine->reload();
  const auto fire_in = [&](const std::string& directory) {
    return engine->fire(Event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string("Bash")},
                                                                   {"tool_input", Json::object()},
                                                                   {"cwd", Json::string(directory)}})));
  };
  EXPECT_TRUE(fire_in(dir_ / "project").denied());
  dir_.put("project/sub/guard.sh", "#!/bin/sh\ntouch /tmp/evil\n", 0755);
  EXPECT_EQ(fire_in(dir_ / "project/sub").hooks.at(0).detail, "untrusted: it changed after it was trusted");
}

/// What was trusted and what is about to start have to be the same files.
TEST_F(TrustTest, AHookWithADirectoryOfItsOwnRuns) {
  fs::remove_all(dir_ / "project/.gemini");
  dir_.put("project/tools/x.sh", "#!/bin/sh\necho no >&2\nexit 2\n", 0755);
  dir_.put("project/.agents/grapnel.yaml",
           "version: 1\nhooks:\n  - name: guard\n    on: PreToolUse\n    run: ./x.sh\n    cwd: tools\n");
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  engine->reload();
  ASSERT_EQ(engine->hooks().size(), 1u);
  EXPECT_TRUE(engine->hooks().at(0).trusted);
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(decision.denied()) << decision.hooks.at(0).detail;
  dir_.put("project/tools/x.sh", "#!/bin/sh\n", 0755);
  engine->reload();
  EXPECT_FALSE(engine->hooks().at(0).trusted) << "and its script is part of what was trusted";
}

TEST_F(TrustTest, ADirectoryThatRunsDoesNotLoseItsTrustByRunning) {
  fs::remove_all(dir_ / "project/.gemini");
  dir_.put("project/hooks/__main__.py", "import sys, helper\nprint('no', file=sys.stderr)\nsys.exit(2)\n");
  dir_.put("project/hooks/helper.py", "x = 1\n");
  dir_.put("project/.agents/grapnel.yaml",
           "version: 1\nhooks:\n  - name: guard\n    on: PreToolUse\n    run: python3 hooks\n");
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  engine->reload();
  for (int i = 0; i < 2; ++i) {
    const Decision decision = engine->fire(pre_tool("Bash", "{}"));
    EXPECT_TRUE(decision.denied()) << decision.hooks.at(0).detail;
  }
  dir_.put("project/hooks/sys.py", "x = 1\n");
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}")).hooks.at(0).detail, "untrusted: it changed after it was trusted");
}

TEST_F(TrustTest, RevokedTrustIsNoticed) {
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied()) << "trusted meanwhile";
  ASSERT_TRUE(TrustStore(store_).set_trusted(dir_ / "project", {}));
  EXPECT_FALSE(engine->fire(pre_tool("Bash", "{}")).denied());
}

TEST_F(TrustTest, AStoreThatMayBeForgedTrustsNothing) {
  auto engine = Engine::create(trusting_options());
  trust(*engine);
  struct Case {
    const char* note;
    std::function<void()> spoil;
  };
  const Case cases[] = {
      {"open to others", [&] { ::chmod(store_.c_str(), 0644); }},
      {"not JSON",
       [&] {
         ::chmod(store_.c_str(), 0600);
         std::ofstream(store_) << "{";
       }},
      {"a link",
       [&] {
         std::filesystem::rename(store_, store_ + ".real");
         std::filesystem::create_symlink(store_ + ".real", store_);
       }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    c.spoil();
    engine->reload();
    EXPECT_FALSE(engine->hooks().at(0).trusted);
    EXPECT_FALSE(engine->problems().empty());
    EXPECT_FALSE(TrustStore(store_).set_trusted(dir_ / "project", {"x"})) << "and is not written either";
  }
}

TEST_F(TrustTest, AGuardThatMustNotFailSilentlyDoesNotVanish) {
  struct Case {
    const char* note;
    const char* policy;
    Verdict want;
  };
  const Case cases[] = {
      {"closed", "deny", Verdict::Ask},
      {"asking", "ask", Verdict::Ask},
      {"open", "ignore", Verdict::Pass},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("project/.gemini/settings.json", "{}");
    dir_.put(
        "project/.blade/settings.json",
        R"({"hooks":{"failureBehavior":")" + std::string(c.policy) +
            R"(","PreToolUse":[{"matcher":{"tools":"Bash"},"hooks":[{"name":"guard","type":"command","command":"./guard.sh"}]}]}})");
    auto engine = Engine::create(trusting_options());
    const Decision decision = engine->fire(pre_tool("Bash", "{}"));
    EXPECT_EQ(decision.verdict(), c.want);
    EXPECT_EQ(engine->fire(pre_tool("Read", "{}")).verdict(), Verdict::Pass) << "what it is not for stays free";
    if (c.want == Verdict::Pass) continue;
    EXPECT_EQ(decision.reason(), "hook './guard.sh' is untrusted; `grapnel trust` shows it");
    EXPECT_EQ(decision.origin, Origin::FailAsk);
    EXPECT_EQ(decision.decided_by, "./guard.sh");
    EXPECT_EQ(decision.hooks.at(0).kind, HookFate::Kind::Skipped);

    trust(*engine);
    engine->reload();
    EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
    dir_.put("project/guard.sh", "#!/bin/sh\nexit 0\n", 0755);
    EXPECT_EQ(engine->fire(pre_tool("Bash", "{}")).verdict(), Verdict::Ask) << "changed after it was trusted";
    dir_.put("project/guard.sh", "#!/bin/sh\necho no >&2\nexit 2\n", 0755);
  }
}

TEST_F(TrustTest, ASessionHearsOfUntrustedHooksOnce) {
  const auto fire_in = [&](const std::string& session) {
    notices_.clear();
    EngineOptions with = trusting_options();  // as with a process per event
    with.sessions = make_file_session_store(dir_ / "sessions");
    Engine::create(with)->fire(Event(EventKind::PreToolUse, Json::object({{"session_id", Json::string(session)},
                                                                          {"tool_name", Json::string("Bash")},
                                                                          {"tool_input", Json::object()}})));
    return notices_.size();
  };
  EXPECT_EQ(fire_in("a"), 1u);
  EXPECT_EQ(fire_in("a"), 0u);
  EXPECT_EQ(fire_in("b"), 1u) << "another session";
  EXPECT_EQ(fire_in(""), 1u) << "events without a session share one";
  EXPECT_EQ(fire_in(""), 0u);
  dir_.put("project/guard.sh", "#!/bin/sh\nexit 0\n", 0755);
  EXPECT_EQ(fire_in("a"), 1u) << "something else is untrusted now";
}

TEST_F(TrustTest, NamedFilesAndUserFilesNeedNoTrust) {
  EngineOptions with = trusting_options();
  with.configs.push_back({"", dir_ / "project/.gemini/settings.json", {}});
  EXPECT_TRUE(Engine::create(with)->fire(pre_tool("Bash", "{}")).denied());
}

}  // namespace
}  // namespace grapnel::testing
