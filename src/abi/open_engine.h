#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>

#include "abi/journal_switch.h"
#include "abi/options.h"
#include "engine/thread_pool.h"
#include "grapnel.h"

/// The engines of C hosts.
///
/// A host has a handle, which is a number in disguise and no address: a table says which engine it means. So a handle
/// of an engine that is closed, even twice or by another thread, is recognised and never followed.
///
///   Open ── close ──▶ Closing: not in the table any more; events are cancelled ── last event ended ──▶ gone
namespace grapnel::abi {

/// One engine and everything that runs in it. Thread: any.
class OpenEngine {
 public:
  explicit OpenEngine(OpenOptions options);

  Engine& engine() { return *engine_; }
  /// Cancelled when the engine is closed.
  std::stop_token closing() const { return closing_.get_token(); }

  /// Runs the work in a thread of this engine; closing waits for it. The work must not throw.
  void post(std::function<void()> work);
  void set_journal(bool on, const std::string& directory);

  /// Cancels the events and waits until everything that uses the engine has ended.
  void shut_down();

 private:
  friend class Use;
  void enter();
  void leave();

  std::stop_source closing_;
  std::mutex mutex_;
  std::condition_variable idle_;
  size_t users_ = 0;  ///< guarded by `mutex_`
  std::shared_ptr<JournalSwitch> journal_ = std::make_shared<JournalSwitch>();
  std::unique_ptr<Engine> engine_;
  ThreadPool pool_{64};  ///< the last member: its threads use the others until they end
};

/// Keeps an engine alive while a function of the library works with it, and remembers that this thread does: closing
/// from there must not wait for itself.
class Use {
 public:
  Use() = default;
  explicit Use(std::shared_ptr<OpenEngine> engine);
  Use(Use&& other) noexcept : engine_(std::move(other.engine_)) { other.engine_.reset(); }
  Use& operator=(Use&&) = delete;
  Use(const Use&) = delete;
  ~Use();

  explicit operator bool() const { return engine_ != nullptr; }
  OpenEngine* operator->() const { return engine_.get(); }
  OpenEngine& operator*() const { return *engine_; }

  /// Whether this thread is inside a callback, or works for any engine.
  static bool is_inside();

 private:
  std::shared_ptr<OpenEngine> engine_;
};

/// Marks a thread of the engine's that calls a function of the host.
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

/// The handle of a new engine.
grapnel_engine* add_engine(std::shared_ptr<OpenEngine> engine);
/// The engine of a handle. If there is none, the result is empty and `why` says why.
Use find_engine(const grapnel_engine* handle, std::string_view& why);
/// Takes it out of the table; null if it was not there, or if it is another process's, which is then forgotten: its
/// threads do not exist here.
std::shared_ptr<OpenEngine> remove_engine(const grapnel_engine* handle);

}  // namespace grapnel::abi
