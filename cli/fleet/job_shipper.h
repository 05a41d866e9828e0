#pragma once

#include "cli/fleet/courier.h"
#include "fleet/job_outbox.h"

namespace grapnel::cli {

/// Sends the jobs that a journal wants, and asks until they are over.
///
/// A stream's acknowledgement does not count here either: a job that nobody has ended is sent again after a while. The
/// stream refuses it while it still has it, so it is there once. Thread: one.
class JobShipper {
 public:
  struct Options {
    std::string machine;
    std::string records;  ///< the directory of the journal
    fleet::Position mark;
    std::function<void(const fleet::Position&)> on_mark;
    std::chrono::milliseconds first_look{5'000};  ///< doubles each time
    std::chrono::milliseconds patience{2000};     ///< for an answer of the server
  };
  explicit JobShipper(Options options);

  /// The policy that holds here; its hooks are what jobs name.
  struct Policy {
    std::string channel;
    std::string bundle;
    int64_t version = 0;
  };
  /// Does what there is to do now. Fails: Unavailable, Refused, System; then nothing is lost.
  Result<void> step(Courier& courier, const Policy& policy);

  /// The connection was broken, so what was stored is looked at again.
  void look_soon();
  bool has_sent() const { return outbox_.has_sent(); }
  int64_t waiting() const { return static_cast<int64_t>(waiting_); }

 private:
  Result<void> send(Courier& courier, const Policy& policy, fleet::JobOutbox::Waiting& one);

  Options options_;
  fleet::JobOutbox outbox_;
  fleet::Position told_;
  size_t waiting_ = 0;
};

/// What workers said about a job. Fails: Unavailable.
Result<fleet::JobState> fetch_job_state(Courier& courier, const std::string& machine, const std::string& id,
                                        std::chrono::milliseconds patience);
/// Fails: Unavailable, Refused.
Result<void> store_job_state(Courier& courier, const std::string& machine, const std::string& id,
                             const fleet::JobState& state, std::chrono::milliseconds patience);
/// Puts the job into the queue, where it may be already. Fails: Unavailable, Refused.
Result<void> store_job(Courier& courier, const std::string& machine, const fleet::Job& job,
                       std::chrono::milliseconds patience);

}  // namespace grapnel::cli
