#pragma once

#include "dialect/output_tables.h"

/// The members that Blade's hooks read and write, event by event.
///
/// The members of an answer belong in `hookSpecificOutput`. At the top level they are understood, too, but never
/// written; the exception is `continue`, which has another meaning there.
namespace grapnel::blade {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds. If a
/// field has two rows, hooks find its value under both names.
inline constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::EventName, "hook_event_name"},
    {Field::ExecutionId, "hook_execution_id"},
    {Field::Timestamp, "timestamp"},
    {Field::ProjectDir, "project_dir"},
    {Field::PermissionMode, "permission_mode"},
});
inline constexpr auto kSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::IsResume, "is_resume"},
    {Field::ResumeSessionId, "resume_session_id"},
});
inline constexpr auto kPromptIn = std::to_array<FieldRow>({
    {Field::Prompt, "user_prompt"},
    {Field::HasImages, "has_images"},
    {Field::ImageCount, "image_count"},
});
inline constexpr auto kToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
});
inline constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
    {Field::ToolOutput, "tool_response"},
});
inline constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
    {Field::ErrorType, "error_type"},
    {Field::IsInterrupt, "is_interrupt"},
    {Field::IsTimeout, "is_timeout"},
});
inline constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::FinalResponse, "final_response"},
    {Field::FinalResponse, "reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
inline constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::ParentAgentId, "parent_agent_id"},
});
inline constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::Success, "success"},
    {Field::ResultSummary, "result_summary"},
    {Field::Error, "error"},
});
inline constexpr auto kTaskIn = std::to_array<FieldRow>({
    {Field::TaskId, "task_id"},
    {Field::TaskDescription, "task_description"},
    {Field::ResultSummary, "result_summary"},
    {Field::Success, "success"},
});
inline constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Title, "title"},
    {Field::Message, "message"},
});
inline constexpr auto kCompactionIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::MessagesBefore, "messages_before"},
    {Field::TokensBefore, "tokens_before"},
});
inline constexpr auto kSessionEndIn = std::to_array<FieldRow>({
    {Field::EndReason, "reason"},
    {Field::TotalTurns, "total_turns"},
    {Field::TotalTokens, "total_tokens"},
});

/// The first word of a verdict is the one that is written. "async" decides nothing.
inline constexpr auto kPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
    {"block", Verdict::Deny},
    {"approve", Verdict::Allow},
    {"async", Verdict::Pass, true},
});
inline constexpr auto kPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"approve", Verdict::Allow},
    {"allow", Verdict::Allow},
    {"block", Verdict::Deny},
    {"async", Verdict::Pass, true},
});
inline constexpr auto kBlockWords = std::to_array<WordRow>({
    {"block", Verdict::Deny},
    {"deny", Verdict::Deny},
    {"approve", Verdict::Pass},
    {"allow", Verdict::Pass, true},
    {"async", Verdict::Pass, true},
});

/// The tables below use `with_decision`: at every event Blade also reads `decision` and `reason` at the top level.
inline constexpr auto kObservedOut = with_decision(std::array<OutputRow, 0>{});
inline constexpr auto kContextOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
}));
inline constexpr auto kSessionStartOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/env", Effect::Env},
    {"/env", Effect::Env, "", true},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
}));
inline constexpr auto kPromptOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/updatedPrompt", Effect::Prompt},
    {"/updatedPrompt", Effect::Prompt, "", true},
    {"/hookSpecificOutput/contextInjection", Effect::Context},
    {"/contextInjection", Effect::Context, "", true},
}));
inline constexpr auto kPreToolOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/permissionDecision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/permissionDecisionReason", Effect::Reason, "", true},
    {"/hookSpecificOutput/updatedInput", Effect::InputMerge},
    {"/updatedInput", Effect::InputMerge, "", true},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
}));
inline constexpr auto kPermissionOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/permissionDecision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/permissionDecisionReason", Effect::Reason, "", true},
}));
inline constexpr auto kPostToolOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
    {"/hookSpecificOutput/updatedOutput", Effect::Output},
    {"/updatedOutput", Effect::Output, "", true},
}));
/// The word `continue` has opposite meanings here: at the end of a turn true keeps the agent working, at the end of a
/// subagent false does.
inline constexpr auto kStopOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/continue", Effect::DenyIfTrue},
    {"/hookSpecificOutput/continueReason", Effect::Reason},
    {"/continueReason", Effect::Reason, "", true},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
}));
inline constexpr auto kSubagentStopOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/continue", Effect::DenyIfFalse},
    {"/hookSpecificOutput/continueReason", Effect::Reason},
    {"/continueReason", Effect::Reason, "", true},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/additionalContext", Effect::Context, "", true},
}));
inline constexpr auto kTaskOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/blockCompletion", Effect::DenyIfTrue},
    {"/blockCompletion", Effect::DenyIfTrue, "", true},
    {"/hookSpecificOutput/blockReason", Effect::Reason},
    {"/blockReason", Effect::Reason, "", true},
}));
inline constexpr auto kCompactionOut = with_decision(std::to_array<OutputRow>({
    {"/hookSpecificOutput/blockCompaction", Effect::DenyIfTrue},
    {"/blockCompaction", Effect::DenyIfTrue, "", true},
    {"/hookSpecificOutput/blockReason", Effect::Reason},
    {"/blockReason", Effect::Reason, "", true},
}));

}  // namespace grapnel::blade
