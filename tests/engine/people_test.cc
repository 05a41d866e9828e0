#include <atomic>
#include <thread>

#include "dialect/degrade.h"
#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

constexpr std::string_view kUntrusted =
    "1 hook of this project is not trusted and will not run; `grapnel trust` shows them";

class People : public EngineTest {
 protected:
  void SetUp() override {
    dir_.put("project/.agents/grapnel.yaml", "version: 1\nhooks:\n  - {name: tidy, on: PreCompact, inject: plan}\n");
    with_ = options();
  }

  /// Every event has an engine of its own, as with `grapnel fire`.
  std::vector<std::string> told(const Event& event) {
    with_.sessions = make_file_session_store(dir_ / "sessions");
    notices_.clear();
    const Decision decision = Engine::create(with_)->fire(event);
    std::vector<std::string> texts;
    for (const Attributed& message : decision.effects.messages) texts.push_back(message.text);
    EXPECT_EQ(texts, notices_) << "the host is told the same";
    return texts;
  }

  static Event native(const std::string& agent, const std::string& name, const std::string& session) {
    return Event::from_native(agent, json(R"({"hook_event_name":")" + name + R"(","session_id":")" + session +
                                          R"(","tool_name":"x","tool_input":{},"prompt":"p"})"))
        .value();
  }

  EngineOptions with_;
  const std::vector<std::string> once_ = {std::string(kUntrusted)};
};

TEST_F(People, AreToldOncePerSession) {
  EXPECT_EQ(told(pre_tool("a", "{}")), once_);
  EXPECT_TRUE(told(pre_tool("a", "{}")).empty());
  EXPECT_TRUE(told(Event(EventKind::Stop, json(R"({"session_id":"s1"})"))).empty());
  EXPECT_EQ(told(Event(EventKind::Stop, json(R"({"session_id":"s2"})"))), once_);
}

TEST_F(People, WithoutASessionTheProjectAndDayStandInForIt) {
  const Event bare(EventKind::PreToolUse, json(R"({"tool_name":"a"})"));
  EXPECT_EQ(told(bare), once_);
  EXPECT_TRUE(told(bare).empty());
}

struct Shown {
  const char* agent;
  const char* hidden;  ///< an event at which the agent shows no message
  const char* shown;
};

TEST_F(People, AreToldAgainWhereTheAgentShowsIt) {
  for (const Shown& row : {Shown{"qwen", "UserPromptSubmit", "Stop"}, Shown{"qwen", "PreToolUse", "Stop"},
                           Shown{"claude", "SubagentStop", "Stop"}, Shown{"claude", "SessionEnd", "UserPromptSubmit"},
                           Shown{"gemini", "SessionEnd", "BeforeAgent"}, Shown{"codex", "SessionEnd", "Stop"}}) {
    const std::string session = row.agent + std::string(row.hidden);
    SCOPED_TRACE(session);
    EXPECT_EQ(told(native(row.agent, row.hidden, session)), once_) << "at least on standard error";
    EXPECT_TRUE(told(native(row.agent, row.hidden, session)).empty());
    EXPECT_EQ(told(native(row.agent, row.shown, session)), once_);
    EXPECT_TRUE(told(native(row.agent, row.shown, session)).empty());
  }
}

TEST_F(People, OfAnAgentWithoutAChannelAreNotToldAgain) {
  ASSERT_FALSE(reaches_people(kKimiDialect));
  EXPECT_EQ(told(native("kimi", "PreToolUse", "k")), once_);
  EXPECT_TRUE(told(native("kimi", "UserPromptSubmit", "k")).empty());
}

TEST_F(People, AreToldByOneOfManyProcesses) {
  with_.sessions = make_file_session_store(dir_ / "sessions");
  with_.host.notices = {};
  std::atomic<int> count = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EngineOptions own = with_;
      own.sessions = make_file_session_store(dir_ / "sessions");
      count += static_cast<int>(Engine::create(own)->fire(pre_tool("a", "{}")).effects.messages.size());
    });
  }
  threads.clear();
  EXPECT_EQ(count, 1);
}

TEST_F(People, AreToldOnceOfAHookThatFailsOpen) {
  std::filesystem::remove(dir_ / "project/.agents/grapnel.yaml");
  with_.configs.push_back(
      {"claude", "", json(R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 7"}]}]}})")});
  const auto first = told(pre_tool("a", "{}"));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(first[0].contains("failed: ")) << first[0];
  EXPECT_TRUE(told(pre_tool("a", "{}")).empty());

  const Event bare(EventKind::PreToolUse, json(R"({"tool_name":"a"})"));
  EXPECT_EQ(told(bare), first);
  EXPECT_EQ(told(bare), first) << "without a session, each failure is told";
}

TEST_F(People, AreToldOfEveryGateThatGivesUp) {
  std::filesystem::remove(dir_ / "project/.agents/grapnel.yaml");
  with_.limits.gate_blocks = 1;
  with_.configs.push_back(
      {"qwen", "",
       json(R"({"hooks":{"SubagentStop":[{"hooks":[{"type":"command","command":"echo no >&2; exit 2"}]}]}})")});
  const std::string text = "this gate has been closed too often in one turn and now opens";
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_TRUE(told(native("qwen", "SubagentStop", "g")).empty());
    EXPECT_EQ(told(native("qwen", "SubagentStop", "g")), (std::vector<std::string>{text, "no"}));
    EXPECT_EQ(told(native("qwen", "Stop", "g")), std::vector<std::string>{text}) << "where Qwen Code shows it";
    EXPECT_TRUE(told(native("qwen", "Stop", "g")).empty());
  }
}

TEST_F(People, AreToldOfAHookThatReachedItsOwnLimit) {
  dir_.put("project/.agents/grapnel.yaml", "version: 1\n");
  dir_.put("home/.config/agents/grapnel.yaml",
           "version: 1\nhooks:\n  - {name: tests, on: Stop, run: 'exit 2', max_blocks: 1}\n");
  const Event stop(EventKind::Stop, json(R"({"session_id":"m","stop_hook_active":true})"));
  with_.sessions = make_file_session_store(dir_ / "sessions");
  auto engine = Engine::create(with_);
  ASSERT_TRUE(engine->fire(stop).denied());
  const Decision opened = engine->fire(stop);
  EXPECT_EQ(opened.origin, Origin::LoopCap);
  ASSERT_EQ(opened.effects.messages.size(), 1U);
  EXPECT_EQ(opened.effects.messages[0].text,
            "hook 'tests' has closed this gate as often as it may in one turn, and it now opens");
  EXPECT_EQ(sink_->records.back().origin, Origin::LoopCap) << "the record says it, too";
}

TEST_F(People, AreToldOfMistakesWithTheFirst) {
  dir_.put("project/.agents/grapnel.yaml", "version: 1\n");
  dir_.put("home/.config/agents/grapnel.yaml",
           "version: 1\nhooks:\n  - {name: a, on: Stop, denyy: x}\n  - {name: b, on: Nowhere, deny: x}\n");
  const auto texts = told(pre_tool("a", "{}"));
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_TRUE(texts[0].starts_with("~/.config/agents/grapnel.yaml:3:")) << texts[0];
  EXPECT_TRUE(texts[0].contains(" more; ")) << texts[0];
  EXPECT_TRUE(told(pre_tool("a", "{}")).empty());
}

}  // namespace
}  // namespace grapnel::testing
