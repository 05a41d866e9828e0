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
#include "discover/find/grapnel_settings.h"
#include "discover/find/overrides.h"
#include "engine/snapshot.h"
#include "engine/source_watch.h"

/// The hooks of an engine, and how they change while it runs.
namespace grapnel {

/// Is notified of new snapshots. Called by the thread that makes the change, one change at a time.
class RegistryListener {
 public:
  virtual ~RegistryListener() = default;
  /// New events will use this snapshot. Events that are running keep the one they have.
  virtual void before_publishing(const Snapshot& snapshot) = 0;
};

/// The hooks that an engine has at this moment. They come from three sources: hook files and configuration objects, the
/// callbacks that the host registered, and the switches that enable or disable single hooks.
///
/// A snapshot never changes. Every change builds a whole new one and publishes it in one step, so an event sees either
/// the old hooks or the new ones. There are two locks: `change_` is held during a whole change, `snapshot_lock_` only
/// while the pointer is read or replaced, so events do not wait for a reload.
///
/// Thread: any. The constructor's arguments must outlive it.
class LiveRegistry {
 public:
  LiveRegistry(const EngineOptions& options, const Environment& env, const Overrides& overrides,
               RegistryListener& listener)
      : options_(options), env_(env), overrides_(overrides), listener_(listener) {}

  /// The snapshot that new events use. Null until the first `reload`.
  std::shared_ptr<const Snapshot> current() const;
  /// The same, but first checks whether files changed, if the last check is `reload_interval` ago. Reloads if they did.
  std::shared_ptr<const Snapshot> up_to_date();

  /// Reads all files again.
  void reload();
  /// Reads all files again if one of them changed. Cheap enough to be called before every event.
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
  GrapnelSettings settings_;                 ///< as of the last reload
  std::shared_ptr<const Discovered> files_;  ///< hooks of files and objects, without callbacks
  std::vector<HookSpec> callbacks_;
  std::map<std::string, bool, std::less<>> switched_;
  mutable std::mutex snapshot_lock_;  ///< not std::atomic<std::shared_ptr>: that one has a data race in libstdc++ 12
  std::shared_ptr<const Snapshot> snapshot_;
  std::atomic<int64_t> next_check_{0};
};

}  // namespace grapnel
