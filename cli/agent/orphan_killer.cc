#include "cli/agent/orphan_killer.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <memory>
#include <string>

#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEnvironment = size_t{4} << 20;

/// The two marks of an agent.
///
/// The variable is a path, to which an agent within an agent adds its own part. A program that is started with another
/// environment loses it. So there is also a limit: the kernel has not counted file locks since 2.4, but hands their
/// limit down to every child, and without privileges nobody can raise it. An agent within an agent keeps the limit that
/// it has.
struct Marks {
  std::string variable;  ///< as it stands in the environment
  uint64_t locks = 0;    ///< 0: there is no limit
};
/// `RLIMIT_LOCKS` of the kernel, for which the C library has no name.
constexpr int kLimitOfLocks = 10;

rlimit64 locks_of(pid_t pid) {
  rlimit64 limit{};
  return ::syscall(SYS_prlimit64, pid, kLimitOfLocks, nullptr, &limit) == 0 ? limit : rlimit64{};
}

/// Limits this process, and so everything that it starts. Returns the limit.
uint64_t limit_locks() {
  constexpr unsigned kSpareBits = 3;  // the number is far away from "no limit", and from what anybody else would set
  if (locks_of(0).rlim_max != RLIM64_INFINITY) return 0;
  uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) return 0;
  number = (number >> kSpareBits) | (uint64_t{1} << (64 - kSpareBits - 1));
  const rlimit64 limit{.rlim_cur = number, .rlim_max = number};
  return ::syscall(SYS_prlimit64, 0, kLimitOfLocks, &limit, nullptr) == 0 ? number : 0;
}

/// Whether a process was started by this agent, directly or through another agent: the agent's variable is either the
/// whole value or its beginning.
bool has_variable(const std::string& pid, const std::string& mark) {
  const auto environment = os::read_file("/proc/" + pid + "/environ", kMaxEnvironment);
  if (!environment) return false;
  const std::string all = '\0' + *environment;
  return all.contains('\0' + mark + '\0') || all.contains('\0' + mark + '/');
}

/// Kills all processes with the mark, except the agent itself, and returns how many there were.
size_t kill_marked(pid_t agent, const Marks& marks) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), ::closedir);
  size_t count = 0;
  while (const dirent* entry = processes ? ::readdir(processes.get()) : nullptr) {
    const std::string pid = entry->d_name;
    pid_t number = 0;
    if (std::from_chars(pid.data(), pid.data() + pid.size(), number).ec != std::errc{}) continue;
    if (number == ::getpid() || number == agent) continue;
    const bool is_limited = marks.locks != 0 && locks_of(number).rlim_max == marks.locks;
    if (!is_limited && !has_variable(pid, marks.variable)) continue;
    ++count;
    ::kill(number, SIGKILL);
  }
  return count;
}

/// Waits for the agent's end, then kills in rounds until several rounds find nothing. One round is not enough: a
/// process may have started another just before it died, and during `execve` a process briefly has no environment to
/// read.
[[noreturn]] void watch(int alive, pid_t agent, const Marks& marks) {
  // A session of its own keeps Ctrl-C and the end of the terminal away; standard descriptors are closed, because a
  // caller that reads the agent's output would otherwise wait for this process.
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
  char byte = 0;
  while (::read(alive, &byte, 1) > 0) {
  }
  constexpr int kRounds = 1000;
  constexpr int kQuietRounds = 5;
  for (int round = 0, quiet = 0; round < kRounds && quiet < kQuietRounds; ++round) {
    quiet = kill_marked(agent, marks) > 0 ? 0 : quiet + 1;
    ::usleep(2000);
  }
  ::_exit(0);
}

/// The mark must be in the environment that the agent was started with, because that is what /proc shows for a child
/// that has forked but not yet executed its program. An agent without a mark therefore sets one and executes itself
/// again.
std::string own_mark(char** argv) {
  const std::string name(kOrphanMarkVariable);
  const char* value = ::getenv(name.c_str());
  const std::string given = value == nullptr ? "" : value;
  const std::string own = std::to_string(::getpid()) + ".";
  if (given.substr(given.rfind('/') + 1).starts_with(own)) return given;
  const std::string mark = (given.empty() ? "" : given + "/") + own + std::to_string(::time(nullptr));
  ::setenv(name.c_str(), mark.c_str(), 1);
  ::execv("/proc/self/exe", argv);
  return mark;
}

}  // namespace

void start_orphan_killer(char** argv) {
  const std::string variable = std::string(kOrphanMarkVariable) + "=" + own_mark(argv);
  const Marks marks{.variable = variable, .locks = limit_locks()};
  const pid_t agent = ::getpid();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    write_end.reset();
    watch(read_end.get(), agent, marks);
  }
  // The kernel closes this end when the agent ends; the watcher then reads end of file.
  if (child > 0) static_cast<void>(write_end.release());
}

}  // namespace grapnel::cli
