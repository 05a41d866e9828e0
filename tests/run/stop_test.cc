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

namespace grapnel::testing {
namespace {

constexpr ChildLimits kQuick{.term_grace = 100ms, .drain_grace = 50ms};
/// For what ends by itself when it is told to.
constexpr ChildLimits kPatient{.term_grace = kLong, .drain_grace = 50ms};

/// Lets it time out when it has got somewhere: on a busy machine that takes longer.
template <typename IsThere>
RunOutcome run_out_of_time(ChildSpec spec, const ChildLimits& limits, IsThere is_there) {
  for (spec.timeout = 50ms;; spec.timeout *= 2) {
    RunOutcome outcome = run_one(spec, limits);
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

// Processes that leave the group, the session and their parents. Each of them makes the file $ready when it has got
// away.
struct Escape {
  const char* note;
  std::string script;
};

const Escape kEscapes[] = {
    {"a session of its own", "setsid sh -c ': >$ready; exec sleep 600' & exec sleep 600"},
    {"a session of its own, without environment",
     "setsid env -i r=$ready PATH=$PATH sh -c 'echo $$ >$r; exec sleep 600' & exec sleep 600"},
    {"double fork", "(setsid sh -c '(: >$ready; exec sleep 600) & exit 0' &) ; exec sleep 600"},
    {"double fork, no files open", "(setsid sh -c '(: >$ready; exec sleep 600 <&- >&- 2>&-) &' &) ; exec sleep 600"},
    {"ignores all signals",
     "setsid sh -c 'trap \"\" TERM HUP INT QUIT; : >$ready; sleep 600; sleep 600' & exec sleep 600"},
    {"stopped", "setsid sh -c ': >$ready; kill -STOP $$; exec sleep 600' & exec sleep 600"},
    {"its parent ends on TERM",
     "trap 'exit 0' TERM; setsid sh -c ': >$ready; exec sleep 600' & while :; do sleep 0.01; done"},
    {"gets away when it is told to end",
     "trap 'setsid sleep 600 & exit 0' TERM; : >$ready; while :; do sleep 0.01; done"},
    {"leapfrogs: each starts the next and ends",
     "export hop='test -e ${ready%/*} && setsid sh -c \"$hop\" & exit 0'; setsid sh -c \"$hop\" & : >$ready; exec "
     "sleep 600"},
    {"leapfrogs as fast as it can",
     "setsid python3 -c 'import os, time\nend = time.time() + 100\nopen(os.environ[\"ready\"], \"w\")\n"
     "while time.time() < end:\n  if os.fork(): os._exit(0)' & exec sleep 600"},
};

/// A process that has ended keeps its name until init has reaped it.
bool is_sleeping(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  file >> id >> name >> state;
  return name == "(sleep)" && state != "Z" && state != "X";
}

/// Runs the escape until its time is up, and looks for the one that left its id in the file. `NothingLeft` finds the
/// others by their environment.
void check_escape(const Escape& escape, const TempDir& dir) {
  ChildSpec spec = sh(escape.script);
  spec.env.set("ready", dir / "ready");
  run_out_of_time(spec, kQuick, [&](const RunOutcome&) { return std::filesystem::exists(dir / "ready"); });
  pid_t pid = 0;
  if (std::ifstream(dir / "ready") >> pid) {
    EXPECT_FALSE(is_sleeping(pid)) << pid;
  }
}

TEST(Timeout, EndsWhatLeftTheGroup) {
  for (const Escape& escape : kEscapes) {
    SCOPED_TRACE(escape.note);
    const NothingLeft check;
    const TempDir dir;
    check_escape(escape, dir);
  }
}

// Without privileges, the kernel tells less about other processes.
TEST(Timeout, EndsWhatLeftTheGroupOfAnOrdinaryUser) {
  constexpr uid_t kNobody = 65534;
  if (::getuid() != 0) GTEST_SKIP() << "the test above runs as an ordinary user";
  for (const Escape& escape : kEscapes) {
    SCOPED_TRACE(escape.note);
    const NothingLeft check;
    const TempDir dir;
    ::chmod(dir.path().c_str(), 0777);
    const int status = in_another_host([&] {
      if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 2;
      check_escape(escape, dir);
      return ::testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(dir / "ready"));
  }
}

TEST(Cancel, EndsWhatLeftTheGroup) {
  for (const Escape& escape : kEscapes) {
    SCOPED_TRACE(escape.note);
    const NothingLeft check;
    const TempDir dir;
    ChildSpec spec = sh(escape.script);
    spec.env.set("ready", dir / "ready");
    const os::CancelSource source;
    std::jthread canceller([&] {
      EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir / "ready"); }));
      source.cancel();
    });
    EXPECT_EQ(text_of(run_one(spec, kQuick, source.token()).ending), "cancelled");
    canceller.join();
    pid_t pid = 0;
    if (std::ifstream(dir / "ready") >> pid) {
      EXPECT_FALSE(is_sleeping(pid)) << pid;
    }
  }
}

// Without the tag, the group still ends.
TEST(Timeout, EndsTheGroupOfAChildWithoutTag) {
  const NothingLeft check;
  os::Calls calls = os::real_calls();
  calls.limit_self = [](int, const rlimit64*) -> long {
    errno = EPERM;
    return -1;
  };
  const ChildSpec spec = sh("(trap '' TERM; exec >&- 2>&-; sleep 600) & exec sleep 600", 50ms);
  EXPECT_EQ(text_of(run_one(spec, kQuick, {}, calls).ending), "timed out");
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
  pid_t pid = 0;
  ASSERT_TRUE(becomes_true([&] { return static_cast<bool>(std::ifstream(dir / "ready") >> pid); }));
  EXPECT_TRUE(becomes_true([&] { return is_sleeping(pid); }));
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
