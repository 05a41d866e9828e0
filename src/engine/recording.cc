#include "engine/recording.h"

#include <algorithm>

#include "base/clock.h"
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

}  // namespace

Record record_of(const Event& event, const Snapshot& snapshot, std::string id) {
  Record record;
  record.id = std::move(id);
  record.time = format_timestamp(std::chrono::system_clock::now());
  record.event = event.kind();
  record.dialect = event.dialect_name();
  record.session_id = event.text(Field::SessionId);
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
  record.effects = summarize_effects(decision.effects).without("reason");
  if (record.effects.size() == 0) record.effects = Json();
}

void record_event(const EventRun& run, const Plan& plan, const Decision& decision) {
  const EngineOptions& options = run.context.options;
  if (!options.recording.sink || (decision.hooks.empty() && !options.recording.unmatched)) return;
  Record record = record_of(run.original, run.snapshot, decision.event_id);
  record.project_dir = options.project_dir;
  add_decision(record, decision);
  for (HookFate& fate : unmet_hooks(run, plan, decision)) record.hooks.push_back(std::move(fate));
  record.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - run.running.came_in);
  options.recording.sink->record(record);
}

void record_switched_off(const Event& event, const Snapshot& snapshot, const LineContext& context) {
  const EngineOptions& options = context.options;
  if (!options.recording.sink || !options.recording.unmatched) return;
  Record record = record_of(event, snapshot, context.ids.next());
  record.project_dir = options.project_dir;
  add_decision(record, {.origin = Origin::Engine});
  record.reason = "all hooks are switched off";
  options.recording.sink->record(record);
}

// A sink may store neither payload nor subjects. Then at least the name of the tool is known.
std::optional<Event> event_of(const Json& record) {
  const auto kind = event_kind_from(record["event"].as_string().value_or(""));
  if (!kind) return std::nullopt;
  const auto bare = Event(*kind, Json::object()).in_dialect(record["dialect"].as_string().value_or(""));
  if (!bare) return std::nullopt;
  if (const Json payload = record["payload"]) return bare->with_payload(payload);
  if (const Json subjects = record["subjects"]) return bare->with_payload(subjects);
  const Event empty = bare->with_payload(Json::object());
  return record[kRecordedTool] ? with_field(empty, Field::ToolName, record[kRecordedTool]) : empty;
}

}  // namespace grapnel
