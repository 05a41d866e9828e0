#pragma once

#include <termios.h>

#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/unique_fd.h"

namespace grapnel::cli {

/// A program that a signal ends exits with this and the signal's number.
inline constexpr int kSignalStatus = 128;

/// Ctrl-C, and being asked to end.
///
///   while something runs    the first SIGINT stops it, the second ends the process at once
///   otherwise               SIGINT wakes whoever waits for `wake_fd` and takes it; a second before that ends us, too
///   SIGTERM, SIGHUP         stop what runs and wake; the second ends the process at once
///
/// Ending at once leaves a usable terminal behind, and children to the guard (guard.h). Signals are blocked in the
/// thread that makes this and in those it starts later, and waited for in a thread of its own, so no code runs in a
/// handler. Thread: one at a time. One per process.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// What runs from now on is stopped by this token, until `end_work`.
  std::stop_token begin_work();
  void end_work();

  /// Readable while a signal waits to be taken.
  int wake_fd() const { return wake_.get(); }
  /// Whether Ctrl-C came since the last time, while working or not.
  bool take_interrupt();
  /// SIGTERM or SIGHUP, when one came.
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
