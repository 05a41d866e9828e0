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

#include "base/environment.h"
#include "base/unique_fd.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEnvironment = size_t{4} << 20;

/// Whether a process was started by this agent, directly or through another agent: marks are nested paths, so the
/// agent's mark is either the whole value or its beginning.
bool is_marked(const std::string& pid, const std::string& mark) {
  const auto environment = os::read_file("/proc/" + pid + "/environ", kMaxEnvironment);
  if (!environment) return false;
  const std::string all = '\0' + *environment;
  return all.contains('\0' + mark + '\0') || all.contains('\0' + mark + '/');
}

/// Kills all processes with the mark, except the agent itself, and returns how many there were.
size_t kill_marked(pid_t agent, const std::string& mark) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), ::closedir);
  size_t count = 0;
  while (const dirent* entry = processes ? ::readdir(processes.get()) : nullptr) {
    const std::string pid = entry->d_name;
    pid_t number = 0;
    if (std::from_chars(pid.data(), pid.data() + pid.size(), number).ec != std::errc{}) continue;
    if (number == ::getpid() || number == agent || !is_marked(pid, mark)) continue;
    ++count;
    ::kill(number, SIGKILL);
  }
  return count;
}

/// Waits for the agent's end, then kills in rounds until several rounds find nothing. One round is not enough: a
/// process may have started another just before it died, and during `execve` a process briefly has no environment to
/// read.
[[noreturn]] void watch(int alive, pid_t agent, const std::string& mark) {
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
    quiet = kill_marked(agent, mark) > 0 ? 0 : quiet + 1;
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
  const std::string mark = std::string(kOrphanMarkVariable) + "=" + own_mark(argv);
  const pid_t agent = ::getpid();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    write_end.reset();
    watch(read_end.get(), agent, mark);
  }
  // The kernel closes this end when the agent ends; the watcher then reads end of file.
  if (child > 0) static_cast<void>(write_end.release());
}

}  // namespace grapnel::cli
