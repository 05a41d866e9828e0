#include "engine/people.h"

#include <algorithm>
#include <iterator>

#include "base/clock.h"
#include "decide/failure.h"
#include "dialect/degrade.h"
#include "dialect/payload.h"
#include "engine/leftovers.h"
#include "engine/off_guards.h"
#include "engine/weakenings.h"
#include "os/spawn.h"
#include "os/tag.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

/// Whether the person in front of the agent sees the messages of this answer. An agent that never shows one cannot be
/// waited for, and a host that fires its own events shows them itself.
bool are_seen(const Event& event, const Decision& decision) {
  const Dialect& agent = event.dialect();
  if (&agent == &kCanonicalDialect || !reaches_people(agent)) return true;
  return reaches_people(row_of(event), decision.verdict());
}

/// The causes that this event itself brought. Their texts are messages of the decision already.
std::vector<GuardOff> causes_of(const Decision& decision) {
  std::vector<GuardOff> out;
  for (const Attributed& message : decision.effects.messages) {
    const auto is_its = [&](const HookFate& fate) {
      return fate.kind == HookFate::Kind::Failed && fate.name == message.hook && fate.verdict <= Verdict::Allow &&
             message.text == failure_text(fate.name, fate.detail);
    };
    if (std::ranges::any_of(decision.hooks, is_its)) out.push_back({"failed " + message.hook, message.text});
    // Each opening is a cause of its own: a gate cannot give up twice without having been closed in between.
    if (decision.origin == Origin::LoopCap && message.hook.empty()) out.push_back({"", message.text});
  }
  return out;
}

/// Whether what a hook started was contained by less than this build can do elsewhere.
bool is_weak_here(const HookContainment& contained) {
  return contained.means == os::to_string(os::Means::Group) && os::can_tag();
}

/// What the sandboxes of this event's hooks showed: each is told once in a session.
std::vector<GuardOff> containment_news(const Decision& decision) {
  std::vector<GuardOff> out;
  for (const HookFate& fate : decision.hooks) {
    const HookContainment& contained = fate.contained;
    const std::string hook = "hook '" + fate.name + "'";
    if (!contained.left.empty() && !contained.ended_leftovers) out.push_back(told_leftover(fate.name, contained.left));
    if (!contained.not_enforced.empty()) {
      out.push_back({"not enforced " + fate.name, hook + " ran without its sandbox: " + contained.not_enforced +
                                                      "; `grapnel doctor` says what this machine can do"});
    }
    if (!contained.refused.empty()) {
      out.push_back({"refused " + fate.name, hook + " was refused something by its sandbox (" + contained.sandbox +
                                                 "): " + contained.refused.front()});
    }
    if (is_weak_here(contained)) {
      out.push_back({"contained by group",
                     "what hooks start is only ended at their deadline if it stays in their process group; `grapnel "
                     "doctor` says why"});
    }
  }
  return out;
}

/// Reading the session costs a system call or two, so texts that wait are looked for where they matter: a person is in
/// front of the agent when a session or a turn begins or ends.
bool may_have_waiting(EventKind kind) {
  return kind == EventKind::SessionStart || kind == EventKind::UserPromptSubmit || kind == EventKind::Stop;
}

/// Whether there may be something to tell. Most events have nothing, and then not even their fields are read.
bool may_tell(const Decision& decision, const Event& event, const Snapshot& snapshot, const LineContext& context) {
  const auto has_news = [](const HookFate& fate) {
    const HookContainment& contained = fate.contained;
    return !contained.left.empty() || !contained.not_enforced.empty() || !contained.refused.empty() ||
           is_weak_here(contained);
  };
  return !decision.effects.messages.empty() || decision.person || std::ranges::any_of(decision.hooks, has_news) ||
         may_have_waiting(event.kind()) || may_be_off(snapshot) || !context.options.safety.cautions.empty();
}

/// The session in which things are told once. Without one of its own, an event shares that of its project and day.
std::string audience_of(const Event& event, const std::string& project) {
  const std::string session = event.text(Field::SessionId);
  if (!session.empty()) return session;
  constexpr size_t kDate = 10;
  return "project:" + project + " " + format_timestamp(std::chrono::system_clock::now()).substr(0, kDate);
}

/// What one event tells, and what it leaves for later.
class Telling {
 public:
  Telling(std::vector<GuardOff> causes, bool is_seen) : causes_(std::move(causes)), is_seen_(is_seen) {}

  /// Decides what is told, and notes it in the state. May be called again with a newer state.
  void settle(SessionState& state) {
    fresh_.clear();
    waiting_.clear();
    changes_state_ = false;
    for (const GuardOff& cause : causes_) take(cause, state);
    if (is_seen_) waiting_.swap(state.unseen);
    changes_state_ |= !waiting_.empty();
  }
  /// Whether the last call of `settle` changed its state.
  bool changes_state() const { return changes_state_; }

  void apply(Effects& effects) const {
    // A failure that was told before is no news.
    std::erase_if(effects.messages, [&](const Attributed& message) {
      const bool is_cause = std::ranges::find(causes_, message.text, &GuardOff::text) != causes_.end();
      return is_cause && std::ranges::find(fresh_, message.text) == fresh_.end();
    });
    const auto add = [&](const std::string& text) {
      const auto known = std::ranges::find(effects.messages, text, &Attributed::text);
      if (known == effects.messages.end()) effects.messages.push_back({"", text});
    };
    for (const std::string& text : waiting_) add(text);
    for (const std::string& text : fresh_) add(text);
  }

 private:
  void take(const GuardOff& cause, SessionState& state) {
    if (!cause.key.empty() && !state.told.insert(cause.key).second) return;
    changes_state_ |= !cause.key.empty();
    fresh_.push_back(cause.text);
    if (is_seen_ || state.unseen.size() >= SessionState::kMaxUnseen) return;
    state.unseen.push_back(cause.text);
    changes_state_ = true;
  }

  std::vector<GuardOff> causes_;
  bool is_seen_;
  bool changes_state_ = false;
  std::vector<std::string> fresh_;    ///< told now for the first time
  std::vector<std::string> waiting_;  ///< told before, and seen now
};

}  // namespace

void tell_people(Decision& decision, const Event& event, const Snapshot& snapshot, const LineContext& context) {
  if (decision.origin == Origin::Engine) return;  // a cancelled event has no answer
  if (!may_tell(decision, event, snapshot, context)) return;
  const bool has_session = !event.text(Field::SessionId).empty();
  const bool is_seen = are_seen(event, decision);
  std::vector<GuardOff> causes = off_guards(snapshot, context.options.project_dir, context.home);
  for (const std::string& caution : context.options.safety.cautions) {
    causes.push_back({"caution " + Sha256().add(caution).hex().substr(0, 32), caution});
  }
  std::vector<GuardOff> weakened;
  if (has_session && may_have_waiting(event.kind())) weakened = weakenings(context.options.places.weakenings);
  std::ranges::copy(weakened, std::back_inserter(causes));
  if (has_session && may_have_waiting(event.kind())) {
    std::ranges::move(told_leftovers(context.options.places.leftovers), std::back_inserter(causes));
  }
  std::ranges::move(containment_news(decision), std::back_inserter(causes));
  if (has_session) std::ranges::move(causes_of(decision), std::back_inserter(causes));
  if (decision.person && decision.person->kind == PersonAnswer::Kind::NoListener && !decision.person->reason.empty()) {
    causes.push_back({"no listener", decision.person->reason});
  }
  if (causes.empty() && !(has_session && is_seen && may_have_waiting(event.kind()))) return;

  Telling telling(std::move(causes), is_seen);
  const std::string audience = audience_of(event, context.options.project_dir);
  // Usually everything has been told, and then nothing is written. Otherwise it is decided again under the session's
  // lock, so that of several processes only one tells a cause. Without a state, telling twice is better than never.
  SessionState state = context.sessions.load(audience).value_or(SessionState{});
  telling.settle(state);
  if (telling.changes_state()) {
    static_cast<void>(context.sessions.update(audience, [&](SessionState& now) { telling.settle(now); }));
  }
  telling.apply(decision.effects);
  if (!weakened.empty() && is_seen && event.kind() == EventKind::SessionStart) {
    forget_weakenings(context.options.places.weakenings);
  }
}

}  // namespace grapnel
