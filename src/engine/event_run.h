#pragma once

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "base/clock.h"
#include "base/environment.h"
#include "engine/conditions.h"
#include "engine/event_ids.h"
#include "engine/snapshot.h"
#include "os/cancel.h"
#include "run/runner.h"
#include "session/call_dedupe.h"
#include "session/event_session.h"
#include "session/long_texts.h"
#include "trust/pinned_files.h"

/// The data of one event on its way along the line (line.h). These are plain structs. Every step of the line is a
/// function, in a file of its own, that reads and changes them:
///
///   EventRun ── LineContext   borrowed from the engine
///            ── Conditions    answers to the hooks' conditions
///            ── EventSession  the session's state, read once and written once
///            ── Running       kept from one stage to the next
///            ── Progress      the result so far; `finish_event` makes the decision from it
namespace grapnel {

/// The engine's parts that an event uses. All of them outlive the event.
struct LineContext {
  const EngineOptions& options;
  const Environment& env;  ///< what hooks inherit
  const std::string& home;
  SessionStore& sessions;
  WorkerPool& workers;
  WarmPool* warm;  ///< null: no hook is warm
  os::ProgramPaths& programs;
  EventIds& ids;
  const std::stop_token& stop;  ///< the host cancels the event with it

  ConditionContext conditions() const { return {options.project_dir, home, env, sessions}; }
};

/// A rule's allow. It waits here until all hooks have run, because a later hook may change the input that the rule
/// allowed (recheck.h).
struct Grant {
  uint32_t hook;
  Effects effects;
  size_t rewrites;  ///< how many rewrites there had been when the rule answered
};

/// The combined result so far. It only grows: no step removes what an earlier step wrote. The one exception is a grant
/// that turns out to be for an input that was rewritten afterwards.
struct Progress {
  Effects effects;
  std::optional<Effects> would;  ///< of hooks that only observe (observe.h)
  std::vector<HookFate> fates;   ///< in configured order
  uint32_t stage = 0;            ///< the current one, counted from 1
  std::vector<Grant> grants;
  /// Rules whose allow holds for the final input, with their reasons.
  std::vector<std::pair<const HookSpec*, std::vector<Attributed>>> granted;
  size_t rewrites = 0;                 ///< answers that changed the input or the prompt
  bool rewrote_output = false;         ///< a rule rewrote the tool's output; later rules see the new output
  bool has_failure = false;            ///< some hook failed
  bool is_cancelled = false;           ///< the host cancelled the event
  const HookSpec* denier = nullptr;    ///< the first hook that denied
  std::set<const Dialect*> ended;      ///< dialects whose chain a verdict has ended
  std::string asker;                   ///< the first hook that asked, if a person was to be asked
  std::optional<PersonAnswer> person;  ///< what became of that
  std::vector<WantedJob> jobs;         ///< for the workers of a fleet

  HookFate& add_fate(const HookSpec& hook, HookFate::Kind kind, std::string detail) {
    HookFate& fate = fates.emplace_back(hook.name, hook.source_text(), kind, std::move(detail));
    fate.stage = stage;
    return fate;
  }
};

/// Forwards the host's stop request to running children. The loop that supervises them waits on file descriptors, so
/// the stop token has to become one. Without a token that can stop, no descriptor is opened.
class CancelRelay {
 public:
  explicit CancelRelay(const std::stop_token& stop)
      : source_(stop.stop_possible() ? std::optional<os::CancelSource>(std::in_place) : std::nullopt),
        forward_(stop, Forward{*this}) {}

  os::CancelToken token() const { return source_ ? source_->token() : os::CancelToken(); }

 private:
  struct Forward {
    const CancelRelay& relay;
    void operator()() const { relay.source_->cancel(); }
  };
  std::optional<os::CancelSource> source_;
  std::stop_callback<Forward> forward_;
};

/// State of the run step that is kept from one stage of the plan to the next.
struct Running {
  CancelRelay cancel;
  PayloadCache payloads;
  LongTexts long_texts;
  std::map<const HookSpec*, std::string> matched_files;       ///< the file that made a hook's condition hold
  std::map<const HookSpec*, PinnedFiles> started_as;          ///< the files of trusted hooks when they were started
  std::map<const HookSpec*, std::vector<std::string>> files;  ///< for `{files}`
  std::set<const HookSpec*> settling;  ///< hooks that run for what earlier events collected, not for this one
  std::vector<uint32_t> unwaited;      ///< such hooks whose end this event does not wait for
  std::vector<uint32_t> waiting;       ///< hooks that need somebody who waits for quiet
  Deadline came_in = SteadyClock::now();
  std::chrono::microseconds stage_started{0};  ///< of the current stage, since the event came in
};

/// One event on its way along the line. Used once, by one thread. The constructor's arguments must outlive it.
struct EventRun {
  EventRun(const Snapshot& snapshot, const Event& event, const LineContext& context, Conditions& conditions);
  EventRun(const EventRun&) = delete;
  EventRun& operator=(const EventRun&) = delete;
  ~EventRun() = default;

  const Snapshot& snapshot;
  const Event& original;  ///< as the host sent it
  const LineContext& context;
  Conditions& conditions;  ///< about `event`
  /// Made by the engine for this event; it appears in the record and in the decision.
  const std::string id;
  Event event;  ///< as the next hook sees it
  EventSession session;
  std::optional<CallDedupe> dedupe;  ///< set when the agent may report this call a second time
  Running running;
  Progress progress;

  const HookSpec& hook(uint32_t index) const { return snapshot.registry.hooks[index]; }
};

/// The limits a child runs under.
ChildLimits child_limits(const Limits& limits);

/// The event's part of what `run/` needs to start hooks. It refers to `run`.
RunContext run_context(const EventRun& run);

/// Applies the rewrites so far to `run.event`, so that later hooks see them.
void advance_event(EventRun& run);

}  // namespace grapnel
