#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "base/clock.h"
#include "base/environment.h"
#include "decide/interpret.h"
#include "engine/conditions.h"
#include "engine/double_firing.h"
#include "engine/event_ids.h"
#include "engine/long_texts.h"
#include "engine/session_marks.h"
#include "engine/snapshot.h"
#include "os/cancel.h"
#include "run/runner.h"
#include "trust/closure.h"

namespace grapnel {

/// Hooks of an event that nobody waits for, ready to start.
struct BackgroundRun {
  std::string event_id;
  std::vector<uint32_t> hooks;  ///< of the children, then of the calls, then of the questions
  std::vector<ChildSpec> children;
  std::vector<TimedCall> calls;
  std::vector<WorkerRequest> questions;
};

/// What the engine lends to one event.
struct FiringContext {
  const EngineOptions& options;
  const Environment& env;
  SessionStore& sessions;
  os::CancelToken cancel;
  std::stop_token stop;
  std::function<void(BackgroundRun)> start_background;
  Conditions& conditions;
  WorkerPool& workers;
  os::ProgramPaths& programs;
  EventIds& ids;
  std::string concern = {};  ///< why a person has to agree, whatever hooks say
};

/// One event on its straight line: plan → run → interpret → combine → finalize. Used once, by one thread.
///
/// Answers are folded in configured order, which is the order of stages and of hooks in a stage. A sequential hook sees
/// the event as rewritten so far. Where a dialect's row says a verdict ends the chain, later hooks of that dialect do
/// not start; hooks of other dialects do, since their Deny could still outrank it.
///
/// A hook's condition is asked when its stage comes, about the event as it is then. When hooks changed the input, rules
/// that deny or ask are asked once more about what came of it, and what a rule allowed before a later change counts
/// only if the rule still allows it: nothing gets past a rule by being rewritten behind it.
class Firing {
 public:
  Firing(const Snapshot& snapshot, const Event& event, FiringContext context);

  Decision run(const Plan& plan);

 private:
  void load_session();
  std::optional<Decision> recall(const Plan& plan) const;
  std::optional<Decision> join_other_route(const Plan& plan);
  Decision remembered(Decision decision, const Plan& plan, const std::string& why) const;
  /// A hook that is to run now, and what its condition found.
  struct Ready {
    uint32_t hook;
    rule::Match match;
  };
  /// What a rule allowed, until it is known what it allowed it for.
  struct Grant {
    uint32_t hook;
    Effects effects;
    size_t rewrites;  ///< how many there had been
  };

  void run_stage_hooks(const Stage& stage);
  void note_file(const HookSpec& hook, const rule::Match& match);
  std::vector<RunOutcome> run_ready(const std::vector<Ready>& ready, size_t max_parallel);
  void answer_rule(const HookSpec& hook, const rule::Match& match, RunOutcome& outcome) const;
  void ask_again();
  void settle_grants();
  void detach(const std::vector<uint32_t>& hooks);
  RunContext run_context() const;
  bool is_trusted_still(const HookSpec& hook);
  std::optional<std::string> reason_to_skip(const HookSpec& hook);
  void skip(const HookSpec& hook, std::string why);
  HookFate& add_fate(const HookSpec& hook, HookFate::Kind kind, std::string detail);
  void distrust(const HookSpec& hook, std::string why, HookFate::Kind kind);
  void take_answer(uint32_t id, RunOutcome& outcome);
  void announce(const Stage& stage) const;
  void show(const HookSpec& hook, const RunOutcome& outcome);
  void advance_event();
  void add_untrusted();
  void protect();
  Decision finish();
  bool loop_cap_reached() const;
  void save_session(const Decision& decision);
  /// What hooks are told that the host did not say.
  Supplement supplement(Field field) const;
  std::string earlier_context() const;

  const Snapshot& snapshot_;
  const Event& original_;
  Event event_;  ///< as the next hook sees it
  FiringContext context_;
  std::string id_;
  std::string session_id_;
  std::string guard_key_;  ///< "" where the execution guard does not apply
  SessionState session_;
  bool session_readable_ = true;
  PayloadCache payloads_;
  LongTexts long_texts_;
  Effects effects_;
  std::vector<HookFate> fates_;
  SessionMarks marks_;
  std::optional<SharedCall> shared_;  ///< where the agent may tell the call once more
  size_t rewrites_ = 0;               ///< hooks that changed the input or the prompt
  bool rewrote_output_ = false;       ///< a rule did; in the event's own shape, so that the next one can go on with it
  std::vector<Grant> grants_;
  std::map<const HookSpec*, std::string> matched_files_;
  std::map<const HookSpec*, Closure> started_as_;  ///< what trusted hooks were when they were started
  std::set<const Dialect*> ended_;
  std::set<Origin> failures_;
  bool cancelled_ = false;
  Deadline came_in_ = SteadyClock::now();
  std::chrono::microseconds stage_started_{0};  ///< of the current stage, since the event came in
};

}  // namespace grapnel
