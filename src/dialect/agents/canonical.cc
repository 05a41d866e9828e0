#include <array>

#include "dialect/agents/canonical_tables.h"
#include "dialect/canonical_inputs.h"
#include "dialect/dialect.h"

/// Grapnel's own words: the canonical names of events and fields, and the most widespread names of tools. Events that a
/// host builds itself and the callbacks of a host use this dialect. It has no hook files and no answers: callbacks
/// return effects directly.
namespace grapnel {

namespace {

/// One row for every kind of event, as the assertion below checks. `match_on` is the field that a callback's matcher is
/// compared with.
constexpr auto kCanonicalEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart, .wire_name = "SessionStart", .matching = {.match_on = Field::Source}},
    {.kind = EventKind::SessionEnd, .wire_name = "SessionEnd", .matching = {.match_on = Field::EndReason}},
    {.kind = EventKind::UserPromptSubmit, .wire_name = "UserPromptSubmit"},
    {.kind = EventKind::BeforeModel, .wire_name = "BeforeModel"},
    {.kind = EventKind::BeforeToolSelection, .wire_name = "BeforeToolSelection"},
    {.kind = EventKind::AfterModel, .wire_name = "AfterModel"},
    {.kind = EventKind::PreToolUse, .wire_name = "PreToolUse", .matching = {.match_on = Field::ToolName}},
    {.kind = EventKind::PermissionRequest, .wire_name = "PermissionRequest", .matching = {.match_on = Field::ToolName}},
    {.kind = EventKind::PostToolUse, .wire_name = "PostToolUse", .matching = {.match_on = Field::ToolName}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName}},
    {.kind = EventKind::Stop, .wire_name = "Stop"},
    {.kind = EventKind::TurnEnd, .wire_name = "TurnEnd"},
    {.kind = EventKind::SubagentStart, .wire_name = "SubagentStart", .matching = {.match_on = Field::AgentType}},
    {.kind = EventKind::SubagentStop, .wire_name = "SubagentStop", .matching = {.match_on = Field::AgentType}},
    {.kind = EventKind::TaskCompleted, .wire_name = "TaskCompleted"},
    {.kind = EventKind::Notification, .wire_name = "Notification", .matching = {.match_on = Field::NotificationType}},
    {.kind = EventKind::PreCompact, .wire_name = "PreCompact", .matching = {.match_on = Field::Trigger}},
    {.kind = EventKind::PostCompact, .wire_name = "PostCompact", .matching = {.match_on = Field::Trigger}},
    {.kind = EventKind::PostToolBatch, .wire_name = "PostToolBatch"},
    {.kind = EventKind::UserPromptExpansion,
     .wire_name = "UserPromptExpansion",
     .matching = {.match_on = Field::Source}},
    {.kind = EventKind::PermissionDenied, .wire_name = "PermissionDenied", .matching = {.match_on = Field::ToolName}},
    {.kind = EventKind::StopFailure, .wire_name = "StopFailure", .matching = {.match_on = Field::Error}},
    {.kind = EventKind::Interrupt, .wire_name = "Interrupt"},
    {.kind = EventKind::TaskCreated, .wire_name = "TaskCreated"},
    {.kind = EventKind::TeammateIdle, .wire_name = "TeammateIdle"},
    {.kind = EventKind::Setup, .wire_name = "Setup", .matching = {.match_on = Field::Trigger}},
    {.kind = EventKind::InstructionsLoaded,
     .wire_name = "InstructionsLoaded",
     .matching = {.match_on = Field::Trigger},
     .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::ConfigChange,
     .wire_name = "ConfigChange",
     .matching = {.match_on = Field::Source},
     .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::CwdChanged, .wire_name = "CwdChanged", .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::DirectoryAdded,
     .wire_name = "DirectoryAdded",
     .matching = {.match_on = Field::Source},
     .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::FileChanged, .wire_name = "FileChanged", .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::WorktreeCreate, .wire_name = "WorktreeCreate"},
    {.kind = EventKind::WorktreeRemove, .wire_name = "WorktreeRemove", .payload = {.inputs = canonical::kPathIn}},
    {.kind = EventKind::Elicitation, .wire_name = "Elicitation", .matching = {.match_on = Field::Source}},
    {.kind = EventKind::ElicitationResult, .wire_name = "ElicitationResult", .matching = {.match_on = Field::Source}},
    {.kind = EventKind::PreModelSwitch, .wire_name = "PreModelSwitch", .matching = {.match_on = Field::Model}},
    {.kind = EventKind::PostModelSwitch, .wire_name = "PostModelSwitch", .matching = {.match_on = Field::Model}},
    {.kind = EventKind::MessageDisplay, .wire_name = "MessageDisplay"},
    {.kind = EventKind::Other, .wire_name = "Other"},
});
static_assert(well_formed(kCanonicalEvents) && kCanonicalEvents.size() == kEventKindCount);

}  // namespace

const Dialect kCanonicalDialect{
    .name = "canonical",
    .events = kCanonicalEvents,
    .payload = {.common_inputs = kCanonicalInputs},
    .tools = {.rows = canonical::kTools, .input_keys = canonical::kInputKeys},
};

}  // namespace grapnel
