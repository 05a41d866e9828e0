#include "grapnel/engine.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "base/environment.h"
#include "discover/find/overrides.h"
#include "engine/background.h"
#include "engine/call_host.h"
#include "engine/conditions.h"
#include "engine/event_ids.h"
#include "engine/hook_info.h"
#include "engine/line.h"
#include "engine/live_registry.h"
#include "engine/people.h"
#include "engine/recording.h"
#include "engine/resident.h"
#include "engine/thread_pool.h"
#include "plan/registry_snapshot.h"
#include "run/secret_filter.h"
#include "session/execution_guard.h"
#include "session/long_texts.h"
#include "session/session_upkeep.h"

namespace grapnel {

namespace {

constexpr size_t kMaxAsync = 64;  // threads for fire_async and for background hooks

/// Owns everything that outlives an event: the hooks (LiveRegistry), the workers, the sessions, the threads. What
/// happens to a single event is in line.cc.
class EngineImpl final : public Engine, private RegistryListener {
 public:
  explicit EngineImpl(EngineOptions options);
  EngineImpl(const EngineImpl&) = delete;
  EngineImpl& operator=(const EngineImpl&) = delete;
  ~EngineImpl() override;

  Decision fire(const Event& event, std::stop_token cancel) override;
  std::future<Decision> fire_async(Event event, std::stop_token cancel) override;
  Result<void> register_callback(CallbackHook hook) override { return registry_.add_callback(hook); }
  bool unregister_callback(std::string_view name) override { return registry_.remove_callback(name); }
  bool set_enabled(std::string_view name, bool enabled) override { return registry_.set_enabled(name, enabled); }
  void set_all_enabled(bool enabled) override { all_enabled_ = enabled; }
  bool is_enabled() const override { return all_enabled_; }
  void reload() override { registry_.reload(); }
  void refresh() override { registry_.refresh(); }
  std::vector<HookInfo> hooks() const override;
  std::map<EventKind, size_t> hook_counts() const override;
  std::vector<ConfigProblem> problems() const override;
  std::vector<HookExplanation> explain(const Event& event) const override;
  std::string registry_digest() const override { return registry_.current()->registry.digest; }
  size_t worker_count() const { return workers_.size(); }
  void keep_warm(const std::shared_ptr<WarmSeats>& seats, WarmPool::Post post) {
    warm_ = std::make_shared<WarmPool>(seats, std::move(post));
    seats->join(warm_);
  }
  WarmPool* warm() const { return warm_.get(); }

 private:
  void before_publishing(const Snapshot& snapshot) override;
  void note_event(const Event& event, const Snapshot& snapshot, const LineContext& context);
  Decision answer(const Event& event, const std::shared_ptr<const Snapshot>& snapshot, const LineContext& context);
  void notify(const Notice& notice) const;
  bool is_unrecorded(const Decision& decision) const;
  void start_background(std::shared_ptr<const Snapshot> snapshot, const Event& event, BackgroundRun run);

  EngineOptions options_;
  Overrides overrides_;
  Environment env_;
  std::string home_;
  std::optional<Environment> filtered_env_;  ///< what hooks inherit, where secrets are kept from them
  std::atomic<bool> all_enabled_{true};
  LiveRegistry registry_;
  WorkerPool workers_;
  std::shared_ptr<WarmPool> warm_;  ///< null: no hook is warm. Shared with what it has posted
  os::ProgramPaths programs_;
  EventIds ids_;
  ThreadPool pool_{kMaxAsync};
};

// `registry_` keeps references to `env_` and `overrides_`, which the body fills in before it calls `reload`.
EngineImpl::EngineImpl(EngineOptions options)
    : options_(std::move(options)),
      registry_(options_, env_, overrides_, *this),
      workers_(child_limits(options_.limits)) {
  env_ = options_.env ? Environment(std::move(*options_.env)) : Environment::of_process();
  home_ = env_.home();
  if (options_.safety.filter_secrets) filtered_env_ = without_secrets(env_);
  overrides_ = read_overrides(env_);
  all_enabled_ = !overrides_.disable_all;
  if (!options_.sessions) options_.sessions = make_memory_session_store();
  if (options_.places.trust_store.empty()) options_.places.trust_store = env_.state_dir() + "/trust.json";
  if (options_.places.switches.empty()) options_.places.switches = env_.state_dir() + "/switches.json";
  if (options_.places.weakenings.empty()) options_.places.weakenings = env_.state_dir() + "/weakened.jsonl";
  if (options_.places.leftovers.empty()) options_.places.leftovers = env_.state_dir() + "/leftovers.jsonl";
  if (options_.places.long_texts.empty()) options_.places.long_texts = env_.state_dir() + "/texts";
  reload();
}

/// Ends the workers of hooks that are gone, and gives the record a copy of a registry that it has not seen yet, so that
/// `explain` can later say which hooks there were.
void EngineImpl::before_publishing(const Snapshot& snapshot) {
  std::set<std::string> commands;
  for (const HookSpec& hook : snapshot.registry.hooks) {
    if (hook.worker() != nullptr && hook.enabled && hook.trust != Trust::Untrusted) commands.insert(worker_name(hook));
  }
  workers_.keep_only(commands);
  if (warm_) warm_->keep_only(snapshot.registry.hooks);
  if (options_.recording.sink && !options_.recording.sink->has_snapshot(snapshot.registry.digest)) {
    options_.recording.sink->snapshot(snapshot.registry.digest, write_snapshot(snapshot.registry));
  }
}

void EngineImpl::notify(const Notice& notice) const {
  if (options_.host.notices) call_host([&] { options_.host.notices(notice); });
}

/// Updates the session for an event, whether or not a hook listens to it: a prompt starts a turn, the end of a tool
/// call makes its beginning forgotten, a compaction or a written file is noted, and the end of the session removes what
/// was kept for it.
void EngineImpl::note_event(const Event& event, const Snapshot& snapshot, const LineContext& context) {
  SessionStore& sessions = context.sessions;
  if (event.kind() == EventKind::SessionStart) note_start(event, sessions);
  if (event.kind() == EventKind::UserPromptSubmit) start_turn(event, sessions);
  if (event.kind() == EventKind::SessionEnd) {
    LongTexts(options_.places.long_texts, event.text(Field::SessionId), "").forget_session();
    end_session(event, sessions);
  }
  if (snapshot.demands.guards_calls) forget_other_moments(event, sessions);
  if (snapshot.demands.counts_compactions && is_compaction(event)) note_compaction(event, sessions);
  if (snapshot.demands.tracks_changes && event.get(Field::SessionId)) {
    note_touched(event, written_files(event, context.conditions()), sessions);
  }
}

EngineImpl::~EngineImpl() {
  if (warm_) warm_->close();
}

/// The event works with one snapshot from start to end, even if another thread reloads the hooks meanwhile.
Decision EngineImpl::fire(const Event& event, std::stop_token cancel) {
  const bool is_on = all_enabled_;
  const std::shared_ptr<const Snapshot> snapshot = is_on ? registry_.up_to_date() : registry_.current();
  const LineContext context{options_,  filtered_env_ ? *filtered_env_ : env_,
                            home_,     *options_.sessions,
                            workers_,  warm_.get(),
                            programs_, ids_,
                            cancel};
  if (is_on) return answer(event, snapshot, context);
  record_switched_off(event, *snapshot, context);
  return {.origin = Origin::Engine};
}

/// The session is updated before the line, because conditions may ask about it. Async hooks start only when the
/// decision is known.
Decision EngineImpl::answer(const Event& event, const std::shared_ptr<const Snapshot>& snapshot,
                            const LineContext& context) {
  workers_.sweep();
  note_event(event, *snapshot, context);
  std::vector<BackgroundRun> background;
  Decision decision = walk_line(*snapshot, event, context, background);
  tell_people(decision, event, *snapshot, context);
  for (BackgroundRun& run : background) {
    if (!run.is_job || is_unrecorded(decision)) start_background(snapshot, event, std::move(run));
  }
  for (const Attributed& message : decision.effects.messages) notify({message.hook, message.text});
  // The next processes start only now, because they would take the processor from those of this event.
  if (warm_) warm_->restock();
  return decision;
}

/// The promise is shared because the pool's work has to be copyable.
std::future<Decision> EngineImpl::fire_async(Event event, std::stop_token cancel) {
  auto promise = std::make_shared<std::promise<Decision>>();
  std::future<Decision> future = promise->get_future();
  pool_.post([this, promise, event = std::move(event), cancel] { promise->set_value(fire(event, cancel)); });
  return future;
}

/// Whether jobs for a fleet are in no record although the event goes on. Then their hooks run here.
bool EngineImpl::is_unrecorded(const Decision& decision) const {
  return !decision.denied() && !options_.recording.sink->last_failure().empty();
}

/// Starts async hooks, after the decision. The work owns copies of all it needs, so the event may be gone by then.
void EngineImpl::start_background(std::shared_ptr<const Snapshot> snapshot, const Event& event, BackgroundRun run) {
  auto work = [snapshot = std::move(snapshot), event, run = std::move(run), limits = options_.limits,
               sessions = options_.sessions,
               watchers = Watchers{options_.recording.sink, options_.host.observer, options_.places.leftovers}](
                  WorkerPool& workers) mutable {
    if (run.wait && !prepare_after_quiet(*snapshot, run, watchers, *sessions)) return;
    run_detached(*snapshot, event, run, limits, watchers, workers);
  };
  if (!options_.host.background) return pool_.post([this, work = std::move(work)]() mutable { work(workers_); });
  // The host may run this work after the engine is destroyed, or in another process. So it gets its own worker pool.
  options_.host.background([work = std::move(work), limits = child_limits(options_.limits)]() mutable {
    WorkerPool workers(limits);
    work(workers);
  });
}

std::vector<HookInfo> EngineImpl::hooks() const {
  const std::shared_ptr<const Snapshot> snapshot = registry_.current();
  std::vector<HookInfo> out;
  for (const HookSpec& hook : snapshot->registry.hooks) out.push_back(info_of(hook));
  return out;
}

std::map<EventKind, size_t> EngineImpl::hook_counts() const {
  const std::shared_ptr<const Snapshot> snapshot = registry_.current();
  std::map<EventKind, size_t> counts;
  for (const EventKind kind : all_event_kinds()) {
    const auto count =
        std::ranges::count_if(snapshot->registry.hooks, [&](const HookSpec& h) { return h.listens_to(kind); });
    if (count > 0) counts[kind] = static_cast<size_t>(count);
  }
  return counts;
}

std::vector<ConfigProblem> EngineImpl::problems() const {
  return registry_.current()->registry.problems;
}

/// Runs nothing and changes nothing: it plans the event and evaluates the conditions.
std::vector<HookExplanation> EngineImpl::explain(const Event& event) const {
  const std::shared_ptr<const Snapshot> snapshot = registry_.current();
  Conditions conditions(event, {options_.project_dir, home_, env_, *options_.sessions});
  return explain_event(*snapshot, event, conditions);
}

}  // namespace

std::unique_ptr<Engine> Engine::create(EngineOptions options) {
  return std::make_unique<EngineImpl>(std::move(options));
}

namespace {

template <typename AnEngine>
auto* made_here(AnEngine& engine) {
  using Impl = std::conditional_t<std::is_const_v<AnEngine>, const EngineImpl, EngineImpl>;
  return dynamic_cast<Impl*>(&engine);
}

}  // namespace

size_t worker_count(const Engine& engine) {
  const auto* made = made_here(engine);
  return made == nullptr ? 0 : made->worker_count();
}

void keep_warm(Engine& engine, const std::shared_ptr<WarmSeats>& seats, WarmPool::Post post) {
  if (auto* made = made_here(engine)) made->keep_warm(seats, std::move(post));
}

void sweep_warm(Engine& engine) {
  const auto* made = made_here(engine);
  if (made != nullptr && made->warm() != nullptr) made->warm()->sweep();
}

WarmCounts warm_counts(const Engine& engine) {
  const auto* made = made_here(engine);
  return made == nullptr || made->warm() == nullptr ? WarmCounts{} : made->warm()->counts();
}

}  // namespace grapnel
