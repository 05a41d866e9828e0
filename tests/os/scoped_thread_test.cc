#include "os/scoped_thread.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "os/files.h"
#include "os/patience.h"
#include "os/sandbox.h"

// `kill(-1)` outside of the domain would end every program of the user. So it must never be called where it was not
// shown that it reaches nobody else.

namespace grapnel::os {
namespace {

/// A process that waits, in a session of its own, whose parent has ended.
pid_t start_orphan() {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t parent = ::fork();
  if (parent == 0) {
    const pid_t orphan = ::fork();
    if (orphan == 0) {
      ::setsid();
      const pid_t own = ::getpid();
      if (::write(ends[1], &own, sizeof own) != sizeof own) ::_exit(1);
      for (;;) ::pause();
    }
    ::_exit(0);
  }
  ::waitpid(parent, nullptr, 0);
  pid_t orphan = -1;
  if (::read(ends[0], &orphan, sizeof orphan) != sizeof orphan) orphan = -1;
  ::close(ends[0]);
  ::close(ends[1]);
  return orphan;
}

/// It may wait to be reaped by whoever adopted it.
bool is_gone(pid_t pid) {
  const auto status = read_file("/proc/" + std::to_string(pid) + "/status", 8192);
  return !status || status->contains("\nState:\tZ") || status->contains("\nState:\tX");
}

TEST(ScopedThread, EndsWhatItStartedAndNobodyElse) {
  if (sandbox_means(real_calls()).landlock < kLandlockKnowsSignals) GTEST_SKIP() << "this kernel cannot do it";
  const pid_t witness = start_orphan();
  for (int i = 0; i < 50; ++i) {
    const auto thread = ScopedThread::start(real_calls());
    ASSERT_TRUE(thread);
    pid_t inside = -1;
    thread->run([&] { inside = start_orphan(); });
    thread->kill_all();
    EXPECT_TRUE(testing::becomes_true([&] { return is_gone(inside); }));
    EXPECT_EQ(::kill(witness, 0), 0);
  }
  ::kill(witness, SIGKILL);
}

struct Broken {
  const char* note;
  void (*spoil)(Calls& calls);
};

const Broken kBroken[] = {
    {"no Landlock",
     [](Calls& calls) { calls.landlock_create = [](const void*, size_t, unsigned) { return errno = ENOSYS, -1; }; }},
    {"an old one",
     [](Calls& calls) {
       calls.landlock_create = [](const void* attributes, size_t size, unsigned flags) {
         return attributes == nullptr ? 5 : real_calls().landlock_create(attributes, size, flags);
       };
     }},
    {"no ruleset",
     [](Calls& calls) {
       calls.landlock_create = [](const void* attributes, size_t size, unsigned flags) {
         return attributes != nullptr ? (errno = EMFILE, -1) : real_calls().landlock_create(attributes, size, flags);
       };
     }},
    {"it keeps its privileges",
     [](Calls& calls) { calls.give_up_new_privileges = []() -> long { return errno = EINVAL, -1; }; }},
    {"it cannot enter", [](Calls& calls) { calls.landlock_enter = [](int) -> long { return errno = E2BIG, -1; }; }},
    {"it does not enter", [](Calls& calls) { calls.landlock_enter = [](int) -> long { return 0; }; }},
    {"its parent is out of reach anyway",
     [](Calls& calls) { calls.kill = [](pid_t, int) { return errno = EPERM, -1; }; }},
    {"its parent does not exist", [](Calls& calls) { calls.kill = [](pid_t, int) { return errno = ESRCH, -1; }; }},
};

TEST(ScopedThread, IsNoneWithoutProof) {
  for (const Broken& broken : kBroken) {
    SCOPED_TRACE(broken.note);
    Calls calls = real_calls();
    broken.spoil(calls);
    EXPECT_FALSE(ScopedThread::start(calls));
  }
}

int signals_to_all = 0;

// What was shown at the start may not hold for ever.
TEST(ScopedThread, ProvesItAgainBeforeItEnds) {
  if (sandbox_means(real_calls()).landlock < kLandlockKnowsSignals) GTEST_SKIP() << "this kernel cannot do it";
  static bool is_open = false;
  is_open = false;
  signals_to_all = 0;
  Calls calls = real_calls();
  calls.kill = [](pid_t pid, int signal) {
    if (pid == -1) return ++signals_to_all, 0;
    return is_open ? 0 : real_calls().kill(pid, signal);
  };
  const auto thread = ScopedThread::start(calls);
  ASSERT_TRUE(thread);
  thread->kill_all();
  EXPECT_EQ(signals_to_all, 1);
  is_open = true;
  thread->kill_all();
  EXPECT_EQ(signals_to_all, 1);
}

}  // namespace
}  // namespace grapnel::os
