#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/worker.h"

namespace grapnel {

/// The workers of an engine: at most one current worker for each command and directory. A worker that may take no more
/// requests moves to the list of leaving workers, stays there until its process has ended, and makes room for a
/// successor. Thread: any.
///
/// The pool has no thread of its own. `sweep` does the work that is due, and every event calls it.
class WorkerPool {
 public:
  explicit WorkerPool(const ChildLimits& limits, const os::Calls& calls = os::real_calls())
      : limits_(limits), calls_(calls) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { close(); }

  /// A call to the worker that the request needs. A worker that may not take it is replaced.
  std::unique_ptr<WorkerCall> call(WorkerRequest request);
  /// Whether there is a running worker of this name whose files have not changed.
  bool has_current(const std::string& command, const std::string& directory);

  /// How many workers there are. One that died may still be counted.
  size_t size() const;

  /// Ends the workers of all other commands.
  void keep_only(const std::set<std::string>& commands);
  /// Ends workers that have been idle for too long, and continues to end those that are leaving. Called for every
  /// event; most of the time it does nothing and is quick.
  void sweep();
  /// Ends all workers and waits until they have ended. Later calls fail.
  void close();

 private:
  using Key = std::pair<std::string, std::string>;  ///< command and directory
  struct Less {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      const int order = std::string_view(a.first).compare(b.first);
      return order != 0 ? order < 0 : std::string_view(a.second) < std::string_view(b.second);
    }
  };

  /// The entry for this command and directory; a new one is null.
  std::shared_ptr<Worker>& place_of(std::string_view command, std::string_view directory);
  void sweep_locked(Deadline now);
  /// Retires the worker and keeps it until its process has ended.
  void leave(std::shared_ptr<Worker> worker);

  const ChildLimits limits_;
  const os::Calls& calls_;
  std::atomic<bool> was_used_{false};  ///< if false, there is nothing to sweep
  std::atomic<Deadline::rep> next_sweep_{0};
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<Worker>, Less> workers_;
  std::vector<std::shared_ptr<Worker>> leaving_;
  bool closed_ = false;
};

}  // namespace grapnel
