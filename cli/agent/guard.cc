#include "cli/agent/guard.h"

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
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEnvironment = size_t{4} << 20;

/// Whether a process was started below the agent.
bool is_marked(const std::string& pid, const std::string& mark) {
  const auto environment = os::read_file("/proc/" + pid + "/environ", kMaxEnvironment);
  if (!environment) return false;
  return environment->starts_with(mark + '\0') || environment->contains('\0' + mark + '\0');
}

/// Kills what carries the mark; how many there were.
size_t kill_marked(const std::string& mark) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), ::closedir);
  size_t count = 0;
  while (const dirent* entry = processes ? ::readdir(processes.get()) : nullptr) {
    const std::string pid = entry->d_name;
    pid_t number = 0;
    if (std::from_chars(pid.data(), pid.data() + pid.size(), number).ec != std::errc{}) continue;
    if (number == ::getpid() || !is_marked(pid, mark)) continue;
    ++count;
    ::kill(number, SIGKILL);
  }
  return count;
}

/// What the killed start meanwhile is found in the next round; killed processes keep no environment.
[[noreturn]] void watch(int alive, const std::string& mark) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
  char byte = 0;
  while (::read(alive, &byte, 1) > 0) {
  }
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds && kill_marked(mark) > 0; ++round) ::usleep(1000);
  ::_exit(0);
}

}  // namespace

Guard Guard::start() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Guard(UniqueFd());
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const std::string mark = std::to_string(::getpid()) + "." + std::to_string(::time(nullptr));
  const pid_t child = ::fork();
  if (child < 0) return Guard(UniqueFd());
  if (child == 0) {
    write_end.reset();
    watch(read_end.get(), std::string(kGuardVariable) + "=" + mark);
  }
  ::setenv(std::string(kGuardVariable).c_str(), mark.c_str(), 1);
  return Guard(std::move(write_end));
}

}  // namespace grapnel::cli
