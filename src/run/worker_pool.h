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

/// The workers of an engine. Thread: any.
class WorkerPool {
 public:
  explicit WorkerPool(const ChildLimits& limits, const os::Calls& calls = os::real_calls())
      : limits_(limits), calls_(calls) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { close(); }

  /// A call of the worker it is for; an old one that may not take it is replaced.
  std::unique_ptr<WorkerCall> call(WorkerRequest request);
  /// Whether such a worker is there, started from files that are as they were.
  bool has_current(const std::string& command, const std::string& directory);

  /// How many there are; one that died may not have been noticed yet.
  size_t size() const;

  /// Ends workers of all other commands.
  void keep_only(const std::set<std::string>& commands);
  /// Ends what has been idle for long enough, and goes on with what is ending. Quick; does nothing most of the time.
  void sweep();
  /// Ends all and waits for that; later calls fail.
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

  std::shared_ptr<Worker>& place_of(std::string_view command, std::string_view directory);
  void sweep_locked(Deadline now);
  void leave(std::shared_ptr<Worker> worker);

  const ChildLimits limits_;
  const os::Calls& calls_;
  std::atomic<bool> was_used_{false};  ///< otherwise there is nothing to sweep
  std::atomic<Deadline::rep> next_sweep_{0};
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<Worker>, Less> workers_;
  std::vector<std::shared_ptr<Worker>> leaving_;
  bool closed_ = false;
};

}  // namespace grapnel
