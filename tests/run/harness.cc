#include "run/harness.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

/// Names this test process, so that programs running side by side do not see each other's children.
std::string mark() {
  return "GRAPNEL_TEST_OF=" + std::to_string(::getpid());
}

std::string environment_of(const fs::path& process) {
  std::ifstream file(process / "environ", std::ios::binary);
  std::ostringstream environment;
  environment << file.rdbuf();
  return environment.str();
}

/// One that is about to execute a program has the program for a moment, and no place yet for its environment.
bool is_about_to_execute(const fs::path& process) {
  std::error_code none;
  if (!environment_of(process).empty() || fs::read_symlink(process / "exe", none).empty()) return false;
  std::ifstream file(process / "stat");
  std::string stat;
  std::getline(file, stat);
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  constexpr int kEnvEnd = 51, kFirst = 3;  // as proc(5) numbers them; the first is the one behind the name
  std::string field;
  for (int i = kFirst; i <= kEnvEnd; ++i) fields >> field;
  return fields && field == "0";
}

bool is_marked(const fs::path& process) {
  becomes_true([&] { return !is_about_to_execute(process); });
  return ('\0' + environment_of(process)).contains('\0' + mark() + '\0');
}

struct Describe {
  std::string operator()(const NotStarted& e) const { return "not started: " + e.why; }
  std::string operator()(const Exited& e) const { return "exit " + std::to_string(e.code); }
  std::string operator()(const Signaled& e) const { return "signal " + std::to_string(e.signal); }
  std::string operator()(const TimedOut&) const { return "timed out"; }
  std::string operator()(const StatusLost&) const { return "status lost"; }
  std::string operator()(const Cancelled&) const { return "cancelled"; }
  std::string operator()(const Returned&) const { return "returned"; }
  std::string operator()(const Threw&) const { return "threw"; }
  std::string operator()(const auto& e) const { return describe(Ending(e)); }
};

}  // namespace

ChildSpec sh(std::string script, milliseconds timeout) {
  return {.path = "/bin/sh",
          .argv = {"sh", "-c", std::move(script)},
          .env = {"PATH=/usr/bin:/bin", "LC_ALL=C", mark()},
          .cwd = "/",
          .stdin_bytes = nullptr,
          .timeout = timeout};
}

std::shared_ptr<const std::string> bytes(size_t count, char fill) {
  return std::make_shared<const std::string>(count, fill);
}

std::string text_of(const Ending& ending) {
  return std::visit(Describe{}, ending);
}

std::vector<std::string> texts_of(std::span<const RunOutcome> outcomes) {
  std::vector<std::string> texts;
  for (const RunOutcome& outcome : outcomes) texts.push_back(text_of(outcome.ending));
  return texts;
}

size_t count_open_fds() {
  return static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

std::vector<pid_t> find_stray_processes() {
  std::vector<pid_t> strays;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (parsed.ec == std::errc() && pid != ::getpid() && is_marked(entry.path())) strays.push_back(pid);
  }
  return strays;
}

void kill_stray_processes() {
  for (const pid_t pid : find_stray_processes()) ::kill(pid, SIGKILL);
}

NothingLeft::NothingLeft() : fds_(count_open_fds()) {}

NothingLeft::~NothingLeft() {
  EXPECT_LT(std::chrono::steady_clock::now(), until_) << "took too long";
  EXPECT_EQ(count_open_fds(), fds_) << "descriptors leaked";
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was not reaped";
  EXPECT_EQ(errno, ECHILD);
  // A killed process needs a moment to go.
  EXPECT_TRUE(becomes_true([] { return find_stray_processes().empty(); })) << "a process was left running";
  kill_stray_processes();
}

RunOutcome run_one(const ChildSpec& spec, const ChildLimits& limits, const os::CancelToken& cancel,
                   const os::Calls& calls) {
  return std::move(run_children({&spec, 1}, 0, limits, cancel, {.calls = calls}).at(0));
}

int fork_and_wait(int (*body)(void*), void* argument) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body(argument));
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace grapnel::testing
