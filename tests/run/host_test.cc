#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "run/harness.h"

// The library is a guest: these hosts are unusual, and must neither disturb a run nor be changed by one. Hosts that
// cannot be undone live in a forked process, which tells by its exit status.

namespace grapnel::testing {
namespace {

constexpr ChildLimits kQuick{.term_grace = 50ms, .drain_grace = 50ms};

bool ends_as(const ChildSpec& spec, const char* want) {
  const std::string got = text_of(run_one(spec, kQuick).ending);
  if (got != want) ADD_FAILURE() << got << " instead of " << want;
  return got == want;
}

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

/// Whether this kernel keeps the status of a process that nobody waited for (Linux 6.15).
bool keeps_status() {
  utsname name{};
  uname(&name);
  int major = 0;
  int minor = 0;
  // NOLINTNEXTLINE(cert-err34-c): a name that is no version leaves 0.0
  std::sscanf(name.release, "%d.%d", &major, &minor);
  return std::pair(major, minor) >= std::pair(6, 15);
}

TEST(Host, ThatIgnoresSigchldLosesNoStatusThatTheKernelKeeps) {
  struct Case {
    const char* note;
    std::string script;
    milliseconds timeout;
    const char* want;
  };
  const Case cases[] = {
      {"success", "exit 0", kLong, "exit 0"},
      {"denial", "exit 2", kLong, "exit 2"},
      {"a signal", "kill -9 $$", kLong, "signal 9"},
      {"timeout", "exec sleep 600", 50ms, "timed out"},
      {"timeout of one that ignores TERM", "trap '' TERM; sleep 600; sleep 600", 50ms, "timed out"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const ChildSpec spec = sh(c.script, c.timeout);
    EXPECT_EQ(in_another_host([&] {
                std::signal(SIGCHLD, SIG_IGN);
                const size_t fds = count_open_fds();
                // Older kernels forget the status. Then it is lost, which is a failure and not an exit.
                const bool is_lost = c.timeout == kLong && !keeps_status();
                return ends_as(spec, is_lost ? "status lost" : c.want) && count_open_fds() == fds ? 0 : 1;
              }),
              0);
  }
}

std::atomic<bool> killed = false;

TEST(Host, ThatIgnoresSigchldMayReuseTheGroupIdAfterTheExit) {
  const NothingLeft check;
  const ChildSpec spec = sh("exec sleep 600", 50ms);
  os::Calls calls = os::real_calls();
  calls.kill = [](pid_t pid, int signal) {
    if (signal == SIGKILL) killed = true;
    return ::kill(pid, signal);
  };
  const auto run = [&] { return text_of(run_one(spec, {.term_grace = kLong}, {}, calls).ending) == "timed out"; };
  EXPECT_EQ(in_another_host([&] { return run() && killed ? 0 : 1; }), 0) << "a zombie still holds the id";
  EXPECT_EQ(in_another_host([&] { return std::signal(SIGCHLD, SIG_IGN), run() && !killed ? 0 : 1; }), 0);
}

TEST(Host, ThatReapsEverythingLosesTheStatusAtWorst) {
  const NothingLeft check;
  const ChildSpec spec = sh("exit 2");
  EXPECT_EQ(in_another_host([&] {
              std::atomic<bool> over = false;
              std::thread reaper([&] {
                while (!over) ::waitpid(-1, nullptr, WNOHANG);
              });
              bool good = true;
              for (int i = 0; i < 20; ++i) {
                const std::string got = text_of(run_one(spec).ending);
                good = good && (got == "exit 2" || got == "status lost");
              }
              over = true;
              reaper.join();
              return good ? 0 : 1;
            }),
            0);
}

TEST(Host, IsSparedSigpipe) {
  const NothingLeft check;
  ChildSpec spec = sh("exec <&-; exit 0");
  spec.stdin_bytes = bytes(10'000'000);
  EXPECT_EQ(in_another_host([&] {
              std::signal(SIGPIPE, SIG_DFL);
              return ends_as(spec, "exit 0") && !is_pending(SIGPIPE) ? 0 : 1;
            }),
            0);
}

TEST(Host, KeepsItsOwnPendingSigpipeAndItsMask) {
  const NothingLeft check;
  sigset_t pipe_only, before, after;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, nullptr);
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  raise(SIGPIPE);

  ChildSpec spec = sh("exit 0");
  spec.stdin_bytes = bytes(1'000'000);
  EXPECT_TRUE(ends_as(spec, "exit 0"));

  EXPECT_TRUE(is_pending(SIGPIPE));
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(std::memcmp(&before, &after, sizeof(long)), 0);
  const timespec now{};
  EXPECT_EQ(sigtimedwait(&pipe_only, nullptr, &now), SIGPIPE);
  pthread_sigmask(SIG_UNBLOCK, &pipe_only, nullptr);
}

TEST(Host, DoesNotPassItsIgnoredOrBlockedSignalsOn) {
  const NothingLeft check;
  const ChildSpec spec =
      sh("test \"$(grep -E '^Sig(Blk|Ign)' /proc/self/status | tr -d '\\t\\n')\" = "
         "SigBlk:0000000000000000SigIgn:0000000000000000");
  EXPECT_EQ(in_another_host([&] {
              for (const int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGSYS}) {
                std::signal(signal, SIG_IGN);
              }
              sigset_t all;
              sigfillset(&all);
              pthread_sigmask(SIG_SETMASK, &all, nullptr);
              struct sigaction still{};
              sigaction(SIGPIPE, nullptr, &still);
              return ends_as(spec, "exit 0") && still.sa_handler == SIG_IGN ? 0 : 1;
            }),
            0);
}

TEST(Host, WithoutStdioRunsChildrenAsAnyOther) {
  const NothingLeft check;
  ChildSpec spec = sh("read line; test \"$line\" = hello && echo out && echo err >&2");
  spec.stdin_bytes = std::make_shared<const std::string>("hello\n");
  EXPECT_EQ(in_another_host([&] {
              ::close(0);
              ::close(1);
              ::close(2);
              const RunOutcome outcome = run_one(spec);
              return outcome.out.bytes == "out\n" && outcome.err.bytes == "err\n" ? 0 : 1;
            }),
            0);
}

TEST(Host, WithTenThousandOpenFilesLeaksNone) {
  const NothingLeft check;
  const ChildSpec spec = sh("test $(ls /proc/self/fd | wc -l) -eq 4");
  EXPECT_EQ(in_another_host([&] {
              rlimit limit{};
              getrlimit(RLIMIT_NOFILE, &limit);
              limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 10'100);
              setrlimit(RLIMIT_NOFILE, &limit);
              const int file = ::open("/dev/null", O_RDONLY);
              for (rlim_t i = 100; i < limit.rlim_cur; ++i) ::dup(file);
              return ends_as(spec, "exit 0") ? 0 : 1;
            }),
            0);
}

TEST(Host, WithoutDescriptorsLeftGetsNotStarted) {
  const NothingLeft check;
  const ChildSpec spec = sh("exit 0");
  EXPECT_EQ(in_another_host([&] {
              const rlimit limit{64, 64};
              setrlimit(RLIMIT_NOFILE, &limit);
              for (int fd = ::dup(0), spare = 0; fd >= 0; fd = ::dup(0)) {
                if (fd >= 64 - 4 && spare++ > 0) break;
              }
              const RunOutcome outcome = run_one(spec);
              return std::holds_alternative<NotStarted>(outcome.ending) ? 0 : 1;
            }),
            0);
}

TEST(Host, MayBeLarge) {
  const NothingLeft check;
  constexpr size_t kSize = size_t{256} << 20;
  void* memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, kSize);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(ends_as(sh("exit 0"), "exit 0"));
  ::munmap(memory, kSize);
}

std::atomic<int> looks = 0;
std::atomic<bool> had_time_left = false;

/// Stands still behind each look until the hook has ended and its time is over.
int ppoll_and_stand_still(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  const int ready = os::real_calls().ppoll(fds, count, timeout, mask);
  siginfo_t ended{};
  ::waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT);
  if (++looks == 1) had_time_left = timeout->tv_sec > 0 || timeout->tv_nsec > 0;
  std::this_thread::sleep_for(std::chrono::seconds(timeout->tv_sec) + std::chrono::nanoseconds(timeout->tv_nsec));
  return ready;
}

TEST(Host, ThatStandsStillHearsAHookThatEndedMeanwhile) {
  const NothingLeft check;
  os::Calls calls = os::real_calls();
  calls.ppoll = ppoll_and_stand_still;
  // Longer until the time is not over before the first look.
  for (milliseconds timeout = 40ms; !had_time_left && timeout < kLong; timeout *= 2) {
    looks = 0;
    const RunOutcome outcome = run_one(sh("echo no; exit 2", timeout), kQuick, {}, calls);
    if (had_time_left) {
      EXPECT_EQ(text_of(outcome.ending), "exit 2");
    }
  }
  EXPECT_TRUE(had_time_left);
}

std::atomic<int> ticks = 0;

TEST(Host, WithASignalEveryMillisecondIsOnlyInterrupted) {
  const NothingLeft check;
  ChildSpec cat = sh("sleep 0.03; exec cat");
  cat.stdin_bytes = bytes(1'000'000);
  const ChildSpec sleeper = sh("exec sleep 600", 50ms);
  EXPECT_EQ(in_another_host([&] {
              struct sigaction count{};
              count.sa_handler = [](int) { ++ticks; };
              sigaction(SIGALRM, &count, nullptr);
              const itimerval every{{0, 1000}, {0, 1000}};
              setitimer(ITIMER_REAL, &every, nullptr);
              const bool good = run_one(cat).out.bytes == *cat.stdin_bytes && ends_as(sleeper, "timed out");
              return good && ticks > 0 ? 0 : 1;
            }),
            0);
}

TEST(Host, MayRunHooksFromManyThreads) {
  const NothingLeft check;
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&wrong] {
        for (int i = 0; i < 10; ++i) {
          ChildSpec spec = sh("read x; echo $x; exit 2");
          spec.stdin_bytes = std::make_shared<const std::string>("word\n");
          const RunOutcome outcome = run_one(spec);
          if (text_of(outcome.ending) != "exit 2" || outcome.out.bytes != "word\n") ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace grapnel::testing
