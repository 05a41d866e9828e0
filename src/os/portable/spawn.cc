#include "os/spawn.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>

#include "os/signals_blocked.h"
#include "os/spawn_words.h"

/// Starts programs with `posix_spawn`, and learns of their end from a thread for each, which waits and then closes
/// a socket: poll knows no processes, and a SIGCHLD handler would belong to the host.
namespace grapnel::os {
namespace {

/// What `posix_spawn` is told. Destroyed in the order of POSIX.
class Plan {
 public:
  Plan() {
    error_ = ::posix_spawnattr_init(&attributes_);
    if (error_ == 0) error_ = ::posix_spawn_file_actions_init(&actions_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// A group of its own, default actions for all signals, none blocked.
  void detach_from_host() {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    note(::posix_spawnattr_setpgroup(&attributes_, 0));
    note(::posix_spawnattr_setsigdefault(&attributes_, &all));
    note(::posix_spawnattr_setsigmask(&attributes_, &none));
    note(::posix_spawnattr_setflags(&attributes_,
                                    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
  }
  void enter(const char* directory) { note(::posix_spawn_file_actions_addchdir_np(&actions_, directory)); }
  void put(int fd, int as) { note(::posix_spawn_file_actions_adddup2(&actions_, fd, as)); }
  void close(int fd) { note(::posix_spawn_file_actions_addclose(&actions_, fd)); }

  int run(pid_t& pid, const char* path, char* const* argv, char* const* env) const {
    return error_ != 0 ? error_ : ::posix_spawn(&pid, path, &actions_, &attributes_, argv, env);
  }

 private:
  void note(int error) {
    if (error_ == 0) error_ = error;
  }

  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
  int error_ = 0;
};

struct DirDelete {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

/// The descriptors above stdio that exec would not close by itself. A host that opens one at this moment keeps it to
/// itself only if it marks it close-on-exec.
std::vector<int> inheritable() {
  std::vector<int> out;
  const auto keep = [&](int fd) {
    const int flags = fd > STDERR_FILENO ? ::fcntl(fd, F_GETFD) : -1;
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) out.push_back(fd);
  };
  if (const std::unique_ptr<DIR, DirDelete> dir(::opendir("/dev/fd")); dir) {
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string_view name = entry->d_name;
      int fd = -1;
      std::from_chars(name.data(), name.data() + name.size(), fd);
      keep(fd);
    }
    return out;
  }
  for (int fd = 0, end = static_cast<int>(::sysconf(_SC_OPEN_MAX)); fd < end; ++fd) keep(fd);
  return out;
}

/// A copy above stdio, if the host runs without stdio and a pipe has got one of its numbers.
UniqueFd lift(int fd, bool& works) {
  if (fd > STDERR_FILENO) return {};
  UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  works = works && copy;
  return copy;
}

bool is_directory(const char* path) {
  struct stat st;
  return ::stat(path, &st) == 0 && S_ISDIR(st.st_mode) && ::access(path, X_OK) == 0;
}

/// `posix_spawn` does not say which step failed, so the directory is asked again.
std::unexpected<Error> explain(const SpawnSpec& spec, int error) {
  if (spec.cwd[0] != '\0' && !is_directory(spec.cwd)) {
    return fail_errno(std::string("cannot enter the working directory ") + spec.cwd, error);
  }
  return cannot_run(spec, error);
}

/// Two connected sockets, close-on-exec. Sockets and not a pipe, because a socket can have an owner.
bool open_report(UniqueFd& here, UniqueFd& there) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  here = UniqueFd(ends[0]);
  there = UniqueFd(ends[1]);
  return ::fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

/// Waits for the exit, and leaves the process to be reaped by whoever asks for its status. The other end of `report`
/// becomes readable when this one is closed.
void watch(pid_t pid, UniqueFd report) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  report.reset();
}

bool start_watching(pid_t pid, UniqueFd report) {
  const SignalsBlocked blocked;  // no handler of the host runs in this thread
  try {
    std::thread([pid, report = std::move(report)]() mutable { watch(pid, std::move(report)); }).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

Result<Spawned> spawn(const SpawnSpec& spec, const Calls& calls) {
  if (spec.sandbox != nullptr) return fail(Errc::Unavailable, "this build of Grapnel has no sandbox");
  auto argv = pointers_to(spec.argv);
  if (!argv) return std::unexpected(argv.error());
  const auto env = spec.env.pointers();
  if (!env) return fail(Errc::BadInput, "an environment variable contains a NUL byte");
  UniqueFd here, there;
  if (!open_report(here, there)) return fail_errno("cannot start a process");

  Plan plan;
  plan.detach_from_host();
  const std::array<int, 3> given = {spec.stdin_fd, spec.stdout_fd, spec.stderr_fd};
  std::array<UniqueFd, 3> lifted;
  bool works = true;
  for (size_t i = 0; i < given.size(); ++i) {
    lifted[i] = lift(given[i], works);
    plan.put(lifted[i] ? lifted[i].get() : given[i], static_cast<int>(i));
  }
  if (!works) return fail_errno("cannot start a process");
  if (spec.cwd[0] != '\0') plan.enter(spec.cwd);
  for (const int fd : inheritable()) plan.close(fd);
  pid_t pid = -1;
  if (const int error = plan.run(pid, spec.path, argv->data(), env->data()); error != 0) return explain(spec, error);
  // `waitid` of calls.cc finds the process of a socket by its owner. If the host ignores SIGCHLD, it may be gone
  // already.
  const bool has_owner = ::fcntl(here.get(), F_SETOWN, pid) == 0 || errno == ESRCH;
  if (!has_owner || !start_watching(pid, std::move(there))) {
    calls.kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(Errc::System, "cannot watch a process");
  }
  Spawned child;
  child.pid = pid;
  child.pidfd = std::move(here);
  return child;
}

}  // namespace grapnel::os
