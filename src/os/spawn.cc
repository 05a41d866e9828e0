#include "os/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <sys/resource.h>
#include <sys/syscall.h>

#include "os/signals_blocked.h"
#include "os/spawn_words.h"

// Functions that run in the child share their memory with a sleeping parent, so sanitizers must not keep notes about
// what they do.
#define GRAPNEL_IN_CHILD \
  __attribute__((noinline, no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))

namespace grapnel::os {
namespace {

constexpr size_t kStackSize = size_t{32} << 10;
/// The standard signals, and two more that posix_spawn leaves ignored in the programs it starts.
constexpr int kLastReset = 33;
constexpr size_t kKernelSigsetSize = 8;

/// The step that failed in the child, for the message.
enum class Step : uint8_t { None, Group, Directory, Stdio, CloseRest, Tag, Sandbox, Execute };

/// Shared memory of parent and child: the parent fills it in before the clone, and the child reports a failure in it.
struct Job {
  const SpawnSpec* spec;
  char* const* argv;
  char* const* env;
  const Calls* calls;
  Tag tag;
  const Sandbox* sandbox = nullptr;
  const Sandbox::Limit* limits = nullptr;
  size_t limit_count = 0;
  size_t ruleset_count = 0;
  int rulesets[Sandbox::kMaxLayers] = {};
  bool drops_capabilities = false;
  bool needs_tag = false;  ///< without it, nothing would find what the child starts
  const sock_fprog* filter = nullptr;
  Step failed = Step::None;
  int error = 0;
};

/// Sets the default action with the kernel's own call. The C library's function would also update tables that the
/// parent still uses.
GRAPNEL_IN_CHILD void reset_signal(int signal) {
  const unsigned long action[4] = {0, 0, 0, 0};
  ::syscall(SYS_rt_sigaction, signal, action, nullptr, kKernelSigsetSize);
}

/// Exec removes handlers, but ignored signals stay ignored, so the actions are reset. Most real-time signals are left
/// out: they mean nothing to a program without a handler, and resetting them all would cost as much again.
GRAPNEL_IN_CHILD void reset_signals() {
  for (int signal = 1; signal <= kLastReset; ++signal) reset_signal(signal);
}

/// Until the child had its own group, a key press on the host's terminal was meant for the child, too. Signals that are
/// pending because of that are dropped.
GRAPNEL_IN_CHILD void forget_signals_of_host() {
  const unsigned long all = ~0UL;
  const long now[2] = {0, 0};
  while (::syscall(SYS_rt_sigtimedwait, &all, nullptr, now, kKernelSigsetSize) > 0) {
  }
}

GRAPNEL_IN_CHILD void unblock_signals() {
  const unsigned long none = 0;
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, kKernelSigsetSize);
}

/// If the host runs without stdio, a pipe may have got one of the numbers 0 to 2. It must move before these are
/// replaced.
GRAPNEL_IN_CHILD long lift(int fd) {
  return fd > STDERR_FILENO ? fd : ::syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

GRAPNEL_IN_CHILD bool place_stdio(const SpawnSpec* spec) {
  const long in = lift(spec->stdin_fd);
  const long out = lift(spec->stdout_fd);
  const long err = lift(spec->stderr_fd);
  return in >= 0 && out >= 0 && err >= 0 &&                  //
         ::syscall(SYS_dup3, in, STDIN_FILENO, 0) >= 0 &&    //
         ::syscall(SYS_dup3, out, STDOUT_FILENO, 0) >= 0 &&  //
         ::syscall(SYS_dup3, err, STDERR_FILENO, 0) >= 0;
}

/// Closes every descriptor except stdio.
GRAPNEL_IN_CHILD bool close_rest() {
  if (::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0) return true;
  // For kernels before 5.9, and sandboxes that forbid calls they do not know.
  rlimit limit{};
  if (::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) != 0) return false;
  for (rlim_t fd = STDERR_FILENO + 1; fd < limit.rlim_cur; ++fd) ::syscall(SYS_close, fd);
  return true;
}

/// A child that cannot be tagged runs all the same; the parent learns that it has no tag.
GRAPNEL_IN_CHILD void put_tag(Job* job) {
  if (job->tag.level == 0) return;
  if (job->calls->limit_self(RLIMIT_RTTIME, &job->tag.limit) < 0) job->tag.level = 0;
}

/// Capabilities that a program in a sandbox may keep: those about the files and identities of users. Their numbers are
/// part of the kernel's interface.
constexpr unsigned long kLastCapability = 63;
constexpr unsigned long kKeptCapabilities = 0xFF;  // CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, FSETID, KILL, SET*ID

/// The kernel refuses numbers that it does not know; all that it knows were dropped then.
GRAPNEL_IN_CHILD bool drop_capabilities(const Job* job) {
  for (unsigned long capability = 0; capability <= kLastCapability; ++capability) {
    if (((kKeptCapabilities >> capability) & 1U) != 0) continue;
    if (job->calls->drop_capability(capability) == 0) continue;
    return errno == EINVAL && capability > 0;
  }
  return true;
}

/// Every step must succeed: a sandbox that has a hole is none.
GRAPNEL_IN_CHILD bool put_sandbox_on(const Job* job) {
  const Calls* calls = job->calls;
  for (size_t i = 0; i < job->limit_count; ++i) {
    if (calls->limit_self(job->limits[i].resource, &job->limits[i].limit) < 0) return false;
  }
  if (job->drops_capabilities && !drop_capabilities(job)) return false;
  if (calls->give_up_new_privileges() < 0) return false;
  for (size_t i = 0; i < job->ruleset_count; ++i) {
    if (calls->landlock_enter(job->rulesets[i]) < 0) return false;
  }
  return calls->install_filter(job->filter) == 0;
}

/// The order matters. The process group comes first, so that no more signals arrive from the host's terminal. Signals
/// are unblocked last, when no handler of the host is left.
GRAPNEL_IN_CHILD Step execute(Job* job) {
  if (::syscall(SYS_setpgid, 0, 0) != 0) return Step::Group;
  forget_signals_of_host();
  reset_signals();
  const SpawnSpec* spec = job->spec;
  if (spec->cwd[0] != '\0' && ::syscall(SYS_chdir, spec->cwd) != 0) return Step::Directory;
  if (!place_stdio(spec)) return Step::Stdio;
  put_tag(job);
  if (job->needs_tag && job->tag.level == 0) return Step::Tag;
  if (job->sandbox != nullptr && !put_sandbox_on(job)) return Step::Sandbox;
  if (!close_rest()) return Step::CloseRest;
  unblock_signals();
  ::syscall(SYS_execve, spec->path, job->argv, job->env);
  return Step::Execute;
}

/// Only reached again if a step failed. The exit status does not matter: the parent reads `failed`.
GRAPNEL_IN_CHILD int child_main(void* argument) {
  Job* job = static_cast<Job*>(argument);
  job->failed = execute(job);
  job->error = errno;
  ::syscall(SYS_exit_group, 127);
  __builtin_unreachable();
}

std::unexpected<Error> explain(const Job& job) {
  const SpawnSpec& spec = *job.spec;
  if (job.failed == Step::Directory) {
    return fail_errno(std::string("cannot enter the working directory ") + spec.cwd, job.error);
  }
  if (job.failed == Step::Execute) {
    return cannot_run(spec, job.error);
  }
  if (job.failed == Step::Sandbox || job.failed == Step::Tag) {
    const std::string why = job.failed == Step::Tag ? "what it starts could not be found" : std::strerror(job.error);
    return std::unexpected(Error{Errc::Unavailable, "its sandbox cannot be set up: " + why, std::nullopt, job.error});
  }
  return fail_errno("cannot prepare a process", job.error);
}

/// Clones the child. Its stack is memory of this function, which stays until the child has left it. It is not in the
/// frame, because the caller's own stack may be hardly larger.
int clone_child(Job& job, int& pidfd, const Calls& calls) {
  const std::unique_ptr<std::byte[]> stack(new std::byte[kStackSize]);  // aligned as every large block
  const SignalsBlocked blocked;  // the child shares our memory, so no handler of the host may run in it
  const int pid =
      calls.clone(child_main, stack.get() + kStackSize, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &job, &pidfd);
  if (pid < 0) job.error = errno;
  return pid;
}

/// Collects the child that failed, so that no zombie is left.
void reap(int pidfd, const Calls& calls) {
  siginfo_t info{};
  while (calls.waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED) != 0 && errno == EINTR) {
  }
}

/// What the child reads is copied to where it needs no code of ours to read it.
void take_sandbox(Job& job, const Sandbox& sandbox) {
  job.sandbox = &sandbox;
  job.limits = sandbox.limits().data();
  job.limit_count = sandbox.limits().size();
  job.ruleset_count = sandbox.ruleset_count();
  for (size_t i = 0; i < job.ruleset_count; ++i) job.rulesets[i] = sandbox.ruleset(i);
  job.drops_capabilities = sandbox.drops_capabilities();
  job.filter = &sandbox.filter();
}

Means means_of(const Spawned& child, bool has_sandbox) {
  if (child.scope) return Means::Scope;
  if (child.tag.level == 0) return Means::Group;
  return has_sandbox ? Means::SealedMark : Means::Mark;
}

}  // namespace

Result<Spawned> spawn(const SpawnSpec& spec, const Calls& calls) {
  auto argv = pointers_to(spec.argv);
  if (!argv) return std::unexpected(argv.error());
  const auto env = spec.env.pointers();
  if (!env) return fail(Errc::BadInput, "an environment variable contains a NUL byte");

  Job job{.spec = &spec, .argv = argv->data(), .env = env->data(), .calls = &calls, .tag = new_tag(calls)};
  if (spec.sandbox != nullptr) take_sandbox(job, *spec.sandbox);
  Spawned child;
  // The thread is what is strongest, and needs what sandboxes have given up anyway.
  if (spec.sandbox != nullptr) {
    child.scope = ScopedThread::start(calls);
    job.needs_tag = !child.scope || spec.sandbox->counts_processes();
  }
  int pidfd = -1;
  const auto clone = [&] { child.pid = clone_child(job, pidfd, calls); };
  if (child.scope) {
    child.scope->run(clone);
  } else {
    clone();
  }
  if (child.pid < 0) return fail_errno("cannot start a process", job.error);
  child.pidfd = UniqueFd(pidfd);
  child.tag = job.tag;
  child.means = means_of(child, spec.sandbox != nullptr);
  if (job.failed == Step::None) return child;
  reap(child.pidfd.get(), calls);
  return explain(job);
}

}  // namespace grapnel::os
