#pragma once

#include <array>

#include "dialect/dialect.h"
#include "dialect/output_tables.h"

/// The parts of Claude Code's format that several agents share.
///
/// Each table of outputs first has the members that are documented today, then older and looser spellings, which are
/// understood but never written. A verdict counts even where nobody documents one: if a guard says "block" in the wrong
/// place, this must not be taken for silence. Such places can restrict, but not permit (`LooseVerdict`). Add a row when
/// hooks in the wild use another spelling.
namespace grapnel::claude {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
inline constexpr auto kCommonIn = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});
inline constexpr auto kSessionStartIn = std::to_array<FieldRow>({{Field::Source, "source"}});
inline constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
inline constexpr auto kPromptIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::Prompt, "prompt"},
});
inline constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
});
inline constexpr auto kPermissionIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
inline constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_response"},
    {Field::ToolUseId, "tool_use_id"},
});
inline constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::Error, "error"},
    {Field::IsInterrupt, "is_interrupt"},
});
inline constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::StopHookActive, "stop_hook_active"},
    {Field::FinalResponse, "last_assistant_message"},
});
inline constexpr auto kStopFailureIn = std::to_array<FieldRow>({
    {Field::Error, "error"},
    {Field::FinalResponse, "last_assistant_message"},
});
inline constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::StopHookActive, "stop_hook_active"},
    {Field::ResultSummary, "last_assistant_message"},
});
inline constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::Title, "title"},
    {Field::NotificationType, "notification_type"},
});
inline constexpr auto kPreCompactIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});
inline constexpr auto kPostCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::Summary, "compact_summary"},
});

/// The words of `permissionDecision` and of the older top-level `decision`. "defer" leaves the call to somebody who is
/// not there yet. No other agent can postpone a call, so a person is asked.
inline constexpr auto kPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
    {"defer", Verdict::Ask, true},
    {"block", Verdict::Deny, true},
    {"approve", Verdict::Allow, true},
});
inline constexpr auto kPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask, true},
    {"block", Verdict::Deny, true},
    {"approve", Verdict::Allow, true},
});
/// At events that only know "block", approving means nothing more than having no objection.
inline constexpr auto kBlockWords = std::to_array<WordRow>({
    {"block", Verdict::Deny},
    {"deny", Verdict::Deny, true},
    {"approve", Verdict::Pass, true},
    {"allow", Verdict::Pass, true},
});

/// Members that several tables use. The old ones are only read, because the event has a newer place for its verdict.
inline constexpr OutputRow kDecision{"/decision", Effect::Verdict};
inline constexpr OutputRow kReason{"/reason", Effect::Reason};
inline constexpr OutputRow kOldDecision{"/decision", Effect::Verdict, "", true};
inline constexpr OutputRow kOldReason{"/reason", Effect::Reason, "", true};
inline constexpr OutputRow kContext{"/hookSpecificOutput/additionalContext", Effect::Context};

inline constexpr auto kPreToolOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/hookSpecificOutput/updatedInput", Effect::InputReplace},
    kContext,
    kOldDecision,
    kOldReason,
    {"/permissionDecision", Effect::LooseVerdict, "", true},
    {"/permissionDecisionReason", Effect::Reason, "", true},
    {"/hookSpecificOutput/decision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/decision/behavior", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/decision/message", Effect::Reason, "", true},
    {"/hookSpecificOutput/reason", Effect::Reason, "", true},
    {"/decision/behavior", Effect::LooseVerdict, "", true},
    {"/decision/message", Effect::Reason, "", true},
    {"/permission", Effect::LooseVerdict, "", true},
    {"/behavior", Effect::LooseVerdict, "", true},
    {"/message", Effect::Reason, "", true},
    {"/ok", Effect::DenyIfFalse, "", true},
    {"/block", Effect::DenyIfTrue, "", true},
}));
inline constexpr auto kPermissionOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/decision/behavior", Effect::Verdict},
    {"/hookSpecificOutput/decision/message", Effect::Reason},
    {"/hookSpecificOutput/decision/updatedInput", Effect::InputReplace},
    {"/hookSpecificOutput/decision/interrupt", Effect::StopIfTrue, "", true},
    {"/hookSpecificOutput/decision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/permissionDecision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason, "", true},
    {"/decision", Effect::LooseVerdict, "", true},
    {"/decision/behavior", Effect::LooseVerdict, "", true},
    {"/decision/message", Effect::Reason, "", true},
    kOldReason,
    {"/permissionDecision", Effect::LooseVerdict, "", true},
    {"/permissionDecisionReason", Effect::Reason, "", true},
    {"/behavior", Effect::LooseVerdict, "", true},
    {"/message", Effect::Reason, "", true},
    {"/ok", Effect::DenyIfFalse, "", true},
}));
inline constexpr auto kPostToolOut = with_universal(std::to_array<OutputRow>({
    kDecision,
    kReason,
    kContext,
    {"/hookSpecificOutput/updatedToolOutput", Effect::Output},
    {"/hookSpecificOutput/updatedMCPToolOutput", Effect::Output, "", true},
}));
inline constexpr auto kDecisionAndContextOut = with_universal(std::to_array<OutputRow>({
    kDecision,
    kReason,
    kContext,
    {"/hookSpecificOutput/decision", Effect::LooseVerdict, "", true},
    {"/hookSpecificOutput/reason", Effect::Reason, "", true},
    {"/ok", Effect::DenyIfFalse, "", true},
}));
inline constexpr auto kDecisionOut = std::to_array<OutputRow>({kDecision, kReason});
/// The agent shows the message, and ignores the rest of an answer.
inline constexpr auto kMessageOut = std::to_array<OutputRow>({{"/systemMessage", Effect::Message}});
inline constexpr auto kDecisionAndMessageOut = joined(kDecisionOut, kMessageOut);
inline constexpr auto kContextOut = with_universal(std::to_array<OutputRow>({kContext}));
/// These places for a verdict are not documented at this event, so none is written: it is blocked with exit code 2.
inline constexpr auto kTaskOut = with_universal(std::to_array<OutputRow>({
    kOldDecision,
    kOldReason,
    {"/ok", Effect::DenyIfFalse, "", true},
}));

/// What hooks answer when an MCP server asks the user: an objection declines.
inline constexpr auto kElicitationOut = with_universal(std::to_array<OutputRow>({
    kOldDecision,
    kOldReason,
    {"/hookSpecificOutput/action", Effect::ElicitationAction},
    {"/hookSpecificOutput/content", Effect::ElicitationContent},
    {"/ok", Effect::DenyIfFalse, "", true},
}));

inline constexpr auto kGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"hooks", GroupKey::Hooks},
});

/// Of several rows with the same canonical word the first is written; "*" is written for every other word.
inline constexpr auto kValues = std::to_array<ValueRow>({
    {Field::PermissionMode, "auto-edit", "acceptEdits"},
    {Field::PermissionMode, "yolo", "bypassPermissions"},
    {Field::EndReason, "clear", "clear"},
    {Field::EndReason, "resume", "resume"},
    {Field::EndReason, "logout", "logout"},
    {Field::EndReason, "exit", "prompt_input_exit"},
    {Field::EndReason, "*", "other"},
});

inline constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});

}  // namespace grapnel::claude
