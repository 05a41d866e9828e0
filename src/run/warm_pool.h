#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "run/child.h"
#include "run/warm_fitness.h"

/// Warm hooks: the next process of a command hook is started before its event and waits at its standard input.
///
///     prepare (in the event)   takes the waiting process that fits, or says why there is none; notes what to start
///     next restock (after it)       starts the next ones in the background, and ends those that were thrown away sweep
///     (from time to time)   ends those that have waited for too long
///
/// To everybody else a warm hook is a child that has been started already (`ChildSpec::started`). Whether it may answer
/// is decided when the event comes: the process lives, has printed nothing, is not too old, and was started exactly as
/// a cold one would be now, from the same files, with the same arguments, directory and variables (warm_fitness.h).
/// Otherwise it is killed before it has read anything, and a cold process runs.
///
/// A process that waits has read no event. It is ended by SIGKILL, because the end of its input would look like an
/// event without content. If this process dies, its input ends all the same, and it runs to its own end.
///
/// Whatever the process prints, its answer counts only with its exit status, as that of a cold one does: in nearly all
/// dialects an exit status of 2 denies, whatever was printed, and others make the answer a failure. Waiting for it
/// costs nothing that could be saved: the output of an interpreter ends when it exits.
namespace grapnel {

class WarmPool;

/// How many processes may wait at the same time, in all pools that share this. Thread: any.
class WarmSeats {
 public:
  explicit WarmSeats(std::ptrdiff_t most) : free(most) {}

  void join(const std::shared_ptr<WarmPool>& pool);
  /// The pool with the process that has waited for the longest; null if none waits.
  std::shared_ptr<WarmPool> longest_waiting();

  std::counting_semaphore<> free;
  std::atomic<size_t> used = 0;  ///< runs of hooks by a process that had waited

 private:
  std::mutex lock_;
  std::vector<std::weak_ptr<WarmPool>> pools_;
};

/// A place for one of them, given back at the end of its life.
class WarmSeat {
 public:
  /// The place must have been taken from `free`.
  explicit WarmSeat(std::shared_ptr<WarmSeats> of) : of_(std::move(of)) {}
  WarmSeat(WarmSeat&&) noexcept = default;
  WarmSeat& operator=(WarmSeat&& other) noexcept {
    of_.swap(other.of_);
    return *this;
  }
  ~WarmSeat() {
    if (of_) of_->free.release();
  }

 private:
  std::shared_ptr<WarmSeats> of_;
};

struct WarmCounts {
  size_t waiting = 0;
  size_t pending = 0;  ///< processes to start and to end
};

/// The waiting processes of one engine. Thread: any.
class WarmPool : public std::enable_shared_from_this<WarmPool> {
 public:
  using Post = std::function<void(std::function<void()> work)>;

  /// A person who reads and thinks leaves some minutes between two events; a process that nobody needs any more should
  /// not keep its memory for longer.
  static constexpr std::chrono::milliseconds kUsualWait = std::chrono::minutes(2);

  /// `post` runs work in another thread, also after this pool is closed.
  WarmPool(std::shared_ptr<WarmSeats> seats, Post post, std::chrono::milliseconds most_wait = kUsualWait,
           const os::Calls& calls = os::real_calls())
      : seats_(std::move(seats)), post_(std::move(post)), most_wait_(most_wait), calls_(calls) {}
  WarmPool(const WarmPool&) = delete;
  WarmPool& operator=(const WarmPool&) = delete;
  ~WarmPool() { close(); }

  /// Takes from the child what a warm hook goes without, and gives it a waiting process if one fits. `project` is that
  /// of the hook.
  void prepare(const HookSpec& hook, const std::string& project, ChildSpec& child);
  /// Posts what `prepare` has left to do; quick if that is nothing.
  void restock();
  /// Throws away what is not for one of these hooks as they are now. Hook files are read again whenever a directory in
  /// which some could be has changed, and most of the time nothing is different then.
  void keep_only(const std::vector<HookSpec>& hooks);
  /// Throws away what has waited for too long.
  void sweep();
  /// Ends all processes and waits for their end. Nothing is started afterwards.
  void close();

  WarmCounts counts() const;
  /// Since when its oldest process waits; the end of time if none does.
  Deadline waits_since() const;

 private:
  /// What is known about a hook in one directory.
  struct Known {
    std::shared_ptr<const HookSpec> hook;
    std::string project;  ///< canonical
    std::shared_ptr<const WarmFiles> files;
    int premature = 0;  ///< how often in a row it ended or printed something before its event
  };
  /// A process that waits.
  struct Waiting {
    std::string key;
    ChildSpec spec;
    FileStamps files;
    StartedChild child;
    Deadline since{};
    WarmSeat seat;
  };
  /// A process to start.
  struct Order {
    std::string key;
    ChildSpec spec;
  };

  /// What is known about the hook, with its files as they are now.
  Known look_up(const HookSpec& hook, const std::string& project, const ChildSpec& child, const std::string& key);
  void take(const Known& known, const std::string& key, ChildSpec& child);
  /// Why the process must not answer, or "".
  std::string why_unfit(const Waiting& waiting, const Known& known);
  void order(const std::string& key, const ChildSpec& child);

  // In the background.
  /// A seat. If all are taken, the process that has waited for the longest, in any pool, gives its own away.
  std::optional<WarmSeat> take_seat();
  std::optional<Waiting> give_oldest();
  void work();
  void start(Order order);
  void end(Waiting waiting);

  // With the lock held.
  std::optional<Waiting> one_too_many(const std::string& key);
  void note_premature(const std::string& key);

  const std::shared_ptr<WarmSeats> seats_;
  const Post post_;
  const std::chrono::milliseconds most_wait_;
  const os::Calls& calls_;

  mutable std::mutex lock_;
  std::map<std::string, Known> known_;
  std::deque<Waiting> waiting_;  ///< the oldest first
  std::vector<Waiting> leaving_;
  std::deque<Order> orders_;
  size_t working_ = 0;  ///< orders and endings that the background has begun
  bool is_posted_ = false;
  bool is_closed_ = false;
};

}  // namespace grapnel
