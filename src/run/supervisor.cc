#include "run/supervisor.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>

namespace grapnel {
namespace {

using ChildSource = Child::Source;

constexpr size_t kScratchSize = size_t{64} << 10;  // the capacity of a pipe
/// How often to check the cancel token if the system had no descriptor left for it.
constexpr std::chrono::milliseconds kCancelCheck{20};
/// The exit comes last: then everything that the child wrote before it exited has been read already.
constexpr ChildSource kSources[] = {ChildSource::Stdin, ChildSource::Stdout, ChildSource::Stderr, ChildSource::Exit};

constexpr short events_of(ChildSource source) {
  return source == ChildSource::Stdin ? POLLOUT : POLLIN;
}

/// The loop of `run_children`. Children and pollables are handled in the same turn, but separately: the loop owns the
/// children, while the pollables belong to the caller.
class Supervisor {
 public:
  Supervisor(std::span<const ChildSpec> specs, const ChildContext& context, const os::CancelToken& cancel,
             const RunSeams& seams, std::span<const std::unique_ptr<Pollable>> others)
      : specs_(specs), context_(context), cancel_(cancel), seams_(seams), outcomes_(specs.size()) {
    for (const auto& other : others) others_.push_back(other.get());
  }

  std::vector<RunOutcome> run(size_t max_parallel) {
    const size_t window = max_parallel == 0 ? specs_.size() : max_parallel;
    cancel_fd_ = cancel_.poll_fd(context_.calls);
    for (;;) {
      notice_cancel();
      while (running_.size() < window && next_ < specs_.size()) start_next();
      // Another thread may have finished a pollable since the last turn, so this is checked before each wait.
      std::erase_if(others_, [](const Pollable* other) { return other->is_done(); });
      if (running_.empty() && others_.empty()) return std::move(outcomes_);
      watch();
      wait();
      dispatch();
      collect();
    }
  }

 private:
  struct Slot {
    size_t index;  ///< of its spec and its outcome
    Child child;
  };
  /// What the entry of the same index in `polls_` is for. Entries of pollables follow behind those of the children.
  struct Watch {
    size_t slot;
    ChildSource source;
  };
  /// The entries in `polls_` that one pollable added.
  struct Range {
    size_t first;
    size_t count;
  };

  /// Cancels everything that runs, once. Children that have not started yet then never start.
  void notice_cancel() {
    if (cancel_noticed_ || !cancel_.cancelled()) return;
    cancel_noticed_ = true;
    for (Slot& slot : running_) slot.child.cancel();
    for (Pollable* other : others_) other->cancel();
    collect();
  }

  void start_next() {
    const size_t index = next_++;
    notice_cancel();
    if (cancel_noticed_) {
      outcomes_[index].ending = Cancelled{};
      return;
    }
    if (seams_.on_start) seams_.on_start(index);
    running_.push_back({index, Child(specs_[index], context_)});
    running_.back().child.start();
    // A start that failed frees its place at once, so that the next child may start in the same turn.
    if (running_.back().child.is_done()) collect();
  }

  /// Builds the poll set. It contains only open descriptors, because the kernel refuses a set that is larger than the
  /// number of files a process may have open.
  void watch() {
    polls_.clear();
    watches_.clear();
    for (size_t slot = 0; slot < running_.size(); ++slot) {
      for (const ChildSource source : kSources) {
        const int fd = running_[slot].child.fd_of(source);
        if (fd < 0) continue;
        polls_.push_back({.fd = fd, .events = events_of(source), .revents = 0});
        watches_.push_back({slot, source});
      }
    }
    other_polls_.clear();
    for (Pollable* other : others_) {
      const size_t first = polls_.size();
      other->watch(polls_);
      other_polls_.push_back({first, polls_.size() - first});
    }
    if (!cancel_noticed_ && cancel_fd_ >= 0) polls_.push_back({.fd = cancel_fd_, .events = POLLIN, .revents = 0});
  }

  /// When the wait has to end, even if nothing happens.
  Deadline next_due() const {
    Deadline due = Deadline::max();
    for (const Slot& slot : running_) due = std::min(due, slot.child.due());
    for (const Pollable* other : others_) due = std::min(due, other->due());
    const bool must_ask = cancel_.can_cancel() && !cancel_noticed_ && cancel_fd_ < 0;
    return must_ask ? std::min(due, SteadyClock::now() + kCancelCheck) : due;
  }

  void wait() {
    // This moment decides in `dispatch` whose deadline has passed.
    now_ = SteadyClock::now();
    const timespec timeout = timeout_until(next_due(), now_);
    const int ready = context_.calls.ppoll(polls_.data(), polls_.size(), &timeout, nullptr);
    // A signal interrupted the wait, so nothing is ready. The turn goes on all the same: in a host that gets signals
    // all the time, deadlines would otherwise never be noticed.
    if (ready >= 0 || errno == EINTR) return;
    for (Slot& slot : running_) slot.child.abandon();
    for (Pollable* other : others_) other->abandon();
  }

  void dispatch() {
    for (size_t i = 0; i < watches_.size(); ++i) {
      if (polls_[i].revents != 0) running_[watches_[i].slot].child.on_ready(watches_[i].source);
    }
    for (size_t i = 0; i < others_.size(); ++i) {
      others_[i]->on_polled(std::span(polls_).subspan(other_polls_[i].first, other_polls_[i].count));
    }
    // A deadline has passed only if it had passed before the poll, and the poll found nothing. If this process was
    // stopped for a while (SIGSTOP, suspend), a child that ended in the meantime counts as ended in time.
    for (Slot& slot : running_) {
      if (now_ >= slot.child.due()) slot.child.on_due();
    }
    for (Pollable* other : others_) {
      if (now_ >= other->due()) other->on_due();
    }
  }

  /// Takes the outcomes of the children that are done, and frees their places.
  void collect() {
    std::erase_if(running_, [this](Slot& slot) {
      if (!slot.child.is_done()) return false;
      outcomes_[slot.index] = slot.child.take_outcome();
      if (seams_.on_end) seams_.on_end(slot.index);
      return true;
    });
  }

  const std::span<const ChildSpec> specs_;
  const ChildContext& context_;
  const os::CancelToken& cancel_;
  const RunSeams& seams_;
  std::vector<RunOutcome> outcomes_;
  std::vector<Slot> running_;
  std::vector<Pollable*> others_;
  std::vector<pollfd> polls_;
  std::vector<Watch> watches_;
  std::vector<Range> other_polls_;
  size_t next_ = 0;
  Deadline now_{};  ///< when the last wait began
  int cancel_fd_ = -1;
  bool cancel_noticed_ = false;
};

}  // namespace

std::vector<RunOutcome> run_children(std::span<const ChildSpec> specs, size_t max_parallel, const ChildLimits& limits,
                                     const os::CancelToken& cancel, const RunSeams& seams,
                                     std::span<const std::unique_ptr<Pollable>> others) {
  for (const auto& other : others) other->start();
  // One request and nothing else to wait for: the answer may be there already, see "One glance" in worker.h.
  if (specs.empty() && others.size() == 1) {
    others.front()->glance();
    if (others.front()->is_done()) return {};
  }
  const auto scratch = specs.empty() ? nullptr : std::make_unique_for_overwrite<char[]>(kScratchSize);
  const ChildContext context{limits, seams.calls, {scratch.get(), scratch ? kScratchSize : 0}};
  return Supervisor(specs, context, cancel, seams, others).run(max_parallel);
}

}  // namespace grapnel
