#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "cli/ui/shared_journal.h"

/// New events reach pages as soon as they are on record.
namespace grapnel::cli {

/// Wakes those that wait for news. Each has a descriptor that becomes readable. Thread: any.
class Bell {
 public:
  /// One who waits, as long as the object lives.
  class Listener {
   public:
    explicit Listener(Bell& bell);
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener();
    int fd() const { return fd_.get(); }
    /// Until the next ring.
    void calm() const;

   private:
    Bell& bell_;
    UniqueFd fd_;
  };
  void ring();

 private:
  std::mutex mutex_;
  std::set<int> listeners_;
};

/// Watches the directory of the records, imports what is new, and rings. It only reads what writers wrote, so it can
/// never delay one. Like every reader, it removes old records once.
class Follower {
 public:
  Follower(const Environment& env, const Retention& retention, SharedJournal& journal, Bell& bell);
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  ~Follower();

 private:
  void follow();
  bool is_stopping() const;
  void watch();
  /// Waits until there may be news. False when it is time to end.
  bool wait_for_change();

  std::string directory_;
  Retention retention_;
  SharedJournal& journal_;
  Bell& bell_;
  UniqueFd events_, stop_;
  bool is_watched_ = false;
  std::thread thread_;
};

}  // namespace grapnel::cli
