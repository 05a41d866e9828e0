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

/// The nouns of one event on its way along the line (line.h). They are plain structs: every step of the line is a
/// function that reads and changes them, and each step stands in a file of its own.
namespace grapnel {

/// What the engine lends to an event. Everything in it outlives the event.
struct LineContext {
  const EngineOptions& options;
  const Environment& env;  ///< what hooks inherit
  const std::string& home;
  SessionStore& sessions;
  WorkerPool& workers;
  os::ProgramPaths& programs;
  EventIds& ids;
  const std::stop_token& stop;  ///< gives the event up

  ConditionContext conditions() const { return {options.project_dir, home, sessions}; }
};

/// An allow of a rule, held back until it is known whether a later hook changed what it was given for.
struct Grant {
  uint32_t hook;
  Effects effects;
  size_t rewrites;  ///< how many rewrites there had been when the rule answered
};

/// What has been folded together so far. Only grows: no step takes back what an earlier one wrote, except that an
/// allow may be found out of date when grants are settled.
struct Progress {
  Effects effects;
  std::vector<HookFate> fates;  ///< in configured order
  std::vector<Grant> grants;
  size_t rewrites = 0;             ///< answers that changed the input or the prompt
  bool rewrote_output = false;     ///< a rule did, in the event's own shape, so that the next rule can go on with it
  bool has_failure = false;        ///< some hook failed
  bool is_cancelled = false;       ///< the host gave the event up
  std::set<const Dialect*> ended;  ///< dialects whose chain a verdict has ended

  HookFate& add_fate(const HookSpec& hook, HookFate::Kind kind, std::string detail) {
    return fates.emplace_back(hook.name, hook.source_text(), kind, std::move(detail));
  }
};

/// Passes a request to stop on to children, which wait for a descriptor.
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

/// What the run stage keeps from one stage of the plan to the next.
struct Running {
  CancelRelay cancel;
  PayloadCache payloads;
  LongTexts long_texts;
  std::map<const HookSpec*, std::string> matched_files;  ///< which file made a hook run
  std::map<const HookSpec*, PinnedFiles> started_as;     ///< what trusted hooks were when they were started
  Deadline came_in = SteadyClock::now();
  std::chrono::microseconds stage_started{0};  ///< of the current stage, since the event came in
};

/// One event under way. Used once, by one thread; borrows everything it is made from.
struct EventRun {
  EventRun(const Snapshot& snapshot, const Event& event, const LineContext& context, Conditions& conditions);
  EventRun(const EventRun&) = delete;
  EventRun& operator=(const EventRun&) = delete;
  ~EventRun() = default;

  const Snapshot& snapshot;
  const Event& original;  ///< as the host told it
  const LineContext& context;
  Conditions& conditions;  ///< of `event`
  const std::string id;
  Event event;  ///< as the next hook sees it
  EventSession session;
  std::optional<CallDedupe> dedupe;  ///< where the agent may tell the call once more
  Running running;
  Progress progress;

  const HookSpec& hook(uint32_t index) const { return snapshot.registry.hooks[index]; }
};

/// The limits a child runs under.
ChildLimits child_limits(const Limits& limits);

/// What the run stage needs to know of the event.
RunContext run_context(const EventRun& run);

/// Makes later hooks see the event as it was rewritten so far.
void advance_event(EventRun& run);

}  // namespace grapnel
