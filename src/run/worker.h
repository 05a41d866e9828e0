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

#include "run/pollable.h"
#include "run/program_files.h"
#include "run/worker_process.h"

/// Workers: commands that stay alive and answer many events.
///
/// A request is one line, `{"id":"7","event":{…}}`, with the payload of the hook's dialect. The answer is one line too:
/// an object of that dialect which also has the id, `{"id":"7","decision":"deny"}`. Many requests may be open at the
/// same time, and answers may come in any order. Lines that are not an answer are counted and reported with the
/// requests that were open. Standard error is kept, the last part of it, and each request shows what was written while
/// it was open.
///
///     WorkerPool     belongs to an engine: one Worker for each command and directory
///     Worker         one command: its current process, its open requests, when it may be started again
///     WorkerCall     one request of one event; a `Pollable` in the loop of the thread that fires the event
///     WorkerProcess  one process: pipes, lines and signals
///
/// **Order of calls.** `WorkerPool::call` finds or makes the Worker and returns a WorkerCall. The supervisor starts it:
/// `WorkerCall::start` → `Worker::submit`, which starts a process if there is none and sends the line. After that every
/// turn of the loop calls `watch`, polls, and calls `on_polled`. `Worker::finish` ends a request, whichever thread got
/// the answer.
///
/// **Leader and followers.** A worker has no thread of its own. Only one thread at a time may read its output, so
/// one of the threads that wait for the worker becomes the leader: it polls the worker's descriptors together with its
/// own children, and hands answers to the others. The others, the followers, sleep on their own bell (an eventfd). When
/// a request is finished, its bell rings. A leader that has its own answer leaves, and rings the bell of the oldest
/// open request, which becomes the next leader. Only the leader closes descriptors; if there is no leader, any thread
/// may.
///
/// **One glance.** An event that waits for nothing but one request reads once before it polls: a quick worker got the
/// processor as soon as the line was written, and may have answered already. Reading more than once would cost more
/// than it saves: the scheduler would move the worker to another core, and then each thread has to wake the other
/// across cores.
///
/// **Ends.** If a worker dies, the requests that it had received fail; those that were not written yet go to its
/// successor. It is started again at once. After each further death in a row without any answer there is a pause, which
/// doubles each time. A request that times out is dropped, and so is its late answer. After two timeouts in a row
/// without an answer between them, the worker is replaced, and the requests that wait behind them are sent again. A
/// worker that is idle, used up or outdated is asked to end: its input is closed, then it gets TERM, then the whole
/// group gets KILL. Later events notice that a worker is idle; when the pool ends, it ends them all.
namespace grapnel {

class WorkerCall;

/// How to start a worker, and the files that it consists of. If one of them changes, the worker is replaced.
struct WorkerStart {
  ChildSpec child;
  FileStamps files;
};

/// One request, and everything needed to find or start its worker.
struct WorkerRequest {
  std::string command;                         ///< identifies the process, see `worker_name`
  std::string directory;                       ///< where it runs
  std::function<Result<WorkerStart>()> start;  ///< called only if a process has to be started
  std::shared_ptr<const std::string> payload;
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds idle{0};  ///< a worker without requests ends after this time
  uint64_t max_events = 0;            ///< after so many requests the worker is replaced; 0 means no limit
};

/// One command in one directory. Thread: any; every function takes the lock.
class Worker {
 public:
  Worker(const WorkerRequest& first, const ChildLimits& limits, const os::Calls& calls)
      : limits_(limits),
        calls_(calls),
        idle_(first.idle),
        max_events_(first.max_events),
        last_used_(SteadyClock::now()) {}

  /// Whether it takes another request: it is not used up, and the files it was started from have not changed.
  bool is_current() const;
  bool is_running() const;
  /// Whether it has had no request for so long that it should end.
  bool is_idle_since(Deadline now) const;

  /// It takes no more requests, and ends when the open ones are finished.
  void retire();
  /// Does the next step of ending a retired worker, if it is due. True if nothing is left of it.
  bool advance_end(Deadline now);
  /// When the next step of ending it is due. Together with `exit_fd`, for those who wait for its end.
  Deadline end_due() const;
  int exit_fd() const;
  /// Closes it for good: open requests get no answer. False while there are open requests; the thread of the last of
  /// them then ends the process.
  bool shut();

 private:
  friend class WorkerCall;

  // Functions that calls use, each of which takes the lock.
  void submit(WorkerCall& call);
  void watch(WorkerCall& call, std::vector<pollfd>& polls);
  void on_polled(WorkerCall& call, std::span<const pollfd> polls);
  /// Becomes the leader, unless there is one, and reads once what the worker has written.
  void glance(WorkerCall& call);
  /// Ends a request from the side that asks: it timed out, or was cancelled.
  void withdraw(WorkerCall& call, Ending ending);
  /// A deadline of the process, which only the leader watches.
  Deadline due_of_leader(const WorkerCall& call) const;
  void on_due_of_leader(const WorkerCall& call);

  // Functions that are called with the lock held.

  /// Starts a process if there is none. False if that is not possible; the call is then finished.
  bool ensure_process(WorkerCall& call);
  /// Finishes the call with `NotStarted`; always false.
  bool refuse(WorkerCall& call, std::string why, int sys = 0);
  /// Writes the line of a request, or queues it if the pipe is full.
  void send(WorkerCall& call);
  /// Handles one line of output: finds the request it answers and finishes it.
  void take_line(std::string_view line, bool is_whole);
  WorkerCall* find_call(uint64_t id);
  /// Whether a request ever had this id: an answer to it may be late, but is not garbage.
  bool was_asked(uint64_t id) const;
  WorkerCall* find_too_long(std::string_view front);
  void note_garbage(std::string_view line);
  /// The process is gone or condemned: reads the rest of its output, reaps it, and either sends each open request to
  /// the next process or finishes it.
  void bury();
  /// Ends a request, wakes its thread, and makes sure that somebody leads.
  void finish(WorkerCall& call, Ending ending, Capture out = {});
  bool is_spent() const { return retired_ || (max_events_ > 0 && events_ >= max_events_); }

  const ChildLimits limits_;
  const os::Calls& calls_;
  const std::chrono::milliseconds idle_;
  const uint64_t max_events_;

  mutable std::mutex mutex_;
  std::unique_ptr<WorkerProcess> process_;
  UniqueFd bell_;  ///< wakes the leader, to watch for something new
  FileStamps files_;
  std::vector<WorkerCall*> under_way_;  ///< open requests, oldest first
  WorkerCall* leader_ = nullptr;        ///< the request whose thread polls the process, or null
  uint64_t last_id_ = 0;
  uint64_t events_ = 0;
  uint64_t garbage_ = 0;  ///< lines that were not an answer
  std::string garbage_example_;
  int strikes_ = 0;  ///< timeouts in a row
  int deaths_ = 0;   ///< in a row, without an answer
  std::string last_death_;
  Deadline not_before_{};  ///< no new process before this time
  Deadline last_used_;
  bool retired_ = false;
  bool closed_ = false;
  bool ask_again_ = false;  ///< the process was stuck: its successor gets the open requests
};

/// A bell is an eventfd on which a thread sleeps while another one works for it. -1 if the system has no descriptor
/// left.
UniqueFd open_bell(const os::Calls& calls);
void ring_bell(int fd, const os::Calls& calls);
void silence_bell(int fd, const os::Calls& calls);

/// One request, used by the loop of one event. Thread: one; other threads of the same worker only finish it.
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
  bool must_look_again_ = false;  ///< it has no bell, so it has to check from time to time

  // Guarded by the lock of the worker.
  uint64_t id_ = 0;
  int tries_ = 0;  ///< how often it was sent
  UniqueFd bell_;
  uint64_t errors_from_ = 0;   ///< where standard error was when it was sent
  uint64_t garbage_from_ = 0;  ///< the value of `Worker::garbage_` when it came
  RunOutcome outcome_;
  std::atomic<bool> done_{false};
};

}  // namespace grapnel
