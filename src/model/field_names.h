#pragma once

#include <array>
#include <string_view>

#include "grapnel/event.h"

namespace grapnel {

/// The canonical key of every field, in the order of `Field`; a new field needs a row at the same place. Dialects
/// translate these keys to their own. The check at the end finds a missing row, but not a wrong order.
inline constexpr auto kFieldNames = std::to_array<std::string_view>({
    "event",
    "session_id",
    "transcript_path",
    "cwd",
    "project_dir",
    "plans_dir",
    "timestamp",
    "execution_id",
    "permission_mode",
    "tool_name",
    "tool_input",
    "tool_use_id",
    "tool_output",
    "mcp_context",
    "original_request_name",
    "error",
    "error_type",
    "is_interrupt",
    "is_timeout",
    "prompt",
    "has_images",
    "image_count",
    "source",
    "is_resume",
    "resume_session_id",
    "reason",
    "total_turns",
    "total_tokens",
    "stop_reason",
    "final_response",
    "turn_text",
    "stop_hook_active",
    "block_count",
    "model_request",
    "model_response",
    "notification_type",
    "title",
    "message",
    "details",
    "trigger",
    "messages_before",
    "tokens_before",
    "messages_after",
    "tokens_after",
    "summary",
    "agent_id",
    "agent_type",
    "parent_agent_id",
    "task_id",
    "task_description",
    "result_summary",
    "success",
    "model",
    "launch_arguments",
    "duration_seconds",
    "duration_ms",
    "step_count",
    "agent_name",
    "messages",
    "tool_calls",
    "reached_max_iterations",
    "judge_depth",
    "tool_path",
    "tool_command",
});
static_assert(kFieldNames.size() == kFieldCount);

}  // namespace grapnel
