#include "run/timed_call.h"

#include <cxxabi.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/clock.h"

/// The waiting thread and the threads of the calls share only the `Board`: a mutex, a condition variable and one place
/// for each outcome. A call writes its outcome there and signals. All decisions (timeouts, cancelling, which call
/// starts next) are made by the waiting thread, in `Window`. Since the calls share the ownership of the board, one that
/// is left behind can still write to it safely.
namespace grapnel {

namespace {

/// How often the waiting thread checks whether the host gave up: a cancel does not signal the condition variable.
constexpr std::chrono::milliseconds kCancelPoll{10};

/// Where the threads of the calls leave their outcomes. They may outlive the wait, so everybody shares the ownership.
struct Board {
  explicit Board(size_t count) : outcomes(count) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::optional<RunOutcome>> outcomes;
};

/// Runs the calls of one run: at most `most_` at the same time, in order. The states of a slot are drawn in
/// timed_call.h.
class Window {
 public:
  Window(const std::vector<TimedCall>& calls, size_t max_parallel, const os::CancelToken& cancel)
      : calls_(calls),
        most_(max_parallel == 0 ? calls.size() : max_parallel),
        cancel_(cancel),
        board_(std::make_shared<Board>(calls.size())),
        slots_(calls.size()) {}

  std::vector<RunOutcome> run() {
    std::unique_lock lock(board_->mutex);
    while (!is_over()) {
      start_more();
      if (auto next = look(); next > SteadyClock::now()) board_->changed.wait_until(lock, next);
    }
    std::vector<RunOutcome> out;
    for (Slot& slot : slots_) out.push_back(std::move(slot.outcome));
    return out;
  }

 private:
  enum class State : uint8_t { Waiting, Running, Stopping, Done };
  struct Slot {
    State state = State::Waiting;
    Deadline started{}, due{};
    std::stop_source stop;
    RunOutcome outcome;
  };

  bool is_over() const {
    return std::ranges::all_of(slots_, [](const Slot& slot) { return slot.state == State::Done; });
  }

  /// A call that was asked to stop still uses its thread, so it still counts.
  size_t at_work() const {
    return static_cast<size_t>(std::ranges::count_if(
        slots_, [](const Slot& slot) { return slot.state == State::Running || slot.state == State::Stopping; }));
  }

  void start_more() {
    for (size_t i = 0; i < slots_.size() && at_work() < most_; ++i) {
      if (slots_[i].state == State::Waiting) start(i);
    }
  }

  /// Starts the thread of one call. The thread owns copies of the call and of everything it needs.
  void start(size_t index) {
    Slot& slot = slots_[index];
    slot.state = State::Running;
    slot.started = SteadyClock::now();
    slot.due = slot.started + calls_[index].timeout;
    // After a cancel, calls that have not started yet do not start.
    if (cancel_.cancelled()) return finish(slot, Cancelled{});
    try {
      std::thread([board = board_, call = calls_[index], token = slot.stop.get_token(), index]() mutable {
        RunOutcome outcome = make_safely([&] { return call.make(token); });
        // What the call owns ends before anybody hears of its outcome: the host may end right after.
        call.make = nullptr;
        const std::lock_guard lock(board->mutex);
        board->outcomes[index] = std::move(outcome);
        board->changed.notify_all();
      }).detach();
    } catch (const std::system_error& error) {
      finish(slot, NotStarted{"the system could not start a thread for it", error.code().value()});
    }
  }

  void finish(Slot& slot, Ending ending) {
    slot.outcome.ending = std::move(ending);
    finish(slot);
  }

  void finish(Slot& slot) {
    slot.state = State::Done;
    slot.outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - slot.started);
  }

  /// Moves every call on as far as it goes. Returns when it has to be called again; that is now, if an ended call made
  /// room for the next one.
  Deadline look() {
    const Deadline now = SteadyClock::now();
    Deadline next = cancel_.can_cancel() ? now + kCancelPoll : Deadline::max();
    bool has_ended = false;
    for (size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.state == State::Running || slot.state == State::Stopping) advance(slot, i, now);
      if (slot.state == State::Running || slot.state == State::Stopping) next = std::min(next, slot.due);
      has_ended |= slot.state == State::Done;
    }
    const bool may_start = has_ended && at_work() < most_ &&
                           std::ranges::any_of(slots_, [](const Slot& s) { return s.state == State::Waiting; });
    return may_start || is_over() ? now : next;
  }

  /// Makes the next step of one call. A cancel outweighs an answer that has come at the same time, and an answer
  /// outweighs a timeout.
  void advance(Slot& slot, size_t index, Deadline now) {
    std::optional<RunOutcome>& answer = board_->outcomes[index];
    if (slot.state == State::Stopping) {
      if (answer || now >= slot.due) finish(slot);
    } else if (cancel_.cancelled()) {
      stop(slot, index, now, Cancelled{});
    } else if (answer) {
      slot.outcome = std::move(*answer);
      finish(slot);
    } else if (now >= slot.due) {
      stop(slot, index, now, TimedOut{calls_[index].timeout});
    }
  }

  /// Asks the call to stop. Without a grace, or if it has answered meanwhile, it is done at once; its answer is not
  /// used.
  void stop(Slot& slot, size_t index, Deadline now, Ending ending) {
    slot.stop.request_stop();
    slot.outcome.ending = std::move(ending);
    slot.state = State::Stopping;
    slot.due = now + calls_[index].grace;
    if (board_->outcomes[index] || calls_[index].grace.count() == 0) finish(slot);
  }

  const std::vector<TimedCall>& calls_;
  size_t most_;
  const os::CancelToken& cancel_;
  std::shared_ptr<Board> board_;
  std::vector<Slot> slots_;
};

}  // namespace

RunOutcome make_safely(const std::function<RunOutcome()>& call) {
  RunOutcome outcome;
  try {
    return call();
  } catch (const abi::__forced_unwind&) {
    throw;  // the host ends this thread with pthread_exit, which nobody may stop
  } catch (const std::exception& e) {
    outcome.ending = Threw{e.what()};
  } catch (...) {
    outcome.ending = Threw{"something that is no std::exception"};
  }
  return outcome;
}

std::vector<RunOutcome> run_calls(const std::vector<TimedCall>& calls, size_t max_parallel,
                                  const os::CancelToken& cancel) {
  return Window(calls, max_parallel, cancel).run();
}

}  // namespace grapnel
