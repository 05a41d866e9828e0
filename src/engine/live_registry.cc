#include "engine/live_registry.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/error.h"
#include "discover/find/ask_setting.h"
#include "discover/find/broken_config.h"
#include "discover/find/grapnel_settings.h"
#include "discover/find/observe_mode.h"
#include "discover/find/sandbox_setting.h"
#include "discover/find/self_protection.h"
#include "discover/find/switches.h"
#include "discover/find/unsure.h"
#include "discover/find/warm_setting.h"
#include "engine/hook_info.h"
#include "engine/protected_places.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// Cheaper than steady_clock, and precise enough for a reload interval.
int64_t coarse_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

}  // namespace

std::shared_ptr<const Snapshot> LiveRegistry::current() const {
  const std::lock_guard lock(snapshot_lock_);
  return snapshot_;
}

/// The compare-and-exchange lets only one of several threads do a check that is due; the others go on with what they
/// have. The first call (`due == 0`) checks nothing, because the constructor of the engine has just read the files.
std::shared_ptr<const Snapshot> LiveRegistry::up_to_date() {
  std::shared_ptr<const Snapshot> snapshot = current();
  if (options_.discovery.reload_interval.count() < 0) return snapshot;
  const int64_t now = coarse_milliseconds();
  int64_t due = next_check_.load(std::memory_order_relaxed);
  if (now < due || !next_check_.compare_exchange_strong(due, now + options_.discovery.reload_interval.count()))
    return snapshot;
  if (due == 0 || !snapshot->sources.have_changed()) return snapshot;
  reload();
  return current();
}

/// What discovery has to read, from the host's options and from the environment's overrides.
DiscoverOptions LiveRegistry::discover_options() const {
  DiscoverOptions out;
  out.roots = place_roots(options_, env_);
  out.use_standard_places = options_.discovery.use_hook_files;
  out.bridged = find_dialect(options_.discovery.bridged_agent);
  for (const HookConfig& config : options_.configs) {
    if (config.path.empty()) {
      out.objects.push_back({config.dialect, config.object});
    } else {
      out.files.push_back({config.path, config.dialect, config.likely_dialect});
    }
  }
  for (const std::string& path : overrides_.config_files) out.files.push_back({path, ""});
  out.trust_store = options_.places.trust_store;
  out.default_timeout = overrides_.timeout;
  out.max_file_bytes = options_.limits.max_file;
  out.cache_dir = options_.places.cache_dir;
  out.only_event = options_.discovery.only_event ? &*options_.discovery.only_event : nullptr;
  return out;
}

/// Reads the hooks of all events, although the host said that it fires only one.
Discovered LiveRegistry::discover_all() const {
  DiscoverOptions all = discover_options();
  all.only_event = nullptr;
  return discover(all);
}

/// Whether hooks of other events are needed after all: because overrides or switches change the registry's digest,
/// which covers all hooks, or because the record has no copy of this registry yet.
bool LiveRegistry::needs_all_hooks(const std::string& digest) const {
  return !overrides_.problems.empty() || !settings_.problems.empty() || !overrides_.disabled_names.empty() ||
         os::stamp(options_.places.switches) || wants_observing(settings_) || has_sandbox_setting(settings_) ||
         !options_.safety.sandboxes.empty() ||
         (options_.recording.sink && !options_.recording.sink->has_snapshot(digest));
}

void LiveRegistry::reload() {
  const std::lock_guard lock(change_);
  reload_locked();
}

void LiveRegistry::refresh() {
  const std::lock_guard lock(change_);
  if (watch_.have_changed(current()->sources)) reload_locked();
}

/// `before` is taken first: a file that changes while it is read must look newer than the reading.
void LiveRegistry::reload_locked() {
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  const PlaceRoots roots = place_roots(options_, env_);
  // The settings of the machine are not for a host that uses no hook files.
  settings_ = options_.discovery.use_hook_files ? read_grapnel_settings(roots) : GrapnelSettings{};
  Discovered found = discover(discover_options());
  if (!found.is_whole && needs_all_hooks(found.registry.digest)) found = discover_all();
  for (const std::string& path : grapnel_settings_files(roots)) {
    found.sources.stamps.emplace_back(path, os::stamp(path));
  }
  for (const std::string& problem : overrides_.problems) {
    found.registry.problems.push_back({ConfigProblem::Severity::Error, problem, {}, ""});
  }
  for (ConfigProblem& problem : ask_problems(settings_, roots)) settings_.problems.push_back(std::move(problem));
  for (ConfigProblem& problem : warm_problems(settings_, roots)) settings_.problems.push_back(std::move(problem));
  const auto& lost = settings_.problems;
  found.registry.problems.insert(found.registry.problems.end(), lost.begin(), lost.end());
  const bool is_switched = apply_switches(options_.places.switches, found);
  const bool is_observed = apply_observe_mode(settings_, roots, found.registry);
  const bool is_unsure = apply_unsure(settings_, roots, found.registry);
  apply_warm(settings_, found.registry);
  bool is_contained = apply_sandboxes(settings_, roots, found.registry);
  is_contained |= apply_host_sandboxes(options_.safety.sandboxes, found.registry);
  const bool has_problems = !lost.empty() || !overrides_.problems.empty();
  if (is_switched || is_observed || is_unsure || is_contained || has_problems) arrange(found.registry);
  files_ = std::make_shared<const Discovered>(std::move(found));
  rebuild();
  watch_.note(current()->sources, before);
}

/// The hooks from the files if the host changes nothing, without a copy. Otherwise a copy with the callbacks added and
/// the switches applied. Managed hooks cannot be switched off.
std::shared_ptr<const Discovered> LiveRegistry::with_changes() const {
  if (callbacks_.empty() && overrides_.disabled_names.empty() && switched_.empty()) return files_;
  auto changed = std::make_shared<Discovered>(files_->is_whole ? *files_ : discover_all());
  Registry& registry = changed->registry;
  registry.hooks.insert(registry.hooks.end(), callbacks_.begin(), callbacks_.end());
  for (HookSpec& hook : registry.hooks) {
    if (hook.scope == Scope::Managed) continue;
    if (overrides_.disabled_names.contains(hook.name)) hook.enabled = false;
    if (const auto found = switched_.find(hook.name); found != switched_.end()) hook.enabled = found->second;
  }
  arrange(registry);
  return changed;
}

void LiveRegistry::rebuild() {
  auto made = std::make_shared<Snapshot>(with_changes());
  protect_files(*made);
  if (!made->registry.broken.empty()) {
    made->on_broken_config = on_broken_config(place_roots(options_, env_));
  }
  std::shared_ptr<const Snapshot> next = std::move(made);
  // The record must have its copy of the registry before an event can refer to it.
  listener_.before_publishing(*next);
  const std::lock_guard lock(snapshot_lock_);
  snapshot_.swap(next);
}

/// Adds self-protection to the snapshot, unless the host or a settings file switches it off. The protected places are
/// found when the first tool call needs them, because most events never do.
void LiveRegistry::protect_files(Snapshot& snapshot) const {
  const auto is_wanted = [&] { return options_.discovery.use_hook_files && wants_self_protection(settings_); };
  if (options_.safety.self_protection ? !*options_.safety.self_protection : !is_wanted()) return;
  const ProtectionInput input{options_, env_, overrides_.config_files};
  const auto find_scripts = [this, input, &known = *snapshot.discovered] {
    const std::optional<Discovered> all = known.is_whole ? std::nullopt : std::optional(discover_all());
    return protected_scripts(input, all ? all->registry : known.registry);
  };
  snapshot.protection =
      std::make_unique<protect::CallReview>(protect::PlaceFinders{[input] { return protected_places(input); },
                                                                  find_scripts, [input] { return start_files(input); }},
                                            options_.project_dir, env_.home(), known_variables(input));
}

// The next three are the host's changes. Each holds the lock, changes its list, and publishes a new snapshot.

Result<void> LiveRegistry::add_callback(const CallbackHook& hook) {
  auto spec = spec_of_callback(hook);
  if (!spec) return std::unexpected(spec.error());
  const std::lock_guard lock(change_);
  if (std::ranges::find(callbacks_, hook.name, &HookSpec::name) != callbacks_.end()) {
    return fail(Errc::BadConfig, "a callback named '" + hook.name + "' is already registered");
  }
  callbacks_.insert(hook.last_in_first ? callbacks_.begin() : callbacks_.end(), std::move(*spec));
  rebuild();
  return {};
}

bool LiveRegistry::remove_callback(std::string_view name) {
  const std::lock_guard lock(change_);
  const size_t removed = std::erase_if(callbacks_, [&](const HookSpec& hook) { return hook.name == name; });
  if (removed > 0) rebuild();
  return removed > 0;
}

bool LiveRegistry::set_enabled(std::string_view name, bool enabled) {
  const std::lock_guard lock(change_);
  const std::shared_ptr<const Snapshot> snapshot = current();
  const auto is_meant = [&](const HookSpec& hook) { return hook.name == name && hook.scope != Scope::Managed; };
  if (std::ranges::none_of(snapshot->registry.hooks, is_meant)) return false;
  switched_[std::string(name)] = enabled;
  rebuild();
  return true;
}

}  // namespace grapnel
