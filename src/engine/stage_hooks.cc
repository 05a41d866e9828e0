#include "engine/stage_hooks.h"

#include "decide/capability.h"
#include "dialect/degrade.h"
#include "dialect/payload.h"
#include "engine/call_host.h"
#include "engine/debounce.h"
#include "engine/distrust.h"
#include "engine/eligibility.h"
#include "rule/respond.h"

namespace grapnel {

namespace {

/// Tells the observer which hooks start now, so that a host can show what it waits for.
void announce(const EventRun& run, const Stage& stage) {
  const auto& observer = run.context.options.host.observer;
  if (!observer) return;
  std::vector<std::string> labels;
  for (const uint32_t index : stage.hooks) {
    const HookSpec& hook = run.hook(index);
    labels.push_back(hook.status_message.empty() ? hook.name : hook.status_message);
  }
  call_host([&] { observer->hooks_started(run.original, labels); });
}

/// Whether a person can be asked about this event: the kind of event has room for a question, the agent has words for
/// it, and it is not told to answer all questions with no.
bool can_ask_person(const Event& event) {
  if (!capability(event.kind()).can_ask || event.text(Field::PermissionMode) == "dontAsk") return false;
  return &event.dialect() == &kCanonicalDialect || fit(row_of(event), Wish::Ask).how == Fit::How::Works;
}

std::chrono::microseconds microseconds_since(Deadline start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - start);
}

}  // namespace

std::vector<ReadyHook> ask_conditions(EventRun& run, const std::vector<uint32_t>& hooks) {
  std::vector<ReadyHook> ready;
  for (const uint32_t index : hooks) {
    const HookSpec& hook = run.hook(index);
    const rule::Match& answer = run.conditions.ask(hook);
    if (!rule::is_enough(answer.answer, rule::quantifier_of(hook))) continue;
    rule::Match match = answer;
    auto why = reason_to_skip(run, hook);
    if (!why) why = reason_to_wait(run, index);
    if (why) {
      skip_hook(run, hook, std::move(*why));
    } else {
      note_matched_file(run, hook, match);
      ready.push_back({index, std::move(match)});
    }
  }
  return ready;
}

void note_matched_file(EventRun& run, const HookSpec& hook, const rule::Match& match) {
  if (hook.command() == nullptr || match.file == nullptr || !match.file->is_known) return;
  // The payload already names the file.
  if (!run.event.text(Field::ToolPath).empty()) return;
  run.running.matched_files[&hook] = match.file->written;
}

std::vector<RunOutcome> run_ready(EventRun& run, const std::vector<ReadyHook>& ready, size_t max_parallel) {
  std::vector<RunOutcome> outcomes(ready.size());
  Stage others{{}, max_parallel};
  std::vector<size_t> places;
  run.running.stage_started = microseconds_since(run.running.came_in);
  // Rules need no process, so they answer at once. The others are collected and run together; `places` remembers where
  // their outcomes belong.
  for (size_t i = 0; i < ready.size(); ++i) {
    const HookSpec& hook = run.hook(ready[i].hook);
    if (std::holds_alternative<RuleHandler>(hook.handler)) {
      answer_rule(run, hook, ready[i].match, outcomes[i]);
    } else {
      others.hooks.push_back(ready[i].hook);
      places.push_back(i);
    }
  }
  if (others.hooks.empty()) return outcomes;
  announce(run, others);
  run.running.stage_started = microseconds_since(run.running.came_in);
  std::vector<RunOutcome> ran =
      run_stage(run.snapshot.registry, others, run.event, run_context(run), run.running.payloads);
  for (size_t i = 0; i < ran.size(); ++i) outcomes[places[i]] = std::move(ran[i]);
  return outcomes;
}

void answer_rule(EventRun& run, const HookSpec& hook, const rule::Match& match, RunOutcome& outcome) {
  const auto& rule = std::get<RuleHandler>(hook.handler);
  // Reading the clock twice takes longer than a rule that only gives a verdict.
  const bool is_timed = rule.inject || !rule.rewrite.empty();
  const Deadline started = is_timed ? SteadyClock::now() : Deadline{};
  const bool is_doubtful = match.answer == call::Certainty::Maybe;  // only then somebody may have to be asked
  const rule::RespondOptions options{
      .injects = !rule.inject || !HookHistory::is_injected(hook, *rule.inject, run.session.state),
      .max_context = run.context.options.limits.max_context,
      .can_ask = is_doubtful && can_ask_person(run.original)};
  call::ToolCall& subject = run.conditions.subject(hook);
  auto effects = rule::respond(hook, subject, match, options);
  if (is_doubtful) outcome.doubt = rule::describe_doubt(match, subject);
  // A rule fails when its rewrite cannot be made or when the file that it injects cannot be read. That is a failure
  // like any other, so the rule's failure policy decides.
  if (effects) {
    outcome.ending.emplace<Returned>(std::move(*effects));
  } else {
    outcome.ending = NotStarted{effects.error().message, 0};
  }
  if (is_timed) outcome.took = microseconds_since(started);
}

}  // namespace grapnel
