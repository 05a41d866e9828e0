#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "os/files.h"
#include "os/patience.h"
#include "os/temp_dir.h"

// An agent that is killed leaves a transcript one can go on with, and no process.

namespace grapnel::scenario {
namespace {

class KilledAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_.put("home/.claude/settings.json", R"({"hooks":{
      "PreToolUse":[{"hooks":[{"type":"command","command":"sleep 300 & sleep 0.05"}]}],
      "PostToolUse":[{"hooks":[{"type":"command","command":"sleep 300","async":true}]}]}})");
    dir_.put(
        "home/.blade/settings.json",
        R"({"hooks":{"enabled":true,"PreToolUse":[{"hooks":[{"type":"command","command":"(sleep 300 &) ; sleep 0.02"}]}]}})");
    dir_.put("script", R"({"call": "Bash", "input": {"command": "true"}}
{"call": "Bash", "input": {"command": "sleep 300 & sleep 300"}}
{"say": "done"})");
    dir_.put("again", R"({"say": "I am back"})");
    std::filesystem::create_directories(dir_ / "project");
  }

  pid_t start(const std::vector<std::string>& arguments, const std::string& out) const {
    std::vector<std::string> words = {"grapnel-agent", "--approval", "yolo"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home"), mark()};
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file, fd);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<char*> env;
    for (std::string& variable : variables) env.push_back(variable.data());
    env.push_back(nullptr);
    if (::chdir((dir_ / "project").c_str()) == 0) ::execve(GRAPNEL_AGENT, argv.data(), env.data());
    ::_exit(127);
  }

  std::string mark() const { return "KILL_TEST=" + dir_.path(); }

  /// Processes that carry the mark; Blade's hooks inherit little, so a name in their directory tells them.
  size_t left_over() const {
    const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), ::closedir);
    size_t count = 0;
    while (const dirent* entry = ::readdir(processes.get())) {
      const std::string process = std::string("/proc/") + entry->d_name;
      const auto environment = os::read_file(process + "/environ", size_t{1} << 20);
      if (environment && environment->contains(dir_.path())) ++count;
    }
    return count;
  }

  ::grapnel::testing::TempDir dir_;
};

TEST_F(KilledAgent, LeavesNoProcessAndATranscriptToGoOnWith) {
  for (const int after : {0, 20, 40, 70, 100, 150, 250, 400}) {
    SCOPED_TRACE(std::to_string(after) + " ms after its start");
    const pid_t pid = start({"--replay", dir_ / "script", "--session-id", "killed", "go"}, dir_ / "out");
    std::this_thread::sleep_for(std::chrono::milliseconds(after));
    ::kill(pid, SIGKILL);
    ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
    EXPECT_TRUE(::grapnel::testing::becomes_true([&] { return left_over() == 0; }));

    const std::string transcript = dir_ / "home/.local/state/grapnel/transcripts/killed.jsonl";
    if (!std::filesystem::exists(transcript)) continue;
    const pid_t again = start({"--replay", dir_ / "again", "--resume", "killed", "are you there?"}, dir_ / "out");
    int status = 0;
    ASSERT_EQ(::waitpid(again, &status, 0), again);
    EXPECT_EQ(WEXITSTATUS(status), 0) << dir_.read("out");
    EXPECT_TRUE(dir_.read("out").contains("I am back")) << dir_.read("out");
    std::filesystem::remove(transcript);
  }
}

}  // namespace
}  // namespace grapnel::scenario
