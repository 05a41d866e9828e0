#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "os/calls.h"

/// A thread that can end everything it has started, and nothing else.
///
/// It lives in a Landlock domain of its own, out of which no signal leads. What it starts is in the same domain, for
/// ever, wherever it goes: a new session, parent, group or name changes nothing. So `kill(-1)`, which means "all
/// processes that I may signal", means exactly these, and reaches them in one step, so that no fork gets away.
///
/// Without the domain the same call would end all of the user's programs. So it is proven before it is ever used: our
/// parent process, which could be signalled before, must be out of reach now. Without a parent to prove it with, there
/// is no such thread.
///
/// Only this one thread is restricted, and it ends with the object. Needs Landlock 6 (Linux 6.12).
namespace grapnel::os {

class ScopedThread {
 public:
  /// Null if the kernel cannot do this, or the proof failed. Thread: any.
  static std::shared_ptr<ScopedThread> start(const Calls& calls);
  ScopedThread(const ScopedThread&) = delete;
  ScopedThread& operator=(const ScopedThread&) = delete;
  ~ScopedThread();

  /// Runs the function in the thread, and waits for its end.
  void run(const std::function<void()>& work);
  /// Ends all processes that the thread has started, and theirs.
  void kill_all();

 private:
  explicit ScopedThread(const Calls& calls) : calls_(calls) {}
  void serve(int ruleset);
  bool enter(int ruleset) const;
  /// Whether our parent is out of reach.
  bool is_confined() const;

  const Calls& calls_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  bool is_ready_ = false;
  bool is_inside_ = false;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace grapnel::os
