#pragma once

#include <termios.h>

#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/unique_fd.h"

namespace grapnel::cli {

/// A program that a signal ended exits with this number plus the signal's.
inline constexpr int kSignalStatus = 128;

/// Handles Ctrl-C and requests to end.
///
///   while something runs    the first SIGINT stops it, the second ends the process at once
///   otherwise               SIGINT makes `wake_fd` readable; a second one before it was taken ends the process
///   SIGTERM, SIGHUP         stop the work and make `wake_fd` readable; the second one ends the process at once
///
/// Ending at once restores the terminal and leaves child processes to orphan_killer.h. The signals are blocked in the
/// thread that creates this object and in all threads started later; a thread of its own waits for them, so no code
/// runs in a signal handler. Thread: one at a time. One per process.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Returns a token that stops the work that begins now, until `end_work`.
  std::stop_token begin_work();
  void end_work();

  /// Readable while a signal is waiting to be taken.
  int wake_fd() const { return wake_.get(); }
  /// Whether Ctrl-C was pressed since the last call.
  bool take_interrupt();
  /// SIGTERM or SIGHUP, if one arrived.
  std::optional<int> asked_to_end() const;

 private:
  void wait_for_signals(const std::stop_token& stop);
  void handle(int signal);
  [[noreturn]] void end_at_once(int signal);

  UniqueFd signals_, wake_, quit_;
  std::optional<termios> terminal_;
  mutable std::mutex mutex_;
  std::optional<std::stop_source> work_;
  bool interrupted_ = false;
  std::optional<int> asked_to_end_;
  std::jthread thread_;
};

}  // namespace grapnel::cli
