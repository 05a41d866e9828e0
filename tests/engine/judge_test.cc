#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "engine/fixture.h"

// Prompt and agent hooks, with a judge that the host passes in.

namespace grapnel::testing {
namespace {

/// Answers as it is told and remembers what it was asked.
class TestJudge final : public Judge {
 public:
  using Reply = std::function<Result<std::string>(const Judgement&, const std::stop_token&)>;
  explicit TestJudge(Reply answer) : answer_(std::move(answer)) {}
  explicit TestJudge(std::string said)
      : answer_([said = std::move(said)](const Judgement&, const std::stop_token&) { return said; }) {}

  Result<std::string> judge(const Judgement& question, std::stop_token cancel) override {
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back(question);
    }
    return answer_(question, cancel);
  }

  std::vector<Judgement> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  Reply answer_;
  mutable std::mutex mutex_;
  std::vector<Judgement> asked_;
};

class Judges : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine_asking(std::shared_ptr<Judge> judge, std::string dialect, std::string hooks) {
    EngineOptions out = options();
    out.limits.term_grace = kLong;
    out.host.judge = std::move(judge);
    out.configs.push_back({std::move(dialect), "", json(R"({"hooks": )" + std::move(hooks) + "}")});
    return Engine::create(std::move(out));
  }
};

// The two examples of seed 004, as they stand there.
constexpr const char* kSeedHooks = R"({"PreToolUse": [{"matcher": "Bash", "hooks": [
  {"type": "prompt", "prompt": "检查以下命令是否安全: $ARGUMENTS", "model": "claude-sonnet-4-20250514", "timeout": 30}]},
  {"matcher": "Write", "hooks": [
  {"type": "agent", "prompt": "验证这个文件修改是否符合代码规范", "timeout": 60}]}]})";

TEST_F(Judges, AskWhatTheSeedsPromptHookAsks) {
  const auto judge = std::make_shared<TestJudge>(R"({"ok": false, "reason": "危险命令被阻止"})");
  const auto engine = engine_asking(judge, "blade", kSeedHooks);
  ASSERT_TRUE(engine->problems().empty());
  const auto event = Event::from_native(
      "blade",
      json(R"({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}})"));
  ASSERT_TRUE(event);
  const Decision decision = engine->fire(*event);
  EXPECT_TRUE(decision.denied());
  EXPECT_EQ(decision.reason(), "危险命令被阻止");
  ASSERT_EQ(judge->asked().size(), 1U);
  const Judgement asked = judge->asked().front();
  EXPECT_EQ(asked.prompt, "检查以下命令是否安全: " + std::string(event->payload().raw()));
  EXPECT_EQ(asked.model, "claude-sonnet-4-20250514");
  EXPECT_EQ(asked.timeout, std::chrono::seconds(30));
  EXPECT_FALSE(asked.with_tools);
}

TEST_F(Judges, AskWhatTheSeedsAgentHookAsks) {
  const auto judge = std::make_shared<TestJudge>(R"({"ok": true})");
  const auto engine = engine_asking(judge, "blade", kSeedHooks);
  const Decision decision = engine->fire(pre_tool("Write", R"({"file_path": "a.cc", "content": "x"})"));
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_EQ(decision.origin, Origin::Hook);
  ASSERT_EQ(judge->asked().size(), 1U);
  const Judgement asked = judge->asked().front();
  EXPECT_TRUE(asked.prompt.starts_with("验证这个文件修改是否符合代码规范\n\n{")) << asked.prompt;
  EXPECT_TRUE(asked.prompt.contains(R"("file_path": "a.cc")") || asked.prompt.contains(R"("file_path":"a.cc")"));
  EXPECT_TRUE(asked.with_tools);
  EXPECT_EQ(asked.timeout, std::chrono::seconds(60));
  EXPECT_EQ(asked.directory, options().project_dir);
}

TEST_F(Judges, PutTheEventWhereThePromptWantsIt) {
  struct Case {
    const char* note;
    std::string prompt, before, behind;
  };
  const Case cases[] = {
      {"in the middle", "a $ARGUMENTS b", "a {", "} b"},
      {"behind it when it wants nothing", "a", "a\n\n{", "}"},
      {"a backslash keeps it as it is", "a \\\\$ARGUMENTS", "a $ARGUMENTS\n\n{", "}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto judge = std::make_shared<TestJudge>(R"({"ok": true})");
    const auto engine = engine_asking(
        judge, "claude", R"({"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": ")" + c.prompt + R"("}]}]})");
    engine->fire(pre_tool("Bash", R"({"command": "echo '$ARGUMENTS'"})"));
    ASSERT_EQ(judge->asked().size(), 1U);
    const std::string asked = judge->asked().front().prompt;
    EXPECT_TRUE(asked.starts_with(c.before) && asked.ends_with(c.behind)) << asked;
    EXPECT_TRUE(asked.contains("echo '$ARGUMENTS'")) << "what the event says stays as it is: " << asked;
  }
}

TEST_F(Judges, HaveTheTimesOfTheirType) {
  const auto engine = engine_asking(nullptr, "claude", R"({"PreToolUse": [{"hooks": [
    {"type": "prompt", "prompt": "a"}, {"type": "agent", "prompt": "b"}, {"type": "prompt", "prompt": "c", "timeout": 5}]}]})");
  std::vector<std::pair<std::string, int64_t>> seen;
  for (const HookInfo& hook : engine->hooks())
    seen.emplace_back(hook.handler + ": " + hook.action, hook.timeout.count());
  EXPECT_EQ(seen, (std::vector<std::pair<std::string, int64_t>>{
                      {"prompt: a", 30000}, {"agent: b", 60000}, {"prompt: c", 5000}}));
}

TEST_F(Judges, ThatFailAreHooksThatFail) {
  struct Case {
    const char* note;
    TestJudge::Reply answer;
    std::string message;
  };
  const Case cases[] = {
      {"no key",
       [](const Judgement&, const std::stop_token&) -> Result<std::string> {
         return std::unexpected(Error{Errc::BadConfig, "set SOME_KEY", {}, 0});
       },
       "no answer: set SOME_KEY"},
      {"prose", [](const Judgement&, const std::stop_token&) { return "All good!"; }, "no verdict: All good!"},
      {"thrown",
       [](const Judgement&, const std::stop_token&) -> Result<std::string> { throw std::runtime_error("boom"); },
       "threw: boom"},
  };
  for (const Case& c : cases) {
    for (const bool closed : {false, true}) {
      SCOPED_TRACE(std::string(c.note) + (closed ? ", closed" : ", open"));
      notices_.clear();
      const auto engine = engine_asking(std::make_shared<TestJudge>(c.answer), "blade",
                                        std::string(R"({"failureBehavior": ")") + (closed ? "deny" : "ignore") +
                                            R"(", "PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "ok?"}]}]})");
      const Decision decision = engine->fire(pre_tool("Bash", "{}"));
      EXPECT_EQ(decision.denied(), closed);
      EXPECT_EQ(decision.origin, closed ? Origin::FailClosed : Origin::FailOpen);
      ASSERT_EQ(notices_.size(), 1U) << "never silent";
      EXPECT_TRUE(notices_.front().contains(c.message)) << notices_.front();
    }
  }
}

TEST_F(Judges, AreMissedWhenThereIsNone) {
  const auto engine = engine_asking(
      nullptr, "claude", R"({"PreToolUse": [{"hooks": [{"type": "agent", "prompt": "ok?", "onFailure": "block"}]}]})");
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(decision.denied());
  EXPECT_TRUE(decision.reason().contains("there is no model to ask")) << decision.reason();
}

TEST_F(Judges, OfOneStageWorkBesideEachOtherAndBesideCommands) {
  std::barrier all_here(3);  // returns only when three are at work at once
  const auto judge = std::make_shared<TestJudge>([&](const Judgement&, const std::stop_token&) {
    all_here.arrive_and_wait();
    return R"({"ok": true})";
  });
  const auto engine = engine_asking(judge, "claude", R"({"PreToolUse": [{"hooks": [
    {"type": "prompt", "prompt": "a"}, {"type": "command", "command": "echo '{}'"}, {"type": "agent", "prompt": "b"},
    {"type": "prompt", "prompt": "c"}]}]})");
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  ASSERT_EQ(decision.hooks.size(), 4U);
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.kind, HookFate::Kind::Ran) << fate.name << fate.detail;
}

TEST_F(Judges, AreNeverMoreThanTheFileAllows) {
  std::atomic<int> at_work = 0;
  std::atomic<int> most = 0;
  const auto judge = std::make_shared<TestJudge>([&](const Judgement&, const std::stop_token&) {
    const int now = ++at_work;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --at_work;
    return R"({"ok": true})";
  });
  const auto engine = engine_asking(judge, "blade", R"({"maxConcurrentHooks": 2, "PostToolUse": [{"hooks": [
    {"type": "prompt", "prompt": "a"}, {"type": "prompt", "prompt": "b"}, {"type": "prompt", "prompt": "c"},
    {"type": "prompt", "prompt": "d"}, {"type": "prompt", "prompt": "e"}]}]})");
  const Decision decision =
      engine->fire(Event(EventKind::PostToolUse, json(R"({"tool_name": "Bash", "tool_input": {}})")));
  EXPECT_EQ(decision.hooks.size(), 5U);
  EXPECT_EQ(judge->asked().size(), 5U);
  EXPECT_LE(most.load(), 2);
}

TEST_F(Judges, ThatTakeTooLongAreToldToStop) {
  const auto told = std::make_shared<std::atomic<bool>>(false);
  const auto judge = std::make_shared<TestJudge>([told](const Judgement&, const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    *told = true;
    return R"({"ok": true})";
  });
  const auto engine = engine_asking(
      judge, "blade",
      R"({"timeoutBehavior": "deny", "PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "a", "timeout": 0.02}]}]})");
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(decision.denied());
  EXPECT_TRUE(decision.reason().contains("timed out after 20 ms")) << decision.reason();
  EXPECT_TRUE(told->load()) << "one that listens is waited for";
}

TEST_F(Judges, AreGivenUpWithTheEvent) {
  std::stop_source host;
  const auto judge = std::make_shared<TestJudge>([&](const Judgement&, const std::stop_token& stop) {
    host.request_stop();
    while (!stop.stop_requested()) std::this_thread::yield();
    return R"({"ok": false, "reason": "too late"})";
  });
  const auto engine =
      engine_asking(judge, "claude", R"({"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "a"}]}]})");
  const Decision decision = engine->fire(pre_tool("Bash", "{}"), host.get_token());
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_EQ(decision.origin, Origin::Engine);
}

TEST_F(Judges, AreNotJudged) {
  const auto judge = std::make_shared<TestJudge>(R"({"ok": false, "reason": "no"})");
  EngineOptions wanted = options();
  wanted.host.judge = judge;
  wanted.configs.push_back({"claude", "", json(R"({"hooks": {"PreToolUse": [{"hooks": [
    {"type": "prompt", "prompt": "a"}, {"type": "agent", "prompt": "b"}, {"type": "command", "command": "true"}]}]}})")});
  struct Case {
    const char* note;
    uint32_t cap;
    int64_t depth;
    size_t asked;
  };
  const Case cases[] = {
      {"nobody judges yet", 1, 0, 2},      {"a judge at work", 1, 1, 0},       {"deeper still", 1, 2, 0},
      {"a host that wants more", 2, 1, 2}, {"and no more than that", 2, 2, 0}, {"a host that wants none", 0, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    wanted.limits.judge_depth = c.cap;
    const size_t before = judge->asked().size();
    const Decision decision = Engine::create(wanted)->fire(
        Event(EventKind::PreToolUse,
              json(R"({"tool_name": "Read", "tool_input": {}})").with("judge_depth", Json::number(c.depth))));
    EXPECT_EQ(judge->asked().size() - before, c.asked);
    EXPECT_EQ(decision.denied(), c.asked > 0);
    ASSERT_EQ(decision.hooks.size(), 3U);
    if (c.asked > 0) {
      EXPECT_EQ(judge->asked().back().depth, static_cast<uint32_t>(c.depth));
    }
    for (const HookFate& fate : decision.hooks) {
      if (c.asked > 0 || fate.name == "true") continue;
      EXPECT_EQ(fate.kind, HookFate::Kind::Skipped);
      EXPECT_TRUE(fate.detail.contains("judges are not judged")) << fate.detail;
    }
  }
}

TEST_F(Judges, SeeTheEventAsEarlierHooksRewroteIt) {
  const auto judge = std::make_shared<TestJudge>(R"({"ok": true})");
  const auto engine = engine_asking(judge, "blade", R"({"PreToolUse": [{"hooks": [
    {"type": "command", "command": "echo '{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"updatedInput\": {\"command\": \"ls -l\"}}}'"},
    {"type": "prompt", "prompt": "a"}]}]})");
  engine->fire(pre_tool("Bash", R"({"command": "ls"})"));
  ASSERT_EQ(judge->asked().size(), 1U);
  EXPECT_TRUE(judge->asked().front().prompt.contains("ls -l")) << judge->asked().front().prompt;
}

}  // namespace
}  // namespace grapnel::testing
