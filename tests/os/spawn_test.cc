#include "os/spawn.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <vector>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace grapnel::os {
namespace {

const Environment kEnv = {"PATH=/usr/bin:/bin"};

int wait_for(const Spawned& child) {
  siginfo_t info{};
  EXPECT_EQ(real_calls().waitid(P_PIDFD, static_cast<id_t>(child.pidfd.get()), &info, WEXITED), 0);
  return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

Result<Spawned> start(const char* path, const std::vector<std::string>& argv, const Calls& calls = real_calls()) {
  const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  return spawn({.path = path,
                .argv = argv,
                .env = kEnv,
                .stdin_fd = null.get(),
                .stdout_fd = null.get(),
                .stderr_fd = null.get()},
               calls);
}

TEST(Spawn, GivesAPidfdAndAGroupOfItsOwn) {
  auto child = start("/bin/sh", {"sh", "-c", "exec sleep 30"});
  ASSERT_TRUE(child.has_value()) << child.error().message;
  EXPECT_EQ(::getpgid(child->pid), child->pid);
  EXPECT_EQ(::fcntl(child->pidfd.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::kill(-child->pid, SIGKILL), 0);
  EXPECT_EQ(wait_for(*child), -SIGKILL);
}

TEST(Spawn, PassesArgumentsAsTheyAre) {
  auto child =
      start("/bin/sh", {"sh", "-c", "test \"$#|$1|$2|$3\" = '3||a b|$(exit 9)'", "name", "", "a b", "$(exit 9)"});
  ASSERT_TRUE(child.has_value());
  EXPECT_EQ(wait_for(*child), 0);
}

TEST(Spawn, FailureOfTheCloneIsAnError) {
  Calls calls = real_calls();
  calls.clone = [](int (*)(void*), void*, int, void*, int*) {
    errno = EAGAIN;
    return -1;
  };
  const auto child = start("/bin/true", {"true"}, calls);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().sys, EAGAIN);
}

TEST(Spawn, FailureOfTheProgramLeavesNoChild) {
  const auto child = start("/nonexistent", {"x"});
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().sys, ENOENT);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

struct SignalledChild {
  int (*child)(void*);
  void* argument;
};

int run_signalled(void* argument) {
  const auto* const job = static_cast<const SignalledChild*>(argument);
  ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGINT);
  return job->child(job->argument);
}

TEST(Spawn, AKeyOnTheHostsTerminalDoesNotMeanTheChild) {
  Calls calls = real_calls();
  calls.clone = [](int (*child)(void*), void* stack, int flags, void* argument, int* pidfd) {
    SignalledChild job{child, argument};
    return real_calls().clone(run_signalled, stack, flags, &job, pidfd);
  };
  const auto child = start("/bin/true", {"true"}, calls);
  ASSERT_TRUE(child.has_value());
  EXPECT_EQ(wait_for(*child), 0);
}

int handled = 0;

TEST(Spawn, LeavesTheHandlersAndMaskOfTheHostAlone) {
  struct sigaction action{}, before{};
  action.sa_handler = [](int) { ++handled; };
  sigaction(SIGUSR1, &action, &before);
  auto child = start("/bin/true", {"true"});
  ASSERT_TRUE(child.has_value());
  EXPECT_EQ(wait_for(*child), 0);
  raise(SIGUSR1);
  EXPECT_EQ(handled, 1);
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace grapnel::os
