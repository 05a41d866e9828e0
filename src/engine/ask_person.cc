#include "engine/ask_person.h"

#include <algorithm>

#include "call/subject.h"
#include "call/tool_call.h"
#include "decide/capability.h"
#include "dialect/payload.h"
#include "session/approvals.h"

namespace grapnel {

namespace {

using std::chrono::milliseconds;

/// The hooks that ask, by name and place.
std::set<std::string> askers_of(const EventRun& run) {
  std::set<std::string> out;
  for (const HookFate& fate : run.progress.fates) {
    if (fate.verdict == Verdict::Ask) out.insert(fate.name + " " + fate.source);
  }
  return out;
}

/// The reasons of the rule that answers what this hook asks; null if none does. A hook that failed has no question, and
/// Grapnel's own protection is answered by people only.
const std::vector<Attributed>* answer_to(const EventRun& run, const HookFate& fate) {
  const auto& hooks = run.snapshot.registry.hooks;
  const auto asker = std::ranges::find_if(
      hooks, [&](const HookSpec& hook) { return hook.name == fate.name && hook.source_text() == fate.source; });
  if (asker == hooks.end() || fate.kind != HookFate::Kind::Ran) return nullptr;
  for (const auto& [rule, reasons] : run.progress.granted) {
    const bool is_above =
        rule->scope == Scope::Managed || (rule->scope == Scope::User && asker->scope != Scope::Managed);
    if (is_above && std::ranges::find(rule->answers, asker->name) != rule->answers.end()) return &reasons;
  }
  return nullptr;
}

PersonQuestion question_about(const EventRun& run, call::ToolCall& asked) {
  const Event& event = run.event;
  PersonQuestion out{.event_id = run.id,
                     .event = std::string(to_string(event.kind())),
                     .session = run.session.id,
                     .agent = std::string(event.dialect_name()),
                     .project = run.context.options.project_dir,
                     .cwd = event.text(Field::Cwd),
                     .tool = event.text(Field::ToolName),
                     .subject = call::subject_of(event),
                     .input = field_as(event, event.dialect(), Field::ToolInput),
                     .is_command = asked.is_surely_shell() && asked.command_text().has_value(),
                     .reason = Decision{.effects = {.reasons = run.progress.effects.reasons}}.reason(),
                     .hook = run.progress.asker,
                     .source = {},
                     .hooks = {},
                     .elapsed = std::chrono::duration_cast<milliseconds>(SteadyClock::now() - run.running.came_in)};
  for (const HookFate& fate : run.progress.fates) {
    if (fate.verdict != Verdict::Ask) continue;
    if (out.hooks.empty()) out.source = fate.source;
    out.hooks.push_back(fate.name);
  }
  return out;
}

/// A person who cannot be asked is no reason to fail.
PersonAnswer ask_host(Person& person, const PersonQuestion& question, const std::stop_token& stop) noexcept {
  try {
    return person.ask(question, stop);
  } catch (...) {
    return {};
  }
}

void keep_approval(const EventRun& run, const PersonAnswer& answer, const PersonQuestion& question,
                   std::set<std::string> askers) {
  if (answer.kind != PersonAnswer::Kind::Session || run.session.id.empty() || askers.empty()) return;
  SessionState::Approved approved{
      .session = run.session.id,
      .call = answer.pattern.empty() ? approval_key(run.event) : "",
      .pattern = answer.pattern,
      .subject = question.subject,
      .askers = std::move(askers),
      .time_ms = std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
  static_cast<void>(run.context.sessions.update(
      run.session.id, [&](SessionState& state) { add_approval(state, std::move(approved)); }));
}

/// What the model or the person in front of the agent reads.
std::string reason_of(const PersonAnswer& answer) {
  if (answer.is_remembered) return "a person allowed this for the session";
  switch (answer.kind) {
    case PersonAnswer::Kind::Deny:
      return answer.reason.empty() ? "a person denied this" : "a person denied this: " + answer.reason;
    case PersonAnswer::Kind::Session:
      return "a person allowed this for the session";
    case PersonAnswer::Kind::Rule:
      return "a person allowed this, and made a rule of it";
    default:
      return "a person allowed this once";
  }
}

void apply(EventRun& run, PersonAnswer answer) {
  const bool is_denied = answer.kind == PersonAnswer::Kind::Deny;
  if (is_denied || answer.is_allowed()) {
    run.progress.effects.verdict = is_denied ? Verdict::Deny : Verdict::Allow;
    run.progress.effects.reasons = {{"", reason_of(answer)}};
  }
  run.progress.person = std::move(answer);
}

}  // namespace

void answer_by_rules(EventRun& run) {
  Progress& progress = run.progress;
  if (progress.effects.verdict != Verdict::Ask || progress.granted.empty()) return;
  const std::vector<Attributed>* reasons = nullptr;
  for (const HookFate& fate : progress.fates) {
    if (fate.verdict != Verdict::Ask) continue;
    reasons = answer_to(run, fate);
    if (reasons == nullptr) return;
  }
  // A question of an earlier report of the call has no fate here.
  if (reasons == nullptr) return;
  progress.effects.verdict = Verdict::Allow;
  progress.effects.reasons = *reasons;
}

void ask_person(EventRun& run) {
  Progress& progress = run.progress;
  const auto& person = run.context.options.host.person;
  const Capability& can = capability(run.original.kind());
  if (progress.effects.verdict != Verdict::Ask || !person || progress.is_cancelled) return;
  if (!can.can_ask || !can.can_allow || !person->is_wanted()) return;
  const std::set<std::string> askers = askers_of(run);
  for (const HookFate& fate : progress.fates) {
    if (fate.verdict == Verdict::Ask && progress.asker.empty()) progress.asker = fate.name;
  }
  call::ToolCall asked(run.event, {run.context.options.project_dir, run.context.home, &run.context.env});
  // The session may have been read before another event was approved, so it is read again.
  if (!run.session.id.empty()) {
    const auto state = run.context.sessions.load(run.session.id);
    if (const auto* known = state ? find_approval(*state, asked, askers) : nullptr) {
      return apply(run, {.kind = PersonAnswer::Kind::Session, .pattern = known->pattern, .is_remembered = true});
    }
  }
  const PersonQuestion question = question_about(run, asked);
  PersonAnswer answer = ask_host(*person, question, run.context.stop);
  if (run.context.stop.stop_requested()) {
    progress.is_cancelled = true;
    return;
  }
  keep_approval(run, answer, question, askers);
  apply(run, std::move(answer));
}

}  // namespace grapnel
