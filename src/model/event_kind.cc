#include <algorithm>
#include <array>
#include <utility>

#include "grapnel/event.h"

namespace grapnel {

namespace {

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
});
static_assert(kKinds.size() == kEventKindCount);

constexpr auto kFieldNames = std::to_array<std::string_view>({
    "event",           "session_id",
    "transcript_path", "cwd",
    "project_dir",     "timestamp",
    "execution_id",    "permission_mode",
    "tool_name",       "tool_input",
    "tool_use_id",     "tool_output",
    "mcp_context",     "original_request_name",
    "error",           "error_type",
    "is_interrupt",    "is_timeout",
    "prompt",          "has_images",
    "image_count",     "source",
    "is_resume",       "resume_session_id",
    "reason",          "total_turns",
    "total_tokens",    "stop_reason",
    "final_response",  "stop_hook_active",
    "block_count",     "model_request",
    "model_response",  "notification_type",
    "title",           "message",
    "details",         "trigger",
    "messages_before", "tokens_before",
    "messages_after",  "tokens_after",
    "summary",         "agent_id",
    "agent_type",      "parent_agent_id",
    "task_id",         "task_description",
    "result_summary",  "success",
    "tool_path",       "tool_command",
});
static_assert(kFieldNames.size() == kFieldCount);

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

std::string_view to_string(Field field) {
  return field == Field::None ? std::string_view{} : kFieldNames[static_cast<size_t>(field)];
}

std::optional<Field> field_from(std::string_view canonical_key) {
  const auto* found = std::ranges::find(kFieldNames, canonical_key);
  if (found == kFieldNames.end()) return std::nullopt;
  return static_cast<Field>(found - kFieldNames.begin());
}

}  // namespace grapnel
