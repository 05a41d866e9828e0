#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/temp_dir.h"
#include "run/harness.h"
#include "run/ways_out.h"
#include "run/worker_process.h"

namespace grapnel::testing {
namespace {

constexpr ChildLimits kQuick{.term_grace = 100ms, .drain_grace = 50ms};
/// For what ends by itself when it is told to.
constexpr ChildLimits kPatient{.term_grace = kLong, .drain_grace = 50ms};

/// Lets it time out when it has got somewhere: on a busy machine that takes longer.
template <typename IsThere>
RunOutcome run_out_of_time(ChildSpec spec, const ChildLimits& limits, IsThere is_there,
                           const os::Calls& calls = os::real_calls()) {
  for (spec.timeout = 50ms;; spec.timeout *= 2) {
    RunOutcome outcome = run_one(spec, limits, {}, calls);
    EXPECT_EQ(text_of(outcome.ending), "timed out");
    EXPECT_GE(outcome.took, spec.timeout);
    if (is_there(outcome) || spec.timeout > kLong) return outcome;
  }
}

TEST(Timeout, EndsTheWholeGroup) {
  struct Case {
    const char* note;
    std::string script;  // makes the file $ready when it may time out
    size_t stdin_bytes;
    const char* out;
    ChildLimits limits = kQuick;
  };
  const Case cases[] = {
      {"plain", ": >$ready; exec sleep 600", 0, ""},
      {"what was said before is kept", "echo before; : >$ready; exec sleep 600", 0, "before\n"},
      {"what is said on TERM is kept", "trap 'echo bye; exit 0' TERM; : >$ready; while :; do sleep 0.01; done", 0,
       "bye\n", kPatient},
      {"ignores TERM", "trap '' TERM; : >$ready; sleep 600; sleep 600", 0, ""},
      {"grandchildren ignore TERM",
       "(trap '' TERM; : >$ready; sleep 600) & (trap '' TERM; : >$ready; sleep 600) & sleep 600", 0, ""},
      {"grandchild left in the group", "(trap '' TERM; exec >&- 2>&-; : >$ready; sleep 600) & exec sleep 600", 0, ""},
      {"stopped by SIGSTOP", ": >$ready; kill -STOP $$; exit 0", 0, ""},
      {"stopped, wakes up for TERM", "trap 'echo bye; exit 0' TERM; : >$ready; kill -STOP $$; exec sleep 600", 0,
       "bye\n", kPatient},
      {"stopped, and ignores TERM", "trap '' TERM; : >$ready; kill -STOP $$; exec sleep 600", 0, ""},
      {"never reads its input", ": >$ready; exec sleep 600", 10'000'000, ""},
      {"closes its input", "exec <&-; : >$ready; exec sleep 600", 10'000'000, ""},
      {"closes its output", "exec >&- 2>&-; : >$ready; exec sleep 600", 0, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const TempDir dir;
    ChildSpec spec = sh(c.script);
    spec.env.set("ready", dir / "ready");
    if (c.stdin_bytes > 0) spec.stdin_bytes = bytes(c.stdin_bytes);
    const auto is_ready = [&](const RunOutcome&) { return std::filesystem::exists(dir / "ready"); };
    EXPECT_EQ(run_out_of_time(spec, c.limits, is_ready).out.bytes, c.out);
  }
}

/// Runs the script until it has got away and its time is up.
void check_way_out(const WayOut& way, const TempDir& dir) {
  ChildSpec spec = sh(way.script);
  spec.env.set("ready", dir / "ready");
  run_out_of_time(spec, kQuick, [&](const RunOutcome&) { return std::filesystem::exists(dir / "ready"); });
  EXPECT_FALSE(is_left(dir / "ready"));
}

TEST(Timeout, EndsWhatLeftTheGroup) {
  for (const WayOut& way : kWaysOut) {
    SCOPED_TRACE(way.note);
    const NothingLeft check;
    const TempDir dir;
    check_way_out(way, dir);
  }
}

// Without privileges, the kernel tells less about other processes.
TEST(Timeout, EndsWhatLeftTheGroupOfAnOrdinaryUser) {
  constexpr uid_t kNobody = 65534;
  if (::getuid() != 0) GTEST_SKIP() << "the test above runs as an ordinary user";
  for (const WayOut& way : kWaysOut) {
    SCOPED_TRACE(way.note);
    const NothingLeft check;
    const TempDir dir;
    ::chmod(dir.path().c_str(), 0777);
    const int status = in_another_host([&] {
      if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 2;
      check_way_out(way, dir);
      return ::testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(dir / "ready"));
  }
}

TEST(Cancel, EndsWhatLeftTheGroup) {
  for (const WayOut& way : kWaysOut) {
    SCOPED_TRACE(way.note);
    const NothingLeft check;
    const TempDir dir;
    ChildSpec spec = sh(way.script);
    spec.env.set("ready", dir / "ready");
    const os::CancelSource source;
    std::jthread canceller([&] {
      EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir / "ready"); }));
      source.cancel();
    });
    EXPECT_EQ(text_of(run_one(spec, kQuick, source.token()).ending), "cancelled");
    canceller.join();
    EXPECT_FALSE(is_left(dir / "ready"));
  }
}

// ---- where only the group is ended ------------------------------------------------------------------------------

struct WeakLevel {
  const char* means;
  bool is_contained;
};
/// No mark could be set, and a sandbox that is off.
constexpr WeakLevel kWeakLevels[] = {{"group", true}, {"off", false}};

os::Calls without_marks() {
  os::Calls calls = os::real_calls();
  calls.limit_self = [](int, const rlimit64*) -> long {
    errno = EPERM;
    return -1;
  };
  return calls;
}

/// Checks what is left of it, and ends that.
void check_group(const WayOut& way, const std::string& ready) {
  const auto runs = [&] { return !find_stray_processes().empty() || is_left(ready); };
  if (way.group == InGroup::Ends) EXPECT_TRUE(becomes_true([&] { return !runs(); }));
  if (way.group == InGroup::Stays) EXPECT_TRUE(becomes_true(runs));
  kill_stray_processes();
  pid_t pid = 0;
  if (is_sleeping(ready) && std::ifstream(ready) >> pid) ::kill(pid, SIGKILL);
}

// What leapfrogs ends when its directory is gone, before `NothingLeft` looks.
TEST(Group, EndsWithTheHookAndNothingElse) {
  const os::Calls calls = without_marks();
  for (const WeakLevel& level : kWeakLevels) {
    for (const WayOut& way : kWaysOut) {
      SCOPED_TRACE(std::string(way.note) + ", " + level.means);
      const NothingLeft check;
      const TempDir dir;
      ChildSpec spec = sh(way.script);
      spec.is_contained = level.is_contained;
      spec.env.set("ready", dir / "ready");
      const auto is_ready = [&](const RunOutcome&) { return std::filesystem::exists(dir / "ready"); };
      EXPECT_EQ(run_out_of_time(spec, kQuick, is_ready, calls).contained.means, level.means);
      check_group(way, dir / "ready");
    }
  }
}

TEST(Group, EndsWithTheWorkerAndNothingElse) {
  const os::Calls calls = without_marks();
  for (const WeakLevel& level : kWeakLevels) {
    for (const WayOut& way : kWaysOut) {
      SCOPED_TRACE(std::string(way.note) + ", " + level.means);
      const NothingLeft check;
      const TempDir dir;
      ChildSpec spec = sh(way.script);
      spec.is_contained = level.is_contained;
      spec.env.set("ready", dir / "ready");
      auto worker = WorkerProcess::start(spec, kQuick, calls);
      ASSERT_TRUE(worker) << worker.error().message;
      EXPECT_EQ((*worker)->contained().means, level.means);
      EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir / "ready"); }));
      worker->reset();
      check_group(way, dir / "ready");
    }
  }
}

// `sudo` and containers need to gain privileges, so a child may if its host may.
TEST(NormalEnd, MayGainPrivilegesAsTheHostMay) {
  const NothingLeft check;
  std::ifstream status("/proc/self/status");
  std::string own;
  while (std::getline(status, own) && !own.starts_with("NoNewPrivs:")) {
  }
  ChildSpec spec = sh("grep -qx \"$own\" /proc/self/status");
  spec.env.set("own", own);
  EXPECT_FALSE(own.empty());
  status.close();
  EXPECT_EQ(text_of(run_one(spec).ending), "exit 0");
}

// What a hook leaves behind when it ends by itself is meant to stay.
TEST(NormalEnd, LeavesWhatLeftTheGroup) {
  const NothingLeft check;
  const TempDir dir;
  ChildSpec spec = sh("setsid sh -c 'echo $$ >$ready.new; mv $ready.new $ready; exec sleep 600' >&- 2>&- & exit 0");
  spec.env.set("ready", dir / "ready");
  EXPECT_EQ(text_of(run_one(spec).ending), "exit 0");
  EXPECT_TRUE(becomes_true([&] { return is_left(dir / "ready"); }));
  kill_stray_processes();
}

TEST(Timeout, HoldsForAFlood) {
  const NothingLeft check;
  const RunOutcome outcome = run_out_of_time(sh("exec cat /dev/zero"), {.max_output = 1000, .term_grace = 100ms},
                                             [](const RunOutcome& o) { return !o.out.bytes.empty(); });
  EXPECT_EQ(outcome.out.bytes.size(), 1000u);
  EXPECT_GT(outcome.out.dropped, 0u);
}

TEST(Timeout, RunsFromEachChildsOwnStart) {
  const NothingLeft check;
  const std::vector<ChildSpec> specs = {sh("sleep 0.05; exit 1", kLong), sh("sleep 600", 50ms), sh("exit 3", kLong),
                                        sh("exit 4", milliseconds::max())};
  const auto outcomes = run_children(specs, 1, kQuick, {});
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"exit 1", "timed out", "exit 3", "exit 4"}));
  EXPECT_EQ(std::get<TimedOut>(outcomes[1].ending).limit, 50ms);
  EXPECT_GE(outcomes[1].took, 50ms);
}

TEST(Timeout, OfZeroIsOverAtOnce) {
  const NothingLeft check;
  EXPECT_EQ(text_of(run_one(sh("exec sleep 600", 0ms), kQuick).ending), "timed out");
}

TEST(Cancel, EndsTheRunInEveryPhase) {
  struct Case {
    const char* note;
    std::string script;  // makes the file $ready when it is time to cancel
    size_t stdin_bytes;
    ChildLimits limits = kQuick;
  };
  const Case cases[] = {
      {"running", "touch $ready; exec sleep 600", 0},
      {"running, ignores TERM", "trap '' TERM; touch $ready; sleep 600; sleep 600", 0},
      {"stopped", "touch $ready; kill -STOP $$", 0},
      {"writing its input", "touch $ready; exec sleep 600", 10'000'000},
      {"reading a flood", "touch $ready; exec cat /dev/zero", 0},
      {"draining", "sleep 600 & touch $ready; exit 0", 0, {.drain_grace = kLong}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const TempDir dir;
    ChildSpec spec = sh(c.script);
    spec.env.set("ready", dir / "ready");
    if (c.stdin_bytes > 0) spec.stdin_bytes = bytes(c.stdin_bytes);
    const os::CancelSource source;
    const std::jthread host([&] {
      EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir / "ready"); }));
      source.cancel();
    });
    EXPECT_EQ(text_of(run_one(spec, c.limits, source.token()).ending), "cancelled");
  }
}

const os::CancelSource* cancelled_by_term = nullptr;

TEST(Cancel, EndsTheRunAfterTheTimeoutInTheGrace) {
  const NothingLeft check;
  const os::CancelSource source;
  cancelled_by_term = &source;
  os::Calls calls = os::real_calls();
  calls.kill = [](pid_t pid, int signal) {
    if (signal == SIGTERM) cancelled_by_term->cancel();
    return ::kill(pid, signal);
  };
  const ChildSpec spec = sh("trap '' TERM; sleep 600; sleep 600", 50ms);
  EXPECT_EQ(text_of(run_one(spec, kQuick, source.token(), calls).ending), "cancelled");
}

TEST(Cancel, BeforeTheStartRunsNothing) {
  const NothingLeft check;
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
  const NothingLeft check;
  const os::CancelSource source;
  const std::vector<ChildSpec> specs = {sh("exit 7"), sh("exec sleep 600"), sh("exit 0")};
  const RunSeams seams{.on_start =
                           [&](size_t index) {
                             if (index == 1) source.cancel();
                           },
                       .on_end = {}};
  const auto outcomes = run_children(specs, 1, kQuick, source.token(), seams);
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"exit 7", "cancelled", "cancelled"}));
}

TEST(Cancel, IsNoticedWithoutADescriptorToWaitOn) {
  const NothingLeft check;
  os::Calls calls = os::real_calls();
  calls.eventfd = [](unsigned, int) { return errno = EMFILE, -1; };
  const os::CancelSource source;
  const std::jthread host([&] {
    std::this_thread::sleep_for(20ms);
    source.cancel();
  });
  EXPECT_EQ(text_of(run_one(sh("exec sleep 600"), kQuick, source.token(), calls).ending), "cancelled");
}

}  // namespace
}  // namespace grapnel::testing
