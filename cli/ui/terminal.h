#pragma once

#include <string>

#include "base/environment.h"
#include "base/unique_fd.h"

/// The terminal that `grapnel ui` was started from, and the browser.
namespace grapnel::cli {

/// The terminal itself, also if standard output is something else. Thread: any.
class Terminal {
 public:
  Terminal();
  /// Whether somebody can read what is shown here.
  bool is_there() const { return static_cast<bool>(fd_); }
  void show(const std::string& line) const;

 private:
  UniqueFd fd_;
};

/// What made the program end, or wait no longer.
enum class Wakeup : uint8_t { Time, Enter, End };

/// Waits for signals, for Enter, for the end of the terminal and for that of the process that started this one. Make it
/// before any thread is started: threads inherit that these signals are blocked.
class EndWatch {
 public:
  EndWatch();
  /// Waits for at most a second.
  Wakeup wait() const;

 private:
  UniqueFd signals_;
  pid_t parent_ = 0;
  bool reads_input_ = false;
};

/// Opens an address in a browser. The address has a secret, which must not be on a command line that all users can
/// see; so the browser is given a file of this user's that leads there. The file is removed with this object.
class BrowserWindow {
 public:
  /// Does nothing without a browser to start.
  BrowserWindow(const Environment& env, const std::string& address);
  BrowserWindow(const BrowserWindow&) = delete;
  BrowserWindow& operator=(const BrowserWindow&) = delete;
  ~BrowserWindow();
  bool is_open() const { return is_open_; }

 private:
  std::string file_;
  bool is_open_ = false;
};

}  // namespace grapnel::cli
