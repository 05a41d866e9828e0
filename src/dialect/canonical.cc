#include <array>

#include "dialect/dialect.h"
#include "model/field_names.h"

/// Grapnel's own words: canonical event names and keys, and the most widespread names for tools.
namespace grapnel {

namespace {

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart, .wire_name = "SessionStart", .match_on = Field::Source},
    {.kind = EventKind::SessionEnd, .wire_name = "SessionEnd", .match_on = Field::EndReason},
    {.kind = EventKind::UserPromptSubmit, .wire_name = "UserPromptSubmit"},
    {.kind = EventKind::BeforeModel, .wire_name = "BeforeModel"},
    {.kind = EventKind::BeforeToolSelection, .wire_name = "BeforeToolSelection"},
    {.kind = EventKind::AfterModel, .wire_name = "AfterModel"},
    {.kind = EventKind::PreToolUse, .wire_name = "PreToolUse", .match_on = Field::ToolName},
    {.kind = EventKind::PermissionRequest, .wire_name = "PermissionRequest", .match_on = Field::ToolName},
    {.kind = EventKind::PostToolUse, .wire_name = "PostToolUse", .match_on = Field::ToolName},
    {.kind = EventKind::PostToolUseFailure, .wire_name = "PostToolUseFailure", .match_on = Field::ToolName},
    {.kind = EventKind::Stop, .wire_name = "Stop"},
    {.kind = EventKind::TurnEnd, .wire_name = "TurnEnd"},
    {.kind = EventKind::SubagentStart, .wire_name = "SubagentStart", .match_on = Field::AgentType},
    {.kind = EventKind::SubagentStop, .wire_name = "SubagentStop", .match_on = Field::AgentType},
    {.kind = EventKind::TaskCompleted, .wire_name = "TaskCompleted"},
    {.kind = EventKind::Notification, .wire_name = "Notification", .match_on = Field::NotificationType},
    {.kind = EventKind::PreCompact, .wire_name = "PreCompact", .match_on = Field::Trigger},
    {.kind = EventKind::PostCompact, .wire_name = "PostCompact", .match_on = Field::Trigger},
});
static_assert(well_formed(kEvents) && kEvents.size() == kEventKindCount);

constexpr auto kInputs = [] {
  constexpr size_t kDerived = 2;  // ToolPath and ToolCommand are read out of the tool input
  std::array<FieldRow, kFieldCount - kDerived> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<Field>(i), kFieldNames[i]};
  return rows;
}();

constexpr std::array<ToolArgument, 0> kSameArguments{};
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Bash", kSameArguments},
    {"read", "Read", kSameArguments},
    {"write", "Write", kSameArguments},
    {"edit", "Edit", kSameArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "WebFetch", kSameArguments},
    {"search", "WebSearch", kSameArguments},
    {"task", "Task", kSameArguments},
    {"todo", "TodoWrite", kSameArguments},
});

constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "notebook_path"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});

}  // namespace

const Dialect kCanonicalDialect{
    .name = "canonical",
    .events = kEvents,
    .common_inputs = kInputs,
    .tools = kTools,
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys},
};

}  // namespace grapnel
