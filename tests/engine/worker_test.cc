#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "engine/fixture.h"

// Worker hooks of a rule file, from event to decision.

namespace grapnel::testing {
namespace {

constexpr const char* kGuard =
    "import json, os, sys\n"
    "for line in sys.stdin:\n"
    "    m = json.loads(line)\n"
    "    n = m['event']['tool_input']['n']\n"
    "    if n < 0: os.kill(os.getpid(), 9)\n"
    "    if n % 3 == 0: sys.stderr.write('seen %d\\n' % n)\n"
    "    sys.stderr.flush()\n"
    "    answer = {'verdict': 'deny', 'reason': '%d by %d' % (n, os.getpid())} if n % 2 else {}\n"
    "    print(json.dumps({'id': m['id'], **answer}), flush=True)\n";

class WorkerHooks : public EngineTest {
 protected:
  WorkerHooks() { dir_.put("project/guard.py", kGuard); }

  std::unique_ptr<Engine> engine(const std::string& more = "", bool recorded = true) {
    dir_.put("home/.config/agents/grapnel.yaml",
             "version: 1\nhooks:\n  - {name: guard, on: PreToolUse, worker: python3 guard.py, on_failure: closed" +
                 more + "}\n");
    EngineOptions with = options();
    with.host.notices = {};
    if (!recorded) with.recording.sink.reset();
    with.host.background = [](const std::function<void()>& work) { work(); };
    return Engine::create(std::move(with));
  }

  static Event event(int64_t n) { return pre_tool("Bash", Json::object({{"n", Json::number(n)}}).dump()); }

  static pid_t pid_in(const Decision& decision) {
    const std::string reason = decision.reason();
    return std::stoi(reason.substr(reason.rfind(' ') + 1));
  }
};

TEST_F(WorkerHooks, DecideForSixtyFourThreadsAtOnce) {
  const auto shared = engine("", false);
  std::atomic<int64_t> next{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 64; ++t) {
    threads.emplace_back([&] {
      for (int64_t n = next++; n < 1000; n = next++) {
        const Decision decision = shared->fire(event(n));
        const bool is_right = n % 2 == 0 ? decision.verdict() == Verdict::Pass
                                         : decision.denied() && decision.reason().starts_with(std::to_string(n) + " ");
        if (!is_right) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(WorkerHooks, StayForTheNextEventAndEndWithTheEngine) {
  auto with = engine();
  const pid_t pid = pid_in(with->fire(event(1)));
  EXPECT_EQ(pid_in(with->fire(event(5))), pid);
  EXPECT_EQ(::kill(pid, 0), 0);
  with.reset();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(WorkerHooks, FailAsTheirPolicySays) {
  const auto with = engine();
  const Decision decision = with->fire(event(-1));
  EXPECT_TRUE(decision.denied());
  EXPECT_EQ(decision.origin, Origin::FailClosed);
  EXPECT_EQ(decision.hooks.at(0).detail, "killed by SIGKILL");
  EXPECT_EQ(with->fire(event(2)).verdict(), Verdict::Pass);
}

TEST_F(WorkerHooks, SayTheirErrors) {
  const Decision decision = engine()->fire(event(6));
  EXPECT_EQ(decision.hooks.at(0).detail, "answered");
  EXPECT_EQ(decision.hooks.at(0).errors, "seen 6");
}

TEST_F(WorkerHooks, AreReplacedWhenTheirScriptOrTheirHookChanges) {
  const auto with = engine();
  const pid_t first = pid_in(with->fire(event(1)));
  dir_.put("project/guard.py", std::string(kGuard) + "# changed\n");
  const pid_t second = pid_in(with->fire(event(5)));
  EXPECT_NE(second, first);
  engine(", env: {X: y}");
  with->reload();
  EXPECT_NE(pid_in(with->fire(event(7))), second);
}

TEST_F(WorkerHooks, MayBeAsync) {
  EXPECT_FALSE(engine(", async: true")->fire(event(1)).denied());
  ASSERT_EQ(sink_->records.size(), 2U);
  const auto background = std::ranges::find(sink_->records, true, &Record::in_background);
  ASSERT_NE(background, sink_->records.end());
  const HookFate& fate = background->hooks.at(0);
  EXPECT_EQ(fate.kind, HookFate::Kind::Ran);
  EXPECT_TRUE(fate.detail.starts_with("answered: ")) << fate.detail;
}

TEST_F(WorkerHooks, OfAProjectNeedTrust) {
  dir_.put("project/.agents/grapnel.yaml",
           "version: 1\nhooks:\n  - {name: theirs, on: PreToolUse, worker: python3 guard.py}\n");
  EngineOptions with = options();
  EXPECT_FALSE(Engine::create(std::move(with))->fire(event(1)).denied());
}

}  // namespace
}  // namespace grapnel::testing
