#include <sched.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "harness.h"
#include "run/parallel_spawn.h"

namespace grapnel {
namespace {

using namespace testing;

std::vector<ChildSpec> many(size_t count, const std::string& script) {
  std::vector<ChildSpec> specs;
  for (size_t i = 0; i < count; ++i) specs.push_back(sh("i=" + std::to_string(i) + "; " + script));
  return specs;
}

std::vector<RunOutcome> run(const std::vector<ChildSpec>& specs, const os::CancelToken& cancel = {}) {
  return run_in_shares(specs, {}, cancel, os::real_calls());
}

/// Each child says its number twice, and both have to be at its place.
size_t count_right(const std::vector<RunOutcome>& outcomes) {
  size_t right = 0;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const std::string number = std::to_string(i);
    right += text_of(outcomes[i].ending) == "exit " + number && outcomes[i].out.bytes == number + "\n";
  }
  return right;
}

size_t count_threads() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

/// From now on this process gets no threads; processes it does.
void forbid_threads() {
  constexpr uint32_t kFlags = offsetof(seccomp_data, args);
  auto filter = std::to_array<sock_filter>({
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFlags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 2),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  });
  const sock_fprog program{.len = filter.size(), .filter = filter.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

TEST(Shares, OutcomesAreInTheOrderOfTheirHooks) {
  const NothingLeft nothing_left;
  for (const size_t count : {0, 1, 2, 7, 8, 9, 10, 17, 40}) {
    SCOPED_TRACE(count);
    const auto outcomes = run(many(count, "echo $i; exit $i"));
    ASSERT_EQ(outcomes.size(), count);
    EXPECT_EQ(count_right(outcomes), count);
  }
}

TEST(Shares, LeaveNoThread) {
  const size_t before = count_threads();
  run(many(10, "exit 0"));
  // The kernel shows one for a moment that has ended already.
  while (count_threads() > before) std::this_thread::sleep_for(1ms);
}

TEST(Shares, AreAllCancelled) {
  const NothingLeft nothing_left;
  const os::CancelSource source;
  const std::jthread host([&] {
    std::this_thread::sleep_for(50ms);
    source.cancel();
  });
  for (const RunOutcome& outcome : run(many(10, "exec sleep 60"), source.token())) {
    EXPECT_EQ(text_of(outcome.ending), "cancelled");
  }
}

TEST(Shares, AreOursWhereTheHostMayHaveNoThread) {
  const int status = in_another_host([] {
    forbid_threads();
    try {
      std::jthread thread([] {});
      return 1;
    } catch (const std::system_error&) {
      return count_right(run(many(10, "echo $i; exit $i"))) == 10 ? 0 : 2;
    }
  });
  EXPECT_EQ(status, 0);
}

TEST(Shares, GetNoneOfTheHostsSignals) {
  const int status = in_another_host([] {
    static volatile sig_atomic_t by_host = 0, by_others = 0;
    std::signal(SIGUSR1, [](int) { (gettid() == getpid() ? by_host : by_others) = 1; });
    for (int i = 0; i < 20; ++i) run(many(10, "kill -USR1 $PPID; kill -USR1 $PPID"));
    if (by_others != 0) return 1;
    return by_host != 0 ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace grapnel
