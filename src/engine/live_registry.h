#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/engine.h"

#include "base/environment.h"
#include "discover/find/overrides.h"
#include "engine/snapshot.h"
#include "engine/source_watch.h"

namespace grapnel {

/// Hears of new snapshots. Called by the thread that makes the change, one change at a time.
class RegistryListener {
 public:
  virtual ~RegistryListener() = default;
  /// Events will get this snapshot from now on; those that run keep theirs.
  virtual void before_publishing(const Snapshot& snapshot) = 0;
  /// The files were read anew, and this is what came of it.
  virtual void after_reading(const Snapshot& snapshot) = 0;
};

/// The hooks an engine has at this moment: what files and objects say, the callbacks the host registered, and what was
/// switched on or off. Every change makes a whole new snapshot and publishes it in one step.
///
/// Thread: any. Borrows all it is made from.
class LiveRegistry {
 public:
  LiveRegistry(const EngineOptions& options, const Environment& env, const Overrides& overrides,
               RegistryListener& listener)
      : options_(options), env_(env), overrides_(overrides), listener_(listener) {}

  /// The snapshot events get now. Null until `reload` was called once.
  std::shared_ptr<const Snapshot> current() const;
  /// The same, after a look at the files when the last one is `reload_interval` ago.
  std::shared_ptr<const Snapshot> up_to_date();

  /// Reads all files anew.
  void reload();
  /// The same if one of them changed.
  void refresh();

  Result<void> add_callback(const CallbackHook& hook);
  bool remove_callback(std::string_view name);
  bool set_enabled(std::string_view name, bool enabled);

 private:
  void rebuild();
  std::shared_ptr<const Discovered> with_changes() const;
  void reload_locked();
  void protect_files(Snapshot& snapshot) const;
  DiscoverOptions discover_options() const;
  Discovered discover_all() const;
  bool needs_all_hooks(const std::string& digest) const;

  const EngineOptions& options_;
  const Environment& env_;
  const Overrides& overrides_;
  RegistryListener& listener_;

  std::mutex change_;  ///< one change at a time
  SourceWatch watch_;
  std::shared_ptr<const Discovered> files_;  ///< hooks of files and objects, without callbacks
  std::vector<HookSpec> callbacks_;
  std::map<std::string, bool, std::less<>> switched_;
  mutable std::mutex snapshot_lock_;  ///< std::atomic<std::shared_ptr> of libstdc++ 12 is itself a race
  std::shared_ptr<const Snapshot> snapshot_;
  std::atomic<int64_t> next_check_{0};
};

}  // namespace grapnel
