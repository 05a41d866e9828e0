#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "fleet/job.h"
#include "fleet/outbox.h"

namespace grapnel::fleet {

/// The jobs that a journal wants and that are not over. The journal keeps them: after any crash, reading begins again
/// at the mark, and finds every job of which nobody said that it is over. Thread: one.
class JobOutbox {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Waiting {
    Job job;
    Time next{};  ///< when to look at it again
    std::chrono::milliseconds pause{0};
    bool is_stored = false;  ///< a stream has it, as far as anybody can tell
    Position begin{};        ///< of the batch that has its record
  };

  /// `mark`: no job before it is open.
  JobOutbox(const std::string& directory, Position mark) : outbox_(directory), mark_(mark), next_(std::move(mark)) {}

  /// Reads on in the journal, unless too many jobs wait already. Fails: System.
  Result<void> read();

  std::deque<Waiting>& waiting() { return waiting_; }
  /// The job is over.
  void close(const std::string& id);
  const Position& mark() const { return mark_; }
  /// Whether every job of the journal was read and stored in a stream.
  bool has_sent() const;

 private:
  void take(const std::string& line, const Position& begin);

  Outbox outbox_;
  Position mark_;
  Position next_;
  std::deque<Waiting> waiting_;  ///< the oldest first
  bool is_drained_ = false;
};

/// So many jobs may be open. The others wait in the journal.
inline constexpr size_t kMaxWaitingJobs = 256;

}  // namespace grapnel::fleet
