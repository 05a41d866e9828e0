#include <algorithm>
#include <array>
#include <utility>

#include "grapnel/event.h"

#include "model/field_names.h"

namespace grapnel {

namespace {

// All kinds in the order of declaration. A new kind needs a row here, a name below, and a row in each dialect that has
// it.
constexpr auto kKinds = std::to_array<EventKind>({
    EventKind::SessionStart,
    EventKind::SessionEnd,
    EventKind::UserPromptSubmit,
    EventKind::BeforeModel,
    EventKind::BeforeToolSelection,
    EventKind::AfterModel,
    EventKind::PreToolUse,
    EventKind::PermissionRequest,
    EventKind::PostToolUse,
    EventKind::PostToolUseFailure,
    EventKind::Stop,
    EventKind::TurnEnd,
    EventKind::SubagentStart,
    EventKind::SubagentStop,
    EventKind::TaskCompleted,
    EventKind::Notification,
    EventKind::PreCompact,
    EventKind::PostCompact,
    EventKind::PostToolBatch,
    EventKind::UserPromptExpansion,
    EventKind::PermissionDenied,
    EventKind::StopFailure,
    EventKind::Interrupt,
    EventKind::TaskCreated,
    EventKind::TeammateIdle,
    EventKind::Setup,
    EventKind::InstructionsLoaded,
    EventKind::ConfigChange,
    EventKind::CwdChanged,
    EventKind::DirectoryAdded,
    EventKind::FileChanged,
    EventKind::WorktreeCreate,
    EventKind::WorktreeRemove,
    EventKind::Elicitation,
    EventKind::ElicitationResult,
    EventKind::PreModelSwitch,
    EventKind::PostModelSwitch,
    EventKind::MessageDisplay,
    EventKind::Other,
});
static_assert(kKinds.size() == kEventKindCount);

}  // namespace

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::SessionStart:
      return "SessionStart";
    case EventKind::SessionEnd:
      return "SessionEnd";
    case EventKind::UserPromptSubmit:
      return "UserPromptSubmit";
    case EventKind::BeforeModel:
      return "BeforeModel";
    case EventKind::BeforeToolSelection:
      return "BeforeToolSelection";
    case EventKind::AfterModel:
      return "AfterModel";
    case EventKind::PreToolUse:
      return "PreToolUse";
    case EventKind::PermissionRequest:
      return "PermissionRequest";
    case EventKind::PostToolUse:
      return "PostToolUse";
    case EventKind::PostToolUseFailure:
      return "PostToolUseFailure";
    case EventKind::Stop:
      return "Stop";
    case EventKind::TurnEnd:
      return "TurnEnd";
    case EventKind::SubagentStart:
      return "SubagentStart";
    case EventKind::SubagentStop:
      return "SubagentStop";
    case EventKind::TaskCompleted:
      return "TaskCompleted";
    case EventKind::Notification:
      return "Notification";
    case EventKind::PreCompact:
      return "PreCompact";
    case EventKind::PostCompact:
      return "PostCompact";
    case EventKind::PostToolBatch:
      return "PostToolBatch";
    case EventKind::UserPromptExpansion:
      return "UserPromptExpansion";
    case EventKind::PermissionDenied:
      return "PermissionDenied";
    case EventKind::StopFailure:
      return "StopFailure";
    case EventKind::Interrupt:
      return "Interrupt";
    case EventKind::TaskCreated:
      return "TaskCreated";
    case EventKind::TeammateIdle:
      return "TeammateIdle";
    case EventKind::Setup:
      return "Setup";
    case EventKind::InstructionsLoaded:
      return "InstructionsLoaded";
    case EventKind::ConfigChange:
      return "ConfigChange";
    case EventKind::CwdChanged:
      return "CwdChanged";
    case EventKind::DirectoryAdded:
      return "DirectoryAdded";
    case EventKind::FileChanged:
      return "FileChanged";
    case EventKind::WorktreeCreate:
      return "WorktreeCreate";
    case EventKind::WorktreeRemove:
      return "WorktreeRemove";
    case EventKind::Elicitation:
      return "Elicitation";
    case EventKind::ElicitationResult:
      return "ElicitationResult";
    case EventKind::PreModelSwitch:
      return "PreModelSwitch";
    case EventKind::PostModelSwitch:
      return "PostModelSwitch";
    case EventKind::MessageDisplay:
      return "MessageDisplay";
    case EventKind::Other:
      return "Other";
  }
  return "";
}

std::optional<EventKind> event_kind_from(std::string_view canonical_name) {
  const auto* found = std::ranges::find_if(kKinds, [&](EventKind kind) { return to_string(kind) == canonical_name; });
  if (found == kKinds.end()) return std::nullopt;
  return *found;
}

std::span<const EventKind> all_event_kinds() {
  return kKinds;
}

/// The names are in the order of the fields, so the field is the index.
std::string_view to_string(Field field) {
  return field == Field::None ? std::string_view{} : kFieldNames[static_cast<size_t>(field)];
}

std::optional<Field> field_from(std::string_view canonical_key) {
  const auto* found = std::ranges::find(kFieldNames, canonical_key);
  if (found == kFieldNames.end()) return std::nullopt;
  return static_cast<Field>(found - kFieldNames.begin());
}

}  // namespace grapnel
