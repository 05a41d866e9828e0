#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Session = EngineTest;

constexpr const char* kCounting = R"({"hooks":{"PreToolUse":[{"name":"counter","hooks":[
    {"type":"command","command":"echo ran >> count; echo '{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"no\",\"updatedInput\":{\"a\":1}}'"}]}]}})";

TEST_F(Session, AToolCallIsDecidedOnce) {
  auto engine = engine_with("clawd", kCounting);
  const Decision first = engine->fire(pre_tool("Bash", R"({"command":"x"})", "id1"));
  const Decision again = engine->fire(pre_tool("Bash", R"({"command":"x"})", "id1"));
  EXPECT_EQ(lines_in(dir_ / "project/count"), 1u);
  EXPECT_EQ(again.effects, first.effects);
  EXPECT_EQ(again.origin, Origin::Remembered);

  engine->fire(pre_tool("Bash", R"({"command":"x"})", "id2"));
  EXPECT_EQ(lines_in(dir_ / "project/count"), 2u) << "another call";
  engine->fire(pre_tool("Bash", R"({"command":"y"})", "id1"));
  EXPECT_EQ(lines_in(dir_ / "project/count"), 3u) << "the same id with another input is another call";
  engine->fire(pre_tool("Write", R"({"command":"x"})", "id1"));
  EXPECT_EQ(lines_in(dir_ / "project/count"), 4u) << "the same id with another tool is another call";
  engine->fire(pre_tool("Bash", R"({"command":"x"})"));
  engine->fire(pre_tool("Bash", R"({"command":"x"})"));
  EXPECT_EQ(lines_in(dir_ / "project/count"), 6u) << "calls without an id are not guarded";
}

TEST_F(Session, ARememberedDecisionIsTheSameFromAnotherProcess) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kCounting)});
  const auto fire_in_new_engine = [&] {
    with.sessions = make_file_session_store(dir_ / "sessions");
    return Engine::create(with)->fire(pre_tool("Bash", R"({"command":"x"})", "id1"));
  };
  const Decision first = fire_in_new_engine();
  const Decision again = fire_in_new_engine();
  EXPECT_EQ(lines_in(dir_ / "project/count"), 1u);
  EXPECT_EQ(again.effects, first.effects);
  EXPECT_EQ(again.origin, Origin::Remembered);
}

TEST_F(Session, TheGuardIsForItsOwnHooksAlone) {
  auto engine = engine_with("clawd", kCounting);
  int calls = 0;
  ASSERT_TRUE(engine->register_callback(
      {.name = "other", .events = {EventKind::PreToolUse}, .call = [&](const Event&, std::stop_token) -> Effects {
         return {.verdict = ++calls == 1 ? Verdict::Pass : Verdict::Ask};
       }}));
  engine->fire(pre_tool("Bash", R"({"command":"x"})", "id1"));
  const Decision again = engine->fire(pre_tool("Bash", R"({"command":"x"})", "id1"));
  EXPECT_EQ(calls, 2) << "a hook of another dialect runs for each report";
  EXPECT_EQ(lines_in(dir_ / "project/count"), 1u);
  EXPECT_EQ(again.verdict(), Verdict::Deny) << "what the guarded hook said still counts";
  EXPECT_EQ(again.decided_by, "counter");
  EXPECT_EQ(again.origin, Origin::Remembered);
}

TEST_F(Session, TheGuardsMemoryLastsForOneCall) {
  auto engine = engine_with("clawd", kCounting);
  const auto call = [&] { return engine->fire(pre_tool("Bash", R"({"command":"x"})", "call_0")).origin; };
  const auto end = [&](EventKind kind) {
    engine->fire(Event(kind, json(R"({"session_id":"s1","tool_name":"Bash","tool_use_id":"call_0"})")));
  };
  EXPECT_EQ(call(), Origin::Hook);
  EXPECT_EQ(call(), Origin::Remembered);
  end(EventKind::PostToolUse);
  EXPECT_EQ(call(), Origin::Hook) << "another call with the same id";
  end(EventKind::PostToolUseFailure);
  EXPECT_EQ(call(), Origin::Hook);
  EXPECT_EQ(call(), Origin::Remembered);
}

/// Hooks that say nothing, before every tool.
constexpr const char* kSilent = R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}})";

TEST_F(Session, TheGuardsMemoryIsBounded) {
  EngineOptions with = options();
  with.sessions = make_memory_session_store();
  with.configs.push_back({"clawd", "", json(kSilent)});
  auto engine = Engine::create(with);
  constexpr size_t kCalls = SessionState::kMaxRemembered + 4;
  for (size_t i = 0; i < kCalls; ++i) engine->fire(pre_tool("Bash", "{}", "id" + std::to_string(i)));
  EXPECT_EQ(with.sessions->load("s1")->remembered.size(), SessionState::kMaxRemembered);
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}", "id" + std::to_string(kCalls - 1))).origin, Origin::Remembered);
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}", "id0")).origin, Origin::Hook);
}

TEST_F(Session, TheGuardForgetsWithTheSession) {
  EngineOptions with = options();
  with.sessions = make_memory_session_store();
  with.configs.push_back({"clawd", "", json(kSilent)});
  auto engine = Engine::create(with);
  engine->fire(pre_tool("Bash", "{}", "id1"));
  engine->fire(Event(EventKind::SessionEnd, json(R"({"session_id":"other"})")));
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}", "id1")).origin, Origin::Remembered);
  engine->fire(Event(EventKind::SessionEnd, json(R"({"session_id":"s1"})")));
  EXPECT_TRUE(with.sessions->load("s1")->remembered.empty());
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}", "id1")).origin, Origin::Hook);
}

TEST_F(Session, EnvironmentOfSessionStartReachesLaterHooks) {
  auto engine = engine_with("clawd", R"({"hooks":{"PreToolUse":[{"hooks":[
      {"type":"command","command":"printf '%s|%s' \"$TOKEN_FILE\" \"$LD_PRELOAD\" > seen"}]}]}})");
  ASSERT_TRUE(engine->register_callback(
      {.name = "env", .events = {EventKind::SessionStart}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.env = {{"LD_PRELOAD", "/evil.so"}, {"TOKEN_FILE", "/t"}, {"bad name", "x"}};
         return effects;
       }}));
  const Decision start =
      engine->fire(Event(EventKind::SessionStart, json(R"({"session_id":"s1","source":"startup"})")));
  EXPECT_EQ(start.effects.env, (std::vector<std::pair<std::string, std::string>>{{"TOKEN_FILE", "/t"}}));
  engine->fire(pre_tool("Bash", "{}"));
  std::string seen;
  std::getline(std::ifstream(dir_ / "project/seen"), seen);
  EXPECT_EQ(seen, "/t|");
}

TEST_F(Session, HooksCanBeOffForOneSession) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kCounting)});
  with.sessions = make_memory_session_store();
  auto engine = Engine::create(with);
  ASSERT_TRUE(with.sessions->update("s1", [](SessionState& state) { state.disabled.insert("counter"); }));
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_FALSE(decision.denied());
  EXPECT_EQ(decision.hooks.at(0).detail, "disabled for this session");
}

TEST_F(Session, EveryEventThatRanSomethingIsRecorded) {
  auto engine = engine_with("clawd", kCounting);
  engine->fire(pre_tool("Bash", "{}"));
  engine->fire(Event(EventKind::Stop, json(R"({"session_id":"s1"})")));
  ASSERT_EQ(sink_->records.size(), 1u) << "nothing ran at Stop";
  const Record& record = sink_->records[0];
  EXPECT_EQ(record.event, EventKind::PreToolUse);
  EXPECT_EQ(record.session_id, "s1");
  EXPECT_EQ(record.tool, "Bash");
  EXPECT_EQ(record.verdict, Verdict::Deny);
  EXPECT_EQ(record.decided_by, "counter");
  EXPECT_EQ(record.registry_digest, engine->registry_digest());
  EXPECT_EQ(sink_->digests, (std::vector<std::string>{engine->registry_digest()}));
}

TEST_F(Session, RecordsAreLinesOfJsonAndASnapshotPerDigest) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kCounting)});
  with.recording.sink = make_file_record_sink(dir_ / "state/grapnel");
  with.recording.unmatched = true;
  auto engine = Engine::create(with);
  engine->fire(pre_tool("Bash", "{}"));
  engine->fire(Event(EventKind::Stop, Json::object()));
  std::ifstream lines(dir_ / "state/grapnel/records.jsonl");
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(json(line)["v"], Json::number(int64_t{2}));
  EXPECT_EQ(json(line)["verdict"], Json::string("deny"));
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(json(line)["origin"], Json::string("no-hook"));
  EXPECT_TRUE(std::filesystem::exists(dir_ / ("state/grapnel/registries/" + engine->registry_digest() + ".json")));
}

TEST_F(Session, ARecordThatCannotBeWrittenChangesNothing) {
  dir_.put("state/grapnel", "a file where the directory should be");
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kCounting)});
  with.recording.sink = make_file_record_sink(dir_ / "state/grapnel");
  auto engine = Engine::create(with);
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  std::filesystem::remove(dir_ / "state/grapnel");
  engine->fire(pre_tool("Bash", "{}"));
  std::string line;
  std::getline(std::ifstream(dir_ / "state/grapnel/records.jsonl"), line);
  EXPECT_EQ(json(line)["lost_before"], Json::number(int64_t{2})) << "what is lost is counted";
}

}  // namespace
}  // namespace grapnel::testing
