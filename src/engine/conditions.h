#pragma once

#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grapnel/session_store.h"

#include "base/environment.h"
#include "model/plan.h"
#include "model/registry.h"
#include "rule/answer.h"

/// Answers to the hooks' conditions (`when` in a rule or hook) about one event.
namespace grapnel {

/// What conditions may need beyond the event itself.
struct ConditionContext {
  const std::string& project_dir;
  const std::string& home;
  const Environment& env;  ///< what the agent's commands see
  SessionStore& sessions;
};

/// Absolute names of the files that a finished tool call wrote. For a shell command, these are the files it names.
std::vector<std::string> written_files(const Event& event, const ConditionContext& context);

/// Whether the agent is about to compact the conversation, or has just done so.
bool is_compaction(const Event& event);

/// Evaluates hooks' conditions about one event and remembers the answers. Everything is lazy: the tool call is parsed,
/// and the session is read, only when a condition needs it.
///
/// Hooks may rewrite the event. After `look_at`, the answers are about the new event. Thread: one.
class Conditions {
 public:
  /// `event` and what `context` refers to must outlive this object.
  Conditions(const Event& event, const ConditionContext& context) : event_(&event), context_(context) {}

  /// Forgets the answers. From now on they are about this event.
  void look_at(const Event& event);

  /// The answer to a hook's condition: yes, no or maybe, and which file it is about. A hook without one gets a yes. The
  /// reference is valid until the next question.
  const rule::Match& ask(const HookSpec& hook);
  /// Whether the answer is enough for this hook. A rule that denies also takes a maybe; a rule that allows does not.
  bool hold(const HookSpec& hook) { return rule::is_enough(ask(hook).answer, rule::quantifier_of(hook)); }
  /// Whether the condition of at least one planned hook holds. If none does, none will later: only a hook that runs can
  /// rewrite the event.
  bool want_any(const Plan& plan, const Registry& registry);

  /// Why the hook's condition does not hold, in words for people.
  std::string describe_failure(const HookSpec& hook);
  /// Why it cannot be told whether it holds; "" if it can.
  std::string describe_doubt(const HookSpec& hook);

  /// The tool call that the hook's condition is about, parsed on first use. Patterns for files are relative to the
  /// project of the hook, so the hooks of each directory have a call of their own.
  call::ToolCall& subject(const HookSpec& hook);

 private:
  struct Answered {
    const HookSpec* hook;
    rule::Match match;
  };

  /// The tool call as seen from one directory.
  struct Subject {
    call::CallContext around;
    std::optional<call::ToolCall> call = {};
  };

  const std::set<std::string>* touched();

  const Event* event_;
  ConditionContext context_;
  std::list<Subject> subjects_;    ///< calls refer to what is around them, so they must not move
  std::vector<Answered> answers_;  ///< about the current event
  rule::Match last_;               ///< an answer that is not kept
  /// Files touched in this turn. Outer: not looked up yet. Inner: looked up, but the session could not be read.
  std::optional<std::optional<std::set<std::string>>> touched_;
  int64_t started_ms_ = 0;  ///< when the session started; looked up with the files
};

}  // namespace grapnel
