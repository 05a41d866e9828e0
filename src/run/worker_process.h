#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "os/pipe.h"
#include "run/child.h"
#include "run/process.h"

namespace grapnel {

/// The last bytes of a stream, and how many there were.
class StreamTail {
 public:
  explicit StreamTail(size_t limit) : limit_(limit) {}

  void add(std::string_view bytes);
  uint64_t end() const { return end_; }
  /// What came after a place that `end` was at, as far as it is kept.
  Capture since(uint64_t from) const;

 private:
  size_t limit_;
  uint64_t end_ = 0;
  std::string kept_;
};

/// The process of a worker: lines to it, lines and errors from it. A passive machine that never waits but in `finish`.
///
///     start ──▶ Running ── end ──▶ Closing ── due ──▶ Terminating ── due ──▶ Killed
///                  │ condemn                                                   ▲
///                  └───────────────────────────────────────────────────────────┘
///
/// From every state `has_exited` may become true, and then `finish` ends the rest of its group and reaps it.
/// Thread: one at a time.
class WorkerProcess {
 public:
  enum class Source : uint8_t { Stdin, Errors, Output, Exit };
  /// In the order to look at them: errors said before an answer belong to it, and all lines come before the exit.
  static constexpr Source kSources[] = {Source::Stdin, Source::Errors, Source::Output, Source::Exit};
  /// `is_whole` is false for the front of a line that was too long.
  using OnLine = std::function<void(std::string_view line, bool is_whole)>;

  /// Fails: System, BadInput.
  static Result<std::unique_ptr<WorkerProcess>> start(const ChildSpec& spec, const ChildLimits& limits,
                                                      const os::Calls& calls);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() { finish(); }

  /// The descriptor to poll for that source, or -1 when it is not waited for.
  int fd_of(Source source) const;

  /// Queues a line and writes what can be written.
  void send(uint64_t id, std::string line);
  /// A line that was sent, to be written over: saves the next one its memory.
  std::string take_spare() { return std::move(spare_); }
  bool has_unsent() const { return !lines_.empty(); }
  size_t unsent_bytes() const { return unsent_bytes_; }
  /// Takes a line back; false when some of it was written already.
  bool take_back(uint64_t id);
  void feed();
  void read_output(const OnLine& on_line);
  /// When one that has closed its input or output is to be condemned, unless it has exited by then.
  Deadline closed_due() const { return is_condemned() ? Deadline::max() : closed_due_; }
  void on_closed_due();
  void read_errors();
  const StreamTail& errors() const { return errors_; }

  /// It is of no more use: kills its group. The first reason stays.
  void condemn(std::string why);
  bool is_condemned() const { return !why_condemned_.empty(); }
  const std::string& why_condemned() const { return why_condemned_; }

  /// Asks it to end, then makes it: called again and again, each time does what is due.
  void end(Deadline now);
  Deadline end_due() const { return end_due_; }
  bool is_killed() const { return phase_ == Phase::Killed; }
  bool has_exited() const;
  /// Kills what is left of its group and says how it ended. Waits for what was killed, no longer than the limits say.
  Ending finish();

 private:
  enum class Phase : uint8_t { Running, Closing, Terminating, Killed, Finished };
  struct Line {
    uint64_t id;
    std::string text;
  };

  WorkerProcess(const ChildLimits& limits, const os::Calls& calls);
  void kill();
  void on_closed(const char* what);
  void take_output(std::string_view bytes, const OnLine& on_line);

  const ChildLimits limits_;
  const os::Calls& calls_;
  Phase phase_ = Phase::Running;
  Deadline end_due_ = Deadline::max();
  Deadline closed_due_ = Deadline::max();
  const char* what_closed_ = nullptr;
  Process process_;
  os::PipeWriter stdin_;
  os::PipeDrain stdout_, stderr_;
  std::deque<Line> lines_;
  size_t front_written_ = 0;
  std::string spare_;
  size_t unsent_bytes_ = 0;
  std::string partial_;
  bool is_too_long_ = false;  ///< the rest of a line whose front has been passed on
  StreamTail errors_;
  std::string why_condemned_;
  std::unique_ptr<char[]> scratch_;
  std::array<char, 4096> error_scratch_;  ///< of its own: errors are read while lines are taken
};

}  // namespace grapnel
