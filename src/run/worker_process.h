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

/// The last bytes of a stream, and how many bytes there were in total.
class StreamTail {
 public:
  explicit StreamTail(size_t limit) : limit_(limit) {}

  void add(std::string_view bytes);
  uint64_t end() const { return end_; }
  /// The bytes that came after the position `from`, as far as they are still kept. `from` is an earlier value of `end`.
  Capture since(uint64_t from) const;

 private:
  size_t limit_;
  uint64_t end_ = 0;
  std::string kept_;
};

/// The process of a worker: lines to it, lines and errors from it. A passive state machine; only `finish` waits.
///
///     start ──▶ Running ── end ──▶ Closing ── due ──▶ Terminating ── due ──▶ Killed
///                  │ condemn                                                   ▲
///                  └───────────────────────────────────────────────────────────┘
///
/// - Running: takes lines and answers them.
/// - Closing: its input is closed; a polite worker ends now.
/// - Terminating: the group got SIGTERM.
/// - Killed: the group got SIGKILL.
///
/// In every state `has_exited` may become true. Then `finish` kills the rest of the group, reaps the process and kills
/// whatever else it started (`os/tag.h`).
/// Thread: one at a time.
class WorkerProcess {
 public:
  enum class Source : uint8_t { Stdin, Errors, Output, Exit };
  /// In the order in which they must be read: errors written before an answer belong to that answer, and all lines come
  /// before the exit.
  static constexpr Source kSources[] = {Source::Stdin, Source::Errors, Source::Output, Source::Exit};
  /// `is_whole` is false for the beginning of a line that is too long.
  using OnLine = std::function<void(std::string_view line, bool is_whole)>;

  /// Fails: System, BadInput.
  static Result<std::unique_ptr<WorkerProcess>> start(const ChildSpec& spec, const ChildLimits& limits,
                                                      const os::Calls& calls);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() { finish(); }

  /// The descriptor to poll for this source, or -1 if it need not be watched.
  int fd_of(Source source) const;

  /// Queues a line and writes as much as the pipe takes.
  void send(uint64_t id, std::string line);
  /// The memory of a line that was sent, to be used for the next line.
  std::string take_spare() { return std::move(spare_); }
  bool has_unsent() const { return !lines_.empty(); }
  size_t unsent_bytes() const { return unsent_bytes_; }
  /// Takes a line back from the queue; false if some of it was already written.
  bool take_back(uint64_t id);
  /// Writes as much of the queue as the pipe takes.
  void feed();
  /// Reads what is there and calls `on_line` for every line.
  void read_output(const OnLine& on_line);
  /// A process that has closed its input or output is condemned at this time, unless it has exited by then.
  Deadline closed_due() const { return is_condemned() ? Deadline::max() : closed_due_; }
  void on_closed_due();
  void read_errors();
  const StreamTail& errors() const { return errors_; }

  /// When to look whether it has more than its sandbox allows; that is its end.
  Deadline overuse_due() const { return is_condemned() ? Deadline::max() : overuse_.due(); }
  void on_overuse_due();
  const HookContainment& contained() const { return contained_; }

  /// The process is of no more use: kills its group. The first reason is kept.
  void condemn(std::string why);
  bool is_condemned() const { return !why_condemned_.empty(); }
  const std::string& why_condemned() const { return why_condemned_; }

  /// Ends it step by step. Called again and again; each call does the step that is due.
  void end(Deadline now);
  Deadline end_due() const { return end_due_; }
  bool is_killed() const { return phase_ == Phase::Killed; }
  bool has_exited() const;
  /// Kills what is left of its group, reaps it and returns how it ended. Waits for the kernel no longer than
  /// `kill_grace`.
  Ending finish();

 private:
  enum class Phase : uint8_t { Running, Closing, Terminating, Killed, Finished };
  struct Line {
    uint64_t id;
    std::string text;
  };

  WorkerProcess(const ChildLimits& limits, const os::Calls& calls);
  void kill();
  /// Sets `closed_due`.
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
  size_t front_written_ = 0;  ///< bytes of the first line that are written
  std::string spare_;         ///< see `take_spare`
  size_t unsent_bytes_ = 0;
  std::string partial_;       ///< the beginning of a line whose end has not come yet
  bool is_too_long_ = false;  ///< skipping the rest of a line whose beginning was passed on
  StreamTail errors_;
  Overuse overuse_;
  std::shared_ptr<const ChildSandbox> sandbox_;  ///< its private directory lives as long as it does
  bool is_contained_ = true;
  HookContainment contained_;
  std::string why_condemned_;
  std::unique_ptr<char[]> scratch_;
  std::array<char, 4096> error_scratch_;  ///< separate, because errors are read while a line is handled
};

}  // namespace grapnel
