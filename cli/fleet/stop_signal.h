#pragma once

#include <chrono>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace grapnel::cli {

/// Ends a program that keeps running, when it is asked to by SIGTERM or SIGINT. Make one before any thread is started:
/// it blocks the signals, also for threads to come.
class StopSignal {
 public:
  StopSignal();

  /// Waits until it is time to stop, somebody called `wake`, or the time is over. True: stop.
  bool wait(std::chrono::milliseconds patience);
  /// Thread: any.
  void wake() const;
  bool is_stopped() const { return is_stopped_; }

 private:
  UniqueFd signals_;
  UniqueFd wakeups_;
  bool is_stopped_ = false;
};

/// The file with this process's number, which goes with the object. Only one process can have it.
class PidFile {
 public:
  /// Waits for one that is just ending. Fails: Refused when another process has it; System.
  static Result<PidFile> take(const std::string& path, std::chrono::milliseconds patience = {});
  PidFile(PidFile&& other) noexcept = default;
  PidFile& operator=(PidFile&&) = delete;
  ~PidFile();

 private:
  PidFile(std::string path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  UniqueFd lock_;
};

}  // namespace grapnel::cli
