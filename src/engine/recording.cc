#include "engine/recording.h"

#include <algorithm>

#include "base/clock.h"
#include "call/subject.h"
#include "dialect/agent_facts.h"
#include "dialect/payload.h"
#include "engine/hook_info.h"
#include "model/effects_json.h"

namespace grapnel {

namespace {

// A record gets the payload and its *subjects*: the values that matchers of this registry are compared with. The sink
// decides which of the two it stores. The subjects alone are enough to plan a past event again.

constexpr std::string_view kRecordedTool = "tool";

/// The members of a tool's input that hold its file and its command. Matchers look at no other single members.
Json path_and_command(const Event& event, const Json& input) {
  const Json path = field_as(event, event.dialect(), Field::ToolPath);
  const Json command = field_as(event, event.dialect(), Field::ToolCommand);
  std::vector<std::pair<std::string, Json>> kept;
  for (const JsonMember& member : input.members()) {
    if (member.value.is_string() && (member.value == path || member.value == command)) {
      kept.emplace_back(member.key, member.value);
    }
  }
  return Json::object(kept);
}

/// The fields of the event that matchers of this registry are compared with, as a payload in the event's dialect. The
/// file and the command are not fields of their own but are read from the input, so the needed members are copied
/// there.
Json subjects_of(const Event& event, const TrackingNeeds& demands) {
  Event bare = event.with_payload(Json::object());
  const auto has = [&](Field field) { return demands.compares(field, event.kind()); };
  for (size_t i = 0; i < kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    const bool is_derived = field == Field::ToolPath || field == Field::ToolCommand;
    if (!has(field) || is_derived) continue;
    if (const Json value = field_as(event, event.dialect(), field)) bare = with_field(bare, field, value);
  }
  if ((has(Field::ToolPath) || has(Field::ToolCommand)) && !has(Field::ToolInput)) {
    const Json input = field_as(event, event.dialect(), Field::ToolInput);
    if (input.is_object()) bare = with_field(bare, Field::ToolInput, path_and_command(event, input));
  }
  return bare.payload().size() == 0 ? Json() : bare.payload();
}

/// Planned hooks whose condition did not hold, with the reason. It has to be recorded now: a condition may depend on
/// files and on the session's state, so it cannot be evaluated again later.
std::vector<HookFate> unmet_hooks(const EventRun& run, const Plan& plan, const Decision& decision) {
  std::vector<HookFate> unmet;
  const auto add = [&](const std::vector<uint32_t>& hooks) {
    for (const uint32_t index : hooks) {
      const HookSpec& hook = run.hook(index);
      const auto is_its = [&](const HookFate& fate) {
        return fate.name == hook.name && fate.source == hook.source_text();
      };
      // A hook that already has a fate ran or was skipped for another reason.
      if (!hook.when || std::ranges::any_of(decision.hooks, is_its)) continue;
      unmet.push_back(skipped_fate(hook, "no match: " + run.conditions.describe_failure(hook)));
    }
  };
  for (const Stage& stage : plan.stages) add(stage.hooks);
  add(plan.background);
  return unmet;
}

/// The first line of an error. The rest may be the whole output of a command.
std::string error_line(const Event& event) {
  const Json error = field_as(event, event.dialect(), Field::Error);
  const std::string text = error.is_string() ? *error.as_string() : error ? error.dump() : "";
  return text.substr(0, text.find('\n'));
}

/// How the tool call ended, as far as the agent tells it; nothing for events before a call.
std::optional<ToolOutcome> outcome_of(const Event& event) {
  const bool failed = event.kind() == EventKind::PostToolUseFailure;
  if (!failed && event.kind() != EventKind::PostToolUse) return std::nullopt;
  ToolOutcome outcome{.succeeded = !failed, .exit_code = told_exit_code(event)};
  // Some agents report a command that failed like any other.
  if (outcome.exit_code.value_or(0) != 0) outcome.succeeded = false;
  if (failed) outcome.error = error_line(event);
  if (failed) outcome.was_interrupted = event.get(Field::IsInterrupt).as_bool().value_or(false);
  if (const auto ms = event.get(Field::DurationMs).as_integer()) outcome.took = std::chrono::milliseconds(*ms);
  return outcome;
}

}  // namespace

Record record_of(const Event& event, const Snapshot& snapshot, const LineContext& context, std::string id) {
  Record record;
  record.id = std::move(id);
  record.time = format_timestamp(std::chrono::system_clock::now());
  record.event = event.kind();
  if (event.kind() == EventKind::Other) record.other_event = event.name();
  record.dialect = event.dialect_name();
  record.agent_version = agent_version(event, context.env);
  record.session_id = event.text(Field::SessionId);
  record.agent_id = event.text(Field::AgentId);
  record.agent_type = event.text(Field::AgentType);
  record.parent = event.text(Field::ParentAgentId);
  record.cwd = event.text(Field::Cwd);
  record.permission_mode = text_as(event, kCanonicalDialect, Field::PermissionMode).value_or("");
  record.project_dir = context.options.project_dir;
  record.subject = call::subject_of(event);
  record.outcome = outcome_of(event);
  record.tool = event.text(Field::ToolName);
  record.tool_use_id = event.text(Field::ToolUseId);
  record.registry_digest = snapshot.registry.digest;
  record.payload = event.payload();
  record.subjects = subjects_of(event, snapshot.demands);
  return record;
}

void add_decision(Record& record, const Decision& decision) {
  record.hooks = decision.hooks;
  record.verdict = decision.verdict();
  record.reason = decision.reason();
  record.origin = decision.origin;
  record.decided_by = decision.decided_by;
  record.stop = decision.effects.stop;
  record.degraded = decision.degraded;
  record.would = decision.would;
  record.person = decision.person;
  record.effects = summarize_effects(decision.effects).without("reason");
  if (record.effects.size() == 0) record.effects = Json();
}

void record_event(const EventRun& run, const Plan& plan, const Decision& decision) {
  const EngineOptions& options = run.context.options;
  if (!options.recording.sink || (decision.hooks.empty() && !options.recording.unmatched)) return;
  Record record = record_of(run.original, run.snapshot, run.context, decision.event_id);
  // What was denied does not happen, so it was not rewritten either.
  if (run.progress.rewrites > 0 && !decision.denied()) {
    std::string rewritten = call::subject_of(run.event);
    if (rewritten != record.subject) record.rewritten_subject = std::move(rewritten);
  }
  add_decision(record, decision);
  if (!decision.denied()) record.jobs = run.progress.jobs;
  for (HookFate& fate : unmet_hooks(run, plan, decision)) record.hooks.push_back(std::move(fate));
  record.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - run.running.came_in);
  options.recording.sink->record(record);
}

void record_switched_off(const Event& event, const Snapshot& snapshot, const LineContext& context) {
  const EngineOptions& options = context.options;
  if (!options.recording.sink || !options.recording.unmatched) return;
  Record record = record_of(event, snapshot, context, context.ids.next());
  add_decision(record, {.origin = Origin::Engine});
  record.reason = "all hooks are switched off";
  options.recording.sink->record(record);
}

namespace {

/// An event of which only the kind and the name are known. An event of the kind `Other` is nothing without its name.
Result<Event> bare_event(EventKind kind, const std::string& name, const std::string& dialect) {
  const auto named = Json::object({{to_string(Field::EventName), Json::string(name)}});
  return Event(kind, kind == EventKind::Other ? named : Json::object()).in_dialect(dialect);
}

}  // namespace

// A sink may store neither payload nor subjects. Then at least the name of the tool is known.
std::optional<Event> event_of(const Json& record) {
  const std::string name = record["event"].as_string().value_or("");
  if (name.empty()) return std::nullopt;
  const EventKind kind = event_kind_from(name).value_or(EventKind::Other);
  const auto bare = bare_event(kind, name, record["dialect"].as_string().value_or(""));
  if (!bare) return std::nullopt;
  if (const Json payload = record["payload"]) return bare->with_payload(payload);
  if (const Json subjects = record["subjects"]) return bare->with_payload(bare->payload().merged(subjects));
  const Event empty = kind == EventKind::Other ? *bare : bare->with_payload(Json::object());
  return record[kRecordedTool] ? with_field(empty, Field::ToolName, record[kRecordedTool]) : empty;
}

}  // namespace grapnel
