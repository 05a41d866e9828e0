#include "engine/hook_info.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "dialect/dialect.h"
#include "run/refusals.h"

namespace grapnel {

namespace {

/// The number of the stage, counted from 1; 0 for hooks in no stage, such as async ones.
size_t stage_of(const Plan& plan, uint32_t hook) {
  for (size_t i = 0; i < plan.stages.size(); ++i) {
    if (std::ranges::find(plan.stages[i].hooks, hook) != plan.stages[i].hooks.end()) return i + 1;
  }
  return 0;
}

std::vector<std::string> triggers_of(const HookSpec& hook, const std::vector<EventKind>& events) {
  if (!hook.event_name.empty()) return {hook.event_name};
  std::vector<std::string> out;
  for (const EventKind kind : events) {
    if (kind == EventKind::Other && !hook.other_events.empty()) continue;
    const EventRow* row = hook.dialect->find_event(kind);
    out.emplace_back(row == nullptr ? to_string(kind) : row->wire_name);
  }
  out.insert(out.end(), hook.other_events.begin(), hook.other_events.end());
  return out;
}

/// An element of XML, with the content escaped.
std::string element(std::string_view tag, std::string_view content) {
  const std::string name(tag);
  return "<" + name + ">\n" + text::escape_markup(content) + "\n</" + name + ">\n";
}

}  // namespace

HookInfo info_of(const HookSpec& hook) {
  HookInfo info;
  info.name = hook.name;
  info.group = hook.group;
  info.description = hook.description;
  info.dialect = hook.dialect->name;
  info.scope = to_string(hook.scope);
  info.source = hook.source;
  for (const EventKind kind : all_event_kinds()) {
    if (hook.listens_to(kind)) info.events.push_back(kind);
  }
  info.triggers = triggers_of(hook, info.events);
  if (hook.dialect->file_format() == PlaceFormat::HookDirectories) info.document = hook.source.file;
  info.matcher = hook.condition_text();
  info.handler = hook.handler_word();
  info.command = hook.command_text();
  info.action = hook.action_text();
  info.other_events = hook.other_events;
  info.timeout = hook.timeout;
  info.sequential = hook.sequential;
  info.async = hook.async;
  info.priority = hook.priority;
  info.enabled = hook.enabled;
  // Hooks that need no trust, such as the user's own, are shown as trusted.
  info.trusted = hook.trust != Trust::Untrusted;
  if (hook.sandbox) info.sandbox = describe(*hook.sandbox);
  info.observes = hook.observes();
  info.warm = hook.warm;
  info.digest = hook.digest;
  return info;
}

std::string describe_to_model(const std::vector<HookInfo>& hooks) {
  std::string out = "<available_hooks>\n";
  for (const HookInfo& hook : hooks) {
    if (!hook.enabled || !hook.trusted || hook.triggers.empty()) continue;
    out += "<hook>\n" + element("name", hook.name);
    if (!hook.description.empty()) out += element("description", hook.description);
    out += element("trigger", text::join(hook.triggers, ", ")) + "</hook>\n";
  }
  return out + "</available_hooks>\n";
}

// Counts what the hook wrote, not what was kept of it: output over the limit is dropped.
HookTrace trace_of(const RunOutcome& outcome) {
  HookTrace trace;
  trace.argv = outcome.argv;
  trace.cwd = outcome.cwd;
  trace.was_warm = outcome.was_warm;
  trace.cold = outcome.cold;
  trace.bytes_in = outcome.bytes_in;
  trace.bytes_out = outcome.out.bytes.size() + outcome.out.dropped;
  trace.bytes_err = outcome.err.bytes.size() + outcome.err.dropped;
  return trace;
}

HookContainment containment_of(const RunOutcome& outcome) {
  HookContainment out = outcome.contained;
  out.refused = refusals_of(outcome);
  return out;
}

HookRun run_of(const HookSpec& hook, const RunOutcome& outcome, HookFate fate) {
  HookRun run;
  run.hook = hook.name;
  run.source = hook.source_text();
  run.dialect = hook.dialect->name;
  run.command = hook.command_text();
  // Hooks may print any bytes, but observers get text.
  run.output = text::to_valid_utf8(outcome.out.bytes);
  run.errors = text::to_valid_utf8(outcome.err.bytes);
  if (const auto* exited = std::get_if<Exited>(&outcome.ending)) run.exit_code = exited->code;
  run.fate = std::move(fate);
  return run;
}

HookFate skipped_fate(const HookSpec& hook, std::string why) {
  return {.name = hook.name, .source = hook.source_text(), .kind = HookFate::Kind::Skipped, .detail = std::move(why)};
}

std::vector<HookExplanation> explain_event(const Snapshot& snapshot, const Event& event, Conditions& conditions) {
  const Plan plan = snapshot.planner.plan(event);
  std::vector<HookExplanation> out;
  // The planner has an answer for every hook of the registry, also for those that it did not plan.
  for (Explanation& share : snapshot.planner.explain(event)) {
    const HookSpec& hook = snapshot.registry.hooks[share.hook];
    // The planner checks events and matchers. Conditions about the call itself are checked here.
    if (share.reason == Reason::Planned && !conditions.hold(hook)) {
      share.reason = Reason::NoMatch;
      share.detail = conditions.describe_failure(hook);
    }
    HookExplanation& shown = out.emplace_back();
    shown.hook = info_of(hook);
    shown.runs = share.reason == Reason::Planned;
    shown.stage = shown.runs ? stage_of(plan, share.hook) : 0;
    shown.reason = to_string(share.reason);
    shown.detail = share.detail;
    if (shown.runs) shown.doubt = conditions.describe_doubt(hook);
  }
  return out;
}

// A callback becomes an ordinary hook, so that the planner, the runner and the combination need not know about it. Its
// `definition` goes into the registry's digest.
Result<HookSpec> spec_of_callback(const CallbackHook& callback) {
  if (callback.name.empty()) return fail(Errc::BadConfig, "a callback needs a name");
  if (!callback.call) return fail(Errc::BadConfig, "callback '" + callback.name + "' has no function");
  if (callback.events.empty()) return fail(Errc::BadConfig, "callback '" + callback.name + "' names no event");
  HookSpec spec;
  spec.name = callback.name;
  for (const EventKind kind : callback.events) spec.events.set(static_cast<size_t>(kind));
  spec.dialect = &kCanonicalDialect;
  spec.scope = Scope::Callback;
  // The matcher is checked here, so that a bad regex fails at registration and not at the first event.
  if (!callback.tools.empty()) {
    auto matcher = Matcher::compile(callback.tools, MatchSyntax::NamesOrRegex);
    if (!matcher) return std::unexpected(matcher.error());
    spec.clauses.push_back({Field::ToolName, {std::move(*matcher)}});
  }
  spec.handler = CallbackHandler{callback.call, callback.ended};
  spec.timeout = callback.timeout;
  spec.priority = callback.priority;
  // One policy for both cases: failing and timing out.
  spec.failure = {callback.on_failure, callback.on_failure};
  spec.definition =
      Json::object({{"callback", Json::string(callback.name)}, {"tools", Json::string(callback.tools)}}).dump();
  return spec;
}

}  // namespace grapnel
