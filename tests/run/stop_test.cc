#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "run/harness.h"

namespace grapnel::testing {
namespace {

constexpr ChildLimits kQuick{.term_grace = 100ms, .drain_grace = 50ms};

TEST(Timeout, EndsTheWholeGroup) {
  struct Case {
    const char* note;
    std::string script;
    size_t stdin_bytes;
    const char* out;
  };
  const Case cases[] = {
      {"plain", "exec sleep 30", 0, ""},
      {"what was said before is kept", "echo before; exec sleep 30", 0, "before\n"},
      {"what is said on TERM is kept", "trap 'echo bye; exit 0' TERM; while :; do sleep 0.01; done", 0, "bye\n"},
      {"ignores TERM", "trap '' TERM; sleep 30; sleep 30", 0, ""},
      {"grandchildren ignore TERM", "(trap '' TERM; sleep 30) & (trap '' TERM; sleep 30) & sleep 30", 0, ""},
      {"grandchild left in the group", "(trap '' TERM; exec >&- 2>&-; sleep 30) & exec sleep 30", 0, ""},
      {"stopped by SIGSTOP", "kill -STOP $$; exit 0", 0, ""},
      {"stopped, wakes up for TERM", "trap 'echo bye; exit 0' TERM; kill -STOP $$; exec sleep 30", 0, "bye\n"},
      {"stopped, and ignores TERM", "trap '' TERM; kill -STOP $$; exec sleep 30", 0, ""},
      {"never reads its input", "exec sleep 30", 10'000'000, ""},
      {"closes its input", "exec <&-; exec sleep 30", 10'000'000, ""},
      {"closes its output", "exec >&- 2>&-; exec sleep 30", 0, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check(3s);
    ChildSpec spec = sh(c.script, 150ms);
    if (c.stdin_bytes > 0) spec.stdin_bytes = bytes(c.stdin_bytes);
    const RunOutcome outcome = run_one(spec, kQuick);
    EXPECT_EQ(text_of(outcome.ending), "timed out");
    EXPECT_EQ(outcome.out.bytes, c.out);
    EXPECT_GE(outcome.took, 150ms);
  }
}

TEST(Timeout, HoldsForAFlood) {
  const NothingLeft check(3s);
  const RunOutcome outcome = run_one(sh("exec cat /dev/zero", 150ms), {.max_output = 1000, .term_grace = 100ms});
  EXPECT_EQ(text_of(outcome.ending), "timed out");
  EXPECT_EQ(outcome.out.bytes.size(), 1000u);
  EXPECT_GT(outcome.out.dropped, 0u);
}

TEST(Timeout, RunsFromEachChildsOwnStart) {
  const NothingLeft check;
  const std::vector<ChildSpec> specs = {sh("sleep 0.05; exit 1", 5s), sh("sleep 30", 50ms), sh("exit 3", 5s),
                                        sh("exit 4", milliseconds::max())};
  const auto outcomes = run_children(specs, 1, kQuick, {});
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"exit 1", "timed out", "exit 3", "exit 4"}));
  EXPECT_EQ(std::get<TimedOut>(outcomes[1].ending).limit, 50ms);
}

TEST(Timeout, OfZeroIsOverAtOnce) {
  const NothingLeft check(3s);
  EXPECT_EQ(text_of(run_one(sh("exec sleep 30", 0ms), kQuick).ending), "timed out");
}

TEST(Cancel, EndsTheRunInEveryPhase) {
  struct Case {
    const char* note;
    std::string script;  // makes the file $ready when it is time to cancel
    size_t stdin_bytes;
    milliseconds timeout;
    ChildLimits limits;
  };
  const Case cases[] = {
      {"running", "touch $ready; exec sleep 30", 0, 20s, kQuick},
      {"running, ignores TERM", "trap '' TERM; touch $ready; sleep 30; sleep 30", 0, 20s, kQuick},
      {"stopped", "touch $ready; kill -STOP $$", 0, 20s, kQuick},
      {"writing its input", "touch $ready; exec sleep 30", 10'000'000, 20s, kQuick},
      {"reading a flood", "touch $ready; exec cat /dev/zero", 0, 20s, kQuick},
      {"after the timeout, in the grace",
       "trap 'touch $ready' TERM; while :; do sleep 0.01; done",
       0,
       150ms,
       {.term_grace = 500ms}},
      {"draining", "sleep 30 & touch $ready; exit 0", 0, 20s, {.drain_grace = 20s}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check(3s);
    const TempDir dir;
    ChildSpec spec = sh(c.script, c.timeout);
    spec.env.set("ready", dir / "ready");
    if (c.stdin_bytes > 0) spec.stdin_bytes = bytes(c.stdin_bytes);
    const os::CancelSource source;
    const std::jthread host([&] {
      for (int i = 0; i < 1000 && !std::filesystem::exists(dir / "ready"); ++i) std::this_thread::sleep_for(5ms);
      source.cancel();
    });
    EXPECT_EQ(text_of(run_one(spec, c.limits, source.token()).ending), "cancelled");
  }
}

TEST(Cancel, BeforeTheStartRunsNothing) {
  const NothingLeft check(3s);
  const os::CancelSource source;
  source.cancel();
  size_t started = 0;
  const std::vector<ChildSpec> specs = {sh("exit 0"), sh("exit 0")};
  const RunSeams seams{.on_start = [&](size_t) { ++started; }, .on_end = {}};
  const auto outcomes = run_children(specs, 0, {}, source.token(), seams);
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"cancelled", "cancelled"}));
  EXPECT_EQ(started, 0u);
}

TEST(Cancel, KeepsWhatHasEndedAndDropsTheQueue) {
  const NothingLeft check(3s);
  const os::CancelSource source;
  const std::vector<ChildSpec> specs = {sh("exit 7"), sh("exec sleep 30"), sh("exit 0")};
  const RunSeams seams{.on_start =
                           [&](size_t index) {
                             if (index == 1) source.cancel();
                           },
                       .on_end = {}};
  const auto outcomes = run_children(specs, 1, kQuick, source.token(), seams);
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"exit 7", "cancelled", "cancelled"}));
}

TEST(Cancel, IsNoticedWithoutADescriptorToWaitOn) {
  const NothingLeft check(3s);
  os::Calls calls = os::real_calls();
  calls.eventfd = [](unsigned, int) { return errno = EMFILE, -1; };
  const os::CancelSource source;
  const std::jthread host([&] {
    std::this_thread::sleep_for(20ms);
    source.cancel();
  });
  EXPECT_EQ(text_of(run_one(sh("exec sleep 30"), kQuick, source.token(), calls).ending), "cancelled");
}

}  // namespace
}  // namespace grapnel::testing
