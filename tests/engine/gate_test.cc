#include <algorithm>

#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Gate = EngineTest;

constexpr const char* kNeverDone = R"({"hooks":{"Stop":[{"name":"never","hooks":[
    {"type":"command","command":"echo '{\"continue\":true,\"reason\":\"not yet\"}'"}]}]}})";

Event stop_of(const std::string& session) {
  return Event(EventKind::Stop,
               Json::object({{"session_id", Json::string(session)}, {"stop_reason", Json::string("end_turn")}}));
}

TEST_F(Gate, OpensAfterTheLoopCap) {
  auto engine = engine_with("clawd", kNeverDone);
  for (int i = 0; i < 5; ++i) {
    const Decision decision = engine->fire(stop_of("a"));
    EXPECT_TRUE(decision.denied()) << i;
    EXPECT_EQ(decision.reason(), "not yet");
  }
  const Decision opened = engine->fire(stop_of("a"));
  EXPECT_FALSE(opened.denied());
  EXPECT_EQ(opened.origin, Origin::LoopCap);
  EXPECT_TRUE(engine->fire(stop_of("a")).denied()) << "once open, the count starts anew";
  EXPECT_TRUE(engine->fire(stop_of("b")).denied()) << "sessions count apart";
}

TEST_F(Gate, ANewPromptStartsTheCountAnew) {
  auto engine = engine_with("clawd", kNeverDone);
  for (int i = 0; i < 4; ++i) engine->fire(stop_of("a"));
  engine->fire(Event(EventKind::UserPromptSubmit, json(R"({"session_id":"a","prompt":"next"})")));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(engine->fire(stop_of("a")).denied()) << i;
}

/// What comes between two ends, and whether the agent is still in the same turn.
struct Between {
  const char* note;
  const char* prompt;
  const char* stop;
  bool is_same_turn;
};

constexpr Between kBetween[] = {
    {"Qwen Code sends itself an empty prompt", R"({"session_id":"a","prompt":""})", R"({"session_id":"a"})", true},
    {"Gemini CLI sends itself the reason, and its flag is false again after a tool call",
     R"({"session_id":"a","prompt":"not yet"})", R"({"session_id":"a","stop_hook_active":false})", true},
    {"a person writes something", R"({"session_id":"a","prompt":"go on"})", R"({"session_id":"a"})", false},
    {"a person sends a picture", R"({"session_id":"a"})", R"({"session_id":"a"})", false},
};

TEST_F(Gate, APromptOfTheAgentItselfStartsNothingAnew) {
  for (const Between& between : kBetween) {
    SCOPED_TRACE(between.note);
    EngineOptions with = options();
    with.configs.push_back({"clawd", "", json(kNeverDone)});
    const std::string sessions = dir_ / std::to_string(&between - kBetween);
    const auto fire = [&](EventKind kind, const char* payload) {
      with.sessions = make_file_session_store(sessions);
      return Engine::create(with)->fire(Event(kind, json(payload)));
    };
    for (int i = 0; i < 5; ++i) {
      EXPECT_TRUE(fire(EventKind::Stop, between.stop).denied()) << i;
      fire(EventKind::UserPromptSubmit, between.prompt);
    }
    EXPECT_EQ(fire(EventKind::Stop, between.stop).origin == Origin::LoopCap, between.is_same_turn);
  }
}

TEST_F(Gate, APersonMayRepeatTheReasonOfAGateThatHasOpened) {
  auto engine = engine_with(
      "grapnel", R"({"version": 1, "hooks": [{"name": "h", "on": "Stop", "deny": "not yet", "max_blocks": 1}]})");
  const Event stop(EventKind::Stop, json(R"({"session_id":"a"})"));
  EXPECT_TRUE(engine->fire(stop).denied());
  EXPECT_EQ(engine->fire(stop).origin, Origin::LoopCap);
  engine->fire(Event(EventKind::UserPromptSubmit, json(R"({"session_id":"a","prompt":"why 'not yet'?"})")));
  EXPECT_TRUE(engine->fire(stop).denied()) << "a new turn";
}

TEST_F(Gate, CountsOverProcessesThroughTheFileStore) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kNeverDone)});
  const auto fire_in_new_engine = [&] {
    with.sessions = make_file_session_store(dir_ / "sessions");
    return Engine::create(with)->fire(stop_of("a"));
  };
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(fire_in_new_engine().denied()) << i;
  EXPECT_EQ(fire_in_new_engine().origin, Origin::LoopCap);
}

TEST_F(Gate, WithoutReadableStateItOpensAndSaysSo) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(kNeverDone)});
  with.sessions = make_file_session_store(dir_ / "sessions");
  auto engine = Engine::create(with);
  EXPECT_TRUE(engine->fire(stop_of("a")).denied());
  for (const auto& entry : std::filesystem::directory_iterator(dir_ / "sessions")) {
    if (entry.path().extension() == ".json") std::ofstream(entry.path()) << "garbage";
  }
  EXPECT_EQ(engine->fire(stop_of("a")).origin, Origin::LoopCap);
  EXPECT_TRUE(std::ranges::any_of(notices_, [](const std::string& text) {
    return text.find("session state is unavailable") != std::string::npos;
  }));
}

TEST_F(Gate, TellsHooksHowOftenItClosed) {
  auto engine = engine_with("gemini", R"({"hooks":{"AfterAgent":[{"hooks":[
      {"type":"command","command":"cat >> seen; echo >> seen; exit 2"}]}]}})");
  const Event stop(EventKind::Stop, json(R"({"session_id":"a"})"));
  engine->fire(stop);
  engine->fire(stop);
  std::ifstream seen(dir_ / "project/seen");
  std::string first, second;
  std::getline(seen, first);
  std::getline(seen, second);
  EXPECT_NE(first.find(R"("stop_hook_active":false)"), std::string::npos) << first;
  EXPECT_NE(second.find(R"("stop_hook_active":true)"), std::string::npos) << second;
}

}  // namespace
}  // namespace grapnel::testing
