#include "grapnel/engine.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "base/environment.h"
#include "base/error.h"
#include "base/text.h"
#include "config/overrides.h"
#include "config/own_settings.h"
#include "config/self_protection.h"
#include "config/switches.h"
#include "engine/background.h"
#include "engine/conditions.h"
#include "engine/event_ids.h"
#include "engine/firing.h"
#include "engine/hook_info.h"
#include "engine/long_texts.h"
#include "engine/protected_places.h"
#include "engine/recording.h"
#include "engine/session_marks.h"
#include "engine/snapshot.h"
#include "engine/source_watch.h"
#include "engine/tell.h"
#include "engine/thread_pool.h"
#include "engine/worker_count.h"
#include "os/files.h"
#include "plan/registry_snapshot.h"
#include "run/secret_filter.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kMaxAsync = 64;

/// Hooks whose condition did not hold. Nobody can ask again later: files and the session's state were part of it.
std::vector<HookFate> unmet_hooks(const Snapshot& snapshot, const Plan& plan, const Decision& decision,
                                  Conditions& conditions) {
  std::vector<HookFate> unmet;
  const auto add = [&](const std::vector<uint32_t>& hooks) {
    for (const uint32_t id : hooks) {
      const HookSpec& hook = snapshot.registry.hooks[id];
      const auto is_its = [&](const HookFate& fate) {
        return fate.name == hook.name && fate.source == hook.source_text();
      };
      if (!hook.when || std::ranges::any_of(decision.hooks, is_its)) continue;
      unmet.push_back({.name = hook.name,
                       .source = hook.source_text(),
                       .kind = HookFate::Kind::Skipped,
                       .detail = "no match: " + conditions.describe_failure(hook)});
    }
  };
  for (const Stage& stage : plan.stages) add(stage.hooks);
  add(plan.background);
  return unmet;
}

class EngineImpl final : public Engine {
 public:
  explicit EngineImpl(EngineOptions options);

  Decision fire(const Event& event, std::stop_token cancel) override;
  std::future<Decision> fire_async(Event event, std::stop_token cancel) override;
  Result<void> register_callback(CallbackHook hook) override;
  bool unregister_callback(std::string_view name) override;
  bool set_enabled(std::string_view name, bool enabled) override;
  void set_all_enabled(bool enabled) override { all_enabled_ = enabled; }
  bool is_enabled() const override { return all_enabled_; }
  void reload() override;
  void refresh() override;
  std::vector<HookInfo> hooks() const override;
  std::map<EventKind, size_t> hook_counts() const override;
  std::vector<ConfigProblem> problems() const override;
  std::vector<HookExplanation> explain(const Event& event) const override;
  std::string registry_digest() const override { return current()->registry.digest; }
  size_t worker_count() const { return workers_.size(); }

 private:
  std::shared_ptr<const Snapshot> current() const {
    const std::lock_guard lock(snapshot_lock_);
    return snapshot_;
  }
  std::shared_ptr<const Snapshot> up_to_date();
  void rebuild();
  std::shared_ptr<const Discovered> with_changes() const;
  void reload_locked();
  void protect_files(Snapshot& snapshot) const;
  DiscoverOptions discover_options() const;
  Discovered discover_all() const;
  bool needs_all_hooks(const std::string& digest) const;
  void notify(const Notice& notice) const;
  void notify_untrusted(const Snapshot& snapshot) const;
  void notify_untrusted_once(const Snapshot& snapshot, const Event& event);
  void record(const Event& event, const Decision& decision, const Snapshot& snapshot,
              const std::vector<HookFate>& unmet, Deadline started);
  void run_background(std::shared_ptr<const Snapshot> snapshot, const Event& event, BackgroundRun run);
  void start_turn(const Event& event);
  void keep_session(const Event& event, const Snapshot& snapshot);
  void end_session(const Event& event);
  ConditionContext condition_context() const { return {options_.project_dir, home_, *options_.sessions}; }
  Decision stand_aside(const Event& event, const Snapshot& snapshot);

  EngineOptions options_;
  Overrides overrides_;
  Environment env_;
  std::string home_;
  std::optional<Environment> filtered_env_;  ///< what hooks inherit, where secrets are kept from them
  std::atomic<bool> all_enabled_{true};
  bool has_own_sessions_ = false;  ///< the host's own, which may outlive this engine

  std::mutex change_;  ///< one change of configuration at a time
  SourceWatch watch_;
  std::shared_ptr<const Discovered> files_;  ///< hooks of files and objects, without callbacks
  std::vector<HookSpec> callbacks_;
  std::map<std::string, bool, std::less<>> switched_;
  mutable std::mutex snapshot_lock_;  ///< std::atomic<std::shared_ptr> of libstdc++ 12 is itself a race
  std::shared_ptr<const Snapshot> snapshot_;
  std::atomic<int64_t> next_check_{0};
  WorkerPool workers_;
  os::ProgramPaths programs_;
  EventIds ids_;
  ThreadPool pool_{kMaxAsync};
};

int64_t coarse_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

EngineImpl::EngineImpl(EngineOptions options) : options_(std::move(options)), workers_(child_limits(options_.limits)) {
  env_ = options_.env ? Environment(std::move(*options_.env)) : Environment::of_process();
  home_ = env_.home();
  if (options_.filter_secrets) filtered_env_ = without_secrets(env_);
  overrides_ = read_overrides(env_);
  all_enabled_ = !overrides_.disable_all;
  has_own_sessions_ = options_.sessions != nullptr;
  if (!has_own_sessions_) options_.sessions = make_memory_session_store();
  if (options_.trust_store.empty()) options_.trust_store = env_.state_dir() + "/trust.json";
  if (options_.switches.empty()) options_.switches = env_.state_dir() + "/switches.json";
  if (options_.long_texts.empty()) options_.long_texts = env_.state_dir() + "/texts";
  reload();
}

DiscoverOptions EngineImpl::discover_options() const {
  DiscoverOptions out;
  out.roots = {options_.managed_root, options_.project_dir, &env_};
  out.use_standard_places = options_.use_hook_files;
  out.bridged = find_dialect(options_.bridged_agent);
  for (const HookConfig& config : options_.configs) {
    if (config.path.empty()) {
      out.objects.push_back({config.dialect, config.object});
    } else {
      out.files.push_back({config.path, config.dialect});
    }
  }
  for (const std::string& path : overrides_.config_files) out.files.push_back({path, ""});
  out.trust_store = options_.trust_store;
  out.default_timeout = overrides_.timeout;
  out.max_file_bytes = options_.limits.max_file;
  out.cache_dir = options_.cache_dir;
  out.only_event = options_.only_event ? &*options_.only_event : nullptr;
  return out;
}

Discovered EngineImpl::discover_all() const {
  DiscoverOptions all = discover_options();
  all.only_event = nullptr;
  return discover(all);
}

/// Whether the digest has to be computed anew, or the registry written down.
bool EngineImpl::needs_all_hooks(const std::string& digest) const {
  return !overrides_.problems.empty() || !overrides_.disabled_names.empty() || os::stamp(options_.switches) ||
         (options_.records && !options_.records->has_snapshot(digest));
}

void EngineImpl::reload() {
  const std::lock_guard lock(change_);
  reload_locked();
}

void EngineImpl::refresh() {
  const std::lock_guard lock(change_);
  if (watch_.have_changed(current()->sources)) reload_locked();
}

void EngineImpl::reload_locked() {
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  Discovered found = discover(discover_options());
  if (!found.is_whole && needs_all_hooks(found.registry.digest)) found = discover_all();
  for (const std::string& path : own_settings_files({options_.managed_root, options_.project_dir, &env_})) {
    found.sources.stamps.emplace_back(path, os::stamp(path));
  }
  for (const std::string& problem : overrides_.problems) {
    found.registry.problems.push_back({Problem::Severity::Error, problem, {}, ""});
  }
  const bool is_switched = apply_switches(options_.switches, found);
  if (is_switched || !overrides_.problems.empty()) arrange(found.registry);
  files_ = std::make_shared<const Discovered>(std::move(found));
  rebuild();
  watch_.note(current()->sources, before);
  if (!has_own_sessions_) notify_untrusted(*current());
}

/// The files' hooks as they are, or a copy with the host's hooks and wishes in it.
std::shared_ptr<const Discovered> EngineImpl::with_changes() const {
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

void EngineImpl::rebuild() {
  auto made = std::make_shared<Snapshot>(with_changes());
  protect_files(*made);
  std::shared_ptr<const Snapshot> next = std::move(made);
  std::set<std::string> commands;
  for (const HookSpec& hook : next->registry.hooks) {
    if (hook.worker() != nullptr && hook.enabled && hook.trust != Trust::Untrusted) commands.insert(worker_name(hook));
  }
  workers_.keep_only(commands);
  if (options_.records && !options_.records->has_snapshot(next->registry.digest)) {
    options_.records->snapshot(next->registry.digest, write_snapshot(next->registry));
  }
  const std::lock_guard lock(snapshot_lock_);
  snapshot_.swap(next);
}

void EngineImpl::protect_files(Snapshot& snapshot) const {
  const auto is_wanted = [&] {
    return options_.use_hook_files && wants_self_protection({options_.managed_root, options_.project_dir, &env_});
  };
  if (options_.self_protection ? !*options_.self_protection : !is_wanted()) return;
  const ProtectionInput input{options_, env_, overrides_.config_files};
  const auto find_scripts = [this, input, &known = *snapshot.discovered] {
    const std::optional<Discovered> all = known.is_whole ? std::nullopt : std::optional(discover_all());
    return protected_scripts(input, all ? all->registry : known.registry);
  };
  snapshot.protection = std::make_unique<protect::CallReview>(
      protect::PlaceFinders{[input] { return protected_places(input); }, find_scripts}, options_.project_dir,
      env_.home());
}

std::shared_ptr<const Snapshot> EngineImpl::up_to_date() {
  std::shared_ptr<const Snapshot> snapshot = current();
  if (options_.reload_interval.count() < 0) return snapshot;
  const int64_t now = coarse_milliseconds();
  int64_t due = next_check_.load(std::memory_order_relaxed);
  if (now < due || !next_check_.compare_exchange_strong(due, now + options_.reload_interval.count())) return snapshot;
  if (due == 0 || !snapshot->sources.have_changed()) return snapshot;
  reload();
  return current();
}

void EngineImpl::notify(const Notice& notice) const {
  if (options_.notices) tell([&] { options_.notices(notice); });
}

void EngineImpl::notify_untrusted(const Snapshot& snapshot) const {
  const size_t count = snapshot.untrusted_count;
  if (count == 0) return;
  notify({"", std::to_string(count) + (count == 1 ? " hook of this project is" : " hooks of this project are") +
                  " not trusted and will not run; `grapnel trust` shows them"});
}

/// Where sessions outlive this engine, as with a process per event, each hears of the same untrusted hooks once.
void EngineImpl::notify_untrusted_once(const Snapshot& snapshot, const Event& event) {
  Sha256 hash;
  for (const HookSpec& hook : snapshot.registry.hooks) {
    if (hook.trust == Trust::Untrusted) hash.add(hook.name).add(hook.digest);
  }
  const std::string key = "untrusted:" + hash.hex().substr(0, 32);
  const std::string session = event.text(Field::SessionId);
  const std::string told_to = session.empty() ? "project:" + options_.project_dir : session;
  const auto state = options_.sessions->load(told_to);
  if (state && state->done.contains(key)) return;
  notify_untrusted(snapshot);
  static_cast<void>(options_.sessions->update(told_to, [&](SessionState& s) { s.done.insert(key); }));
}

/// A new prompt opens a turn: gates count from zero again.
void EngineImpl::start_turn(const Event& event) {
  const std::string session = event.text(Field::SessionId);
  if (event.kind() != EventKind::UserPromptSubmit || session.empty()) return;
  const auto state = options_.sessions->load(session);
  if (!state || (state->blocks.empty() && state->hook_blocks.empty() && state->touched.empty())) return;
  static_cast<void>(options_.sessions->update(session, [](SessionState& s) {
    s.blocks.clear();
    s.hook_blocks.clear();
    s.touched.clear();
  }));
}

/// What hooks ask for later, whether or not one listens now: the files a call wrote, and that a compaction was.
void EngineImpl::keep_session(const Event& event, const Snapshot& snapshot) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty()) return;
  if (snapshot.demands.counts_compactions && is_compaction(event)) {
    static_cast<void>(options_.sessions->update(session, forget_injected));
  }
  if (!snapshot.demands.tracks_changes) return;
  const std::vector<std::string> files = written_files(event, condition_context());
  if (files.empty()) return;
  static_cast<void>(options_.sessions->update(session, [&](SessionState& state) {
    for (const std::string& file : files) {
      if (state.touched.size() < SessionState::kMaxTouched) state.touched.insert(file);
    }
  }));
}

/// No call of it comes again, and hosts outlive their sessions.
void EngineImpl::end_session(const Event& event) {
  const std::string session = event.text(Field::SessionId);
  LongTexts(options_.long_texts, session, "").forget_session();
  if (session.empty()) return;
  const auto state = options_.sessions->load(session);
  if (!state || state->remembered.empty()) return;
  static_cast<void>(options_.sessions->update(
      session, [](SessionState& s) { std::vector<SessionState::Remembered>().swap(s.remembered); }));
}

/// All hooks are switched off. That is on record, so that nobody wonders later why none ran.
Decision EngineImpl::stand_aside(const Event& event, const Snapshot& snapshot) {
  Decision decision{.origin = Origin::Engine};
  if (!options_.records || !options_.record_unmatched) return decision;
  Record record = record_of(event, snapshot, ids_.next());
  record.project_dir = options_.project_dir;
  add_decision(record, decision);
  record.reason = "all hooks are switched off";
  options_.records->record(record);
  return decision;
}

Decision EngineImpl::fire(const Event& event, std::stop_token cancel) {
  const std::shared_ptr<const Snapshot> snapshot = all_enabled_ ? up_to_date() : current();
  if (!all_enabled_) return stand_aside(event, *snapshot);
  workers_.sweep();
  if (event.kind() == EventKind::UserPromptSubmit) start_turn(event);
  if (has_own_sessions_ && snapshot->untrusted_count > 0) notify_untrusted_once(*snapshot, event);
  if (event.kind() == EventKind::SessionEnd) end_session(event);
  if (snapshot->demands.tracks_changes || snapshot->demands.counts_compactions) keep_session(event, *snapshot);
  Plan plan = snapshot->planner.plan(event);
  Conditions conditions(event, condition_context());
  const Plan asked = options_.records ? plan : Plan{};
  if (!plan.empty() && !conditions.want_any(plan, snapshot->registry)) plan = {};
  const bool may_be_untrusted = snapshot->untrusted.test(static_cast<size_t>(event.kind()));
  std::string concern = snapshot->protection ? snapshot->protection->concern(event) : "";
  if (plan.empty() && !may_be_untrusted && !options_.record_unmatched && concern.empty()) return {};

  const Deadline started = options_.records ? SteadyClock::now() : Deadline{};
  os::CancelToken token;
  std::optional<os::CancelSource> source;
  if (cancel.stop_possible()) token = source.emplace().token();
  const std::stop_callback forward(cancel, [&] { source->cancel(); });

  const auto start_background = [&](BackgroundRun run) { run_background(snapshot, event, std::move(run)); };
  Firing firing(*snapshot, event,
                {options_, filtered_env_ ? *filtered_env_ : env_, *options_.sessions, token, cancel, start_background,
                 conditions, workers_, programs_, ids_, std::move(concern)});
  Decision decision = firing.run(plan);
  record(event, decision, *snapshot, unmet_hooks(*snapshot, asked, decision, conditions), started);
  for (const Attributed& message : decision.effects.messages) notify({message.hook, message.text});
  return decision;
}

std::future<Decision> EngineImpl::fire_async(Event event, std::stop_token cancel) {
  auto promise = std::make_shared<std::promise<Decision>>();
  std::future<Decision> future = promise->get_future();
  pool_.post([this, promise, event = std::move(event), cancel] { promise->set_value(fire(event, cancel)); });
  return future;
}

void EngineImpl::record(const Event& event, const Decision& decision, const Snapshot& snapshot,
                        const std::vector<HookFate>& unmet, Deadline started) {
  if (!options_.records || (decision.hooks.empty() && !options_.record_unmatched)) return;
  Record record = record_of(event, snapshot, decision.event_id);
  record.project_dir = options_.project_dir;
  add_decision(record, decision);
  record.hooks.insert(record.hooks.end(), unmet.begin(), unmet.end());
  record.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
  options_.records->record(record);
}

void EngineImpl::run_background(std::shared_ptr<const Snapshot> snapshot, const Event& event, BackgroundRun run) {
  auto work = [snapshot = std::move(snapshot), event, run = std::move(run), limits = options_.limits,
               watchers = Watchers{options_.records, options_.observer}](WorkerPool& workers) {
    run_detached(*snapshot, event, run, limits, watchers, workers);
  };
  if (!options_.background) return pool_.post([this, work = std::move(work)] { work(workers_); });
  // The host may run it when this engine is gone, or in another process.
  options_.background([work = std::move(work), limits = child_limits(options_.limits)] {
    WorkerPool workers(limits);
    work(workers);
  });
}

Result<void> EngineImpl::register_callback(CallbackHook hook) {
  auto spec = spec_of_callback(hook);
  if (!spec) return std::unexpected(spec.error());
  const std::lock_guard lock(change_);
  if (std::ranges::find(callbacks_, hook.name, &HookSpec::name) != callbacks_.end()) {
    return fail(Errc::BadConfig, "a callback named '" + hook.name + "' is registered already");
  }
  callbacks_.insert(hook.last_in_first ? callbacks_.begin() : callbacks_.end(), std::move(*spec));
  rebuild();
  return {};
}

bool EngineImpl::unregister_callback(std::string_view name) {
  const std::lock_guard lock(change_);
  const size_t removed = std::erase_if(callbacks_, [&](const HookSpec& hook) { return hook.name == name; });
  if (removed > 0) rebuild();
  return removed > 0;
}

bool EngineImpl::set_enabled(std::string_view name, bool enabled) {
  const std::lock_guard lock(change_);
  const std::shared_ptr<const Snapshot> snapshot = current();
  const auto is_meant = [&](const HookSpec& hook) { return hook.name == name && hook.scope != Scope::Managed; };
  if (std::ranges::none_of(snapshot->registry.hooks, is_meant)) return false;
  switched_[std::string(name)] = enabled;
  rebuild();
  return true;
}

std::vector<HookInfo> EngineImpl::hooks() const {
  const std::shared_ptr<const Snapshot> snapshot = current();
  std::vector<HookInfo> out;
  for (const HookSpec& hook : snapshot->registry.hooks) out.push_back(info_of(hook));
  return out;
}

std::map<EventKind, size_t> EngineImpl::hook_counts() const {
  const std::shared_ptr<const Snapshot> snapshot = current();
  std::map<EventKind, size_t> counts;
  for (const EventKind kind : all_event_kinds()) {
    const auto count =
        std::ranges::count_if(snapshot->registry.hooks, [&](const HookSpec& h) { return h.listens_to(kind); });
    if (count > 0) counts[kind] = static_cast<size_t>(count);
  }
  return counts;
}

std::vector<ConfigProblem> EngineImpl::problems() const {
  const std::shared_ptr<const Snapshot> snapshot = current();
  std::vector<ConfigProblem> out;
  for (const Problem& problem : snapshot->registry.problems) {
    out.push_back({problem.severity == Problem::Severity::Error, problem.message, problem.at, problem.hint});
  }
  return out;
}

std::vector<HookExplanation> EngineImpl::explain(const Event& event) const {
  const std::shared_ptr<const Snapshot> snapshot = current();
  Conditions conditions(event, condition_context());
  return explain_event(*snapshot, event, conditions);
}

}  // namespace

std::unique_ptr<Engine> Engine::create(EngineOptions options) {
  return std::make_unique<EngineImpl>(std::move(options));
}

size_t worker_count(const Engine& engine) {
  const auto* made = dynamic_cast<const EngineImpl*>(&engine);
  return made == nullptr ? 0 : made->worker_count();
}

std::string ConfigProblem::to_string() const {
  return Problem{is_error ? Problem::Severity::Error : Problem::Severity::Warning, message, at, hint}.to_string();
}

}  // namespace grapnel
