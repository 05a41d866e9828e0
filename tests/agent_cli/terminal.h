#pragma once

#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>

#include "base/unique_fd.h"

namespace grapnel::testing {

/// A program on a pseudo-terminal, and whoever sits in front of it.
class Terminal {
 public:
  /// Starts the program; words and environment as exec takes them.
  Terminal(const std::vector<std::string>& words, const std::vector<std::string>& env, const std::string& cwd) {
    const winsize size{.ws_row = 40, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
    int master = -1;
    pid_ = ::forkpty(&master, nullptr, nullptr, &size);
    if (pid_ == 0) {
      // Who runs the tests in the background, or with nohup, has some of them ignored.
      for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM}) ::signal(signal, SIG_DFL);
      if (::chdir(cwd.c_str()) == 0) ::execve(words[0].c_str(), pointers(words).data(), pointers(env).data());
      ::_exit(127);
    }
    master_ = UniqueFd(master);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  void type(std::string_view keys) const { static_cast<void>(::write(master_.get(), keys.data(), keys.size()) >= 0); }

  /// Whether the text appears behind what was waited for before.
  bool wait_for(std::string_view text) {
    for (;;) {
      const size_t at = shown_.find(text, seen_);
      if (at != std::string::npos) {
        seen_ = at + text.size();
        return true;
      }
      if (!read_more()) return false;
    }
  }

  /// Waits for the end: the exit status, or -1 for none.
  int finish() {
    while (read_more()) {
    }
    int status = 0;
    for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      ::usleep(1000);
    }
    return -1;
  }

  /// The user closes the window.
  void hang_up() { master_.reset(); }
  void send(int signal) const { ::kill(pid_, signal); }
  const std::string& shown() const { return shown_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kPatience = std::chrono::seconds(100);

  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
  }

  bool read_more() {
    pollfd poll{master_.get(), POLLIN, 0};
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kPatience).count();
    if (!master_ || ::poll(&poll, 1, static_cast<int>(patience)) <= 0) return false;
    char buffer[4096];
    const ssize_t count = ::read(master_.get(), buffer, sizeof buffer);
    if (count > 0) shown_.append(buffer, static_cast<size_t>(count));
    return count > 0;
  }

  UniqueFd master_;
  pid_t pid_ = -1;
  std::string shown_;
  size_t seen_ = 0;
};

}  // namespace grapnel::testing
