#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grapnel/session_store.h"

#include "model/plan.h"
#include "model/registry.h"
#include "rule/answer.h"

namespace grapnel {

/// Where questions find what is not in the event.
struct ConditionContext {
  const std::string& project_dir;
  const std::string& home;
  SessionStore& sessions;
};

/// The files a call wrote, by absolute name; of a shell command those it names.
std::vector<std::string> written_files(const Event& event, const ConditionContext& context);

/// Whether the conversation is made shorter, or was.
bool is_compaction(const Event& event);

/// What the hooks of one event ask of it, and the answers. Nothing is looked up before it is asked for.
///
/// The event changes as hooks rewrite it; whoever asks after that gets answers about the new one. Thread: one.
class Conditions {
 public:
  /// Borrows both.
  Conditions(const Event& event, const ConditionContext& context) : event_(&event), context_(context) {}

  /// From now on the questions are about this event.
  void look_at(const Event& event);

  /// The answer to a hook's condition; a sure yes for one that has none.
  rule::Match ask(const HookSpec& hook);
  bool hold(const HookSpec& hook) { return rule::is_enough(ask(hook).answer, rule::quantifier_of(hook)); }
  /// Whether some hook of the plan is to run. When none is, none will be: only a hook that runs rewrites the event.
  bool want_any(const Plan& plan, const Registry& registry);

  /// Why the hook's condition does not hold.
  std::string describe_failure(const HookSpec& hook);

  call::ToolCall& subject();

 private:
  struct Answered {
    const HookSpec* hook;
    rule::Match match;
  };

  const std::set<std::string>* touched();

  const Event* event_;
  ConditionContext context_;
  std::optional<call::CallContext> around_;
  std::optional<call::ToolCall> subject_;
  std::vector<Answered> answers_;                                ///< about the event as it is
  std::optional<std::optional<std::set<std::string>>> touched_;  ///< once looked up; nothing in it: not readable
};

}  // namespace grapnel
