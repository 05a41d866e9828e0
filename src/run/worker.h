#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/files.h"
#include "run/pollable.h"
#include "run/worker_process.h"

/// Workers: commands that stay, and answer many events.
///
/// A request is one line, `{"id":"7","event":{…}}` with the payload of the hook's dialect; the answer is one line too,
/// an object of that dialect with the id in it, `{"id":"7","decision":"deny"}`. Many requests may be under way at once
/// and answers come in any order. What is no answer is counted and told to whoever waits; errors are kept, the last
/// of them, and shown with the requests during which they were said.
///
///     WorkerPool   what an engine has: a Worker for each command and directory
///     Worker       one command: its process now, who waits for it, when it may be started again
///     WorkerCall   one request of one event, a `Pollable` in the loop of the thread that fires
///     WorkerProcess  pipes, lines and signals
///
/// **No thread of its own.** Of the threads that wait for a worker one leads: it polls the worker's descriptors
/// together with its own children, and hands answers to the others, which sleep on a bell of theirs. Who has its answer
/// leaves, and wakes another to lead. Descriptors are closed by the leader, or by anybody while nobody leads. An event
/// that has nothing but one request under way looks for the answer once before it polls: a quick worker took over the
/// core when it was written to, and has answered. More than one look would cost more than it saves: a thread that stays
/// awake is given another core than the worker, and then each has to wake the other across cores.
///
/// **Ends.** A worker that dies takes along the requests it had been given; those still unwritten go to its successor.
/// It is started again at once, and after each further death in a row without an answer only after a pause, which
/// doubles. A request that times out is dropped, and so is its late answer; two in a row with no answer between them
/// replace the worker, and those that wait behind them are asked again. Idle, used up or stale ones are asked to end:
/// end of input, then TERM, then KILL to the whole group. Idleness is noticed by later events, the end by the pool's.
namespace grapnel {

class WorkerCall;

/// How to start a worker, and the files it is made of: when one changes it is replaced.
struct WorkerStart {
  ChildSpec child;
  std::vector<std::pair<std::string, std::optional<os::FileStamp>>> files;
};

/// What to ask of which worker.
struct WorkerRequest {
  std::string command;    ///< names what is started, see `worker_name`
  std::string directory;  ///< where
  std::function<Result<WorkerStart>()> start;
  std::shared_ptr<const std::string> payload;
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds idle{0};
  uint64_t max_events = 0;  ///< 0: no limit
};

/// Thread: any.
class Worker {
 public:
  Worker(const WorkerRequest& first, const ChildLimits& limits, const os::Calls& calls)
      : limits_(limits),
        calls_(calls),
        idle_(first.idle),
        max_events_(first.max_events),
        last_used_(SteadyClock::now()) {}

  /// Whether it takes another request: not used up, and what it was started from is as it was.
  bool is_current() const;
  bool is_running() const;
  bool is_idle_since(Deadline now) const;

  /// Takes no more requests; ends when those under way are done.
  void retire();
  /// Does what is due for one that was retired; true when nothing is left of it.
  bool advance_end(Deadline now);
  /// For those who wait for its end.
  Deadline end_due() const;
  int exit_fd() const;
  /// For good: whoever waits for an answer gets none. False while somebody does, who then sees to the end.
  bool shut();

 private:
  friend class WorkerCall;

  // What calls do, each under the lock.
  void submit(WorkerCall& call);
  void watch(WorkerCall& call, std::vector<pollfd>& polls);
  void on_polled(WorkerCall& call, std::span<const pollfd> polls);
  /// Leads, unless another does, and takes what the worker has said.
  void glance(WorkerCall& call);
  void withdraw(WorkerCall& call, Ending ending);
  Deadline due_of_leader(const WorkerCall& call) const;
  void on_due_of_leader(const WorkerCall& call);

  /// False when the call could not be given one, and is done.
  bool ensure_process(WorkerCall& call);
  bool refuse(WorkerCall& call, std::string why, int sys = 0);
  void send(WorkerCall& call);
  void take_line(std::string_view line, bool is_whole);
  WorkerCall* find_call(uint64_t id);
  bool was_asked(uint64_t id) const;
  WorkerCall* find_too_long(std::string_view front);
  void note_garbage(std::string_view line);
  void bury();
  void finish(WorkerCall& call, Ending ending, Capture out = {});
  bool is_spent() const { return retired_ || (max_events_ > 0 && events_ >= max_events_); }

  const ChildLimits limits_;
  const os::Calls& calls_;
  const std::chrono::milliseconds idle_;
  const uint64_t max_events_;

  mutable std::mutex mutex_;
  std::unique_ptr<WorkerProcess> process_;
  UniqueFd bell_;  ///< tells the leader to look again
  std::vector<std::pair<std::string, std::optional<os::FileStamp>>> files_;
  std::vector<WorkerCall*> under_way_;  ///< in the order they came
  WorkerCall* leader_ = nullptr;        ///< one of them, or none
  uint64_t last_id_ = 0;
  uint64_t events_ = 0;
  uint64_t garbage_ = 0;
  std::string garbage_example_;
  int strikes_ = 0;  ///< timeouts in a row
  int deaths_ = 0;   ///< in a row, without an answer
  std::string last_death_;
  Deadline not_before_{};
  Deadline last_used_;
  bool retired_ = false;
  bool closed_ = false;
  bool ask_again_ = false;  ///< the process was stuck: what it did not answer is for the next one
};

/// What a thread sleeps on that waits for another: an event descriptor, -1 when there was none left.
UniqueFd open_bell(const os::Calls& calls);
void ring_bell(int fd, const os::Calls& calls);
void silence_bell(int fd, const os::Calls& calls);

/// One request, from one event's loop. Thread: one, the worker's others only finish it.
class WorkerCall final : public Pollable {
 public:
  WorkerCall(std::shared_ptr<Worker> worker, WorkerRequest request);
  WorkerCall(const WorkerCall&) = delete;
  WorkerCall& operator=(const WorkerCall&) = delete;
  ~WorkerCall() override;

  void start() override;
  void glance() override;
  void watch(std::vector<pollfd>& polls) override;
  void on_polled(std::span<const pollfd> polls) override;
  Deadline due() const override;
  void on_due() override;
  void cancel() override;
  void abandon() override;
  bool is_done() const override { return done_.load(std::memory_order_acquire); }
  RunOutcome take_outcome() override { return std::move(outcome_); }

 private:
  friend class Worker;

  void watch_bell(std::vector<pollfd>& polls, const os::Calls& calls);

  const std::shared_ptr<Worker> worker_;
  const WorkerRequest request_;
  Deadline started_{}, due_ = Deadline::max();
  bool must_look_again_ = false;  ///< there was no descriptor for a bell

  // Under the worker's lock.
  uint64_t id_ = 0;
  int tries_ = 0;
  UniqueFd bell_;
  uint64_t errors_from_ = 0;
  uint64_t garbage_from_ = 0;
  RunOutcome outcome_;
  std::atomic<bool> done_{false};
};

}  // namespace grapnel
