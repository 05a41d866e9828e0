#include <array>

#include "dialect/dialect.h"

/// Blade Agent SDK: `.blade/settings.json` or a session's `hooks` object, seconds, a minimal environment.
///
/// Inside `hookSpecificOutput` a Stop hook's `continue: true` keeps the agent working and a SubagentStop hook's
/// `continue: false` does; at the top level `continue: false` always stops everything.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::EventName, "hook_event_name"},
    {Field::ExecutionId, "hook_execution_id"},
    {Field::Timestamp, "timestamp"},
    {Field::ProjectDir, "project_dir"},
    {Field::PermissionMode, "permission_mode"},
});
constexpr auto kSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::IsResume, "is_resume"},
    {Field::ResumeSessionId, "resume_session_id"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({
    {Field::Prompt, "user_prompt"},
    {Field::HasImages, "has_images"},
    {Field::ImageCount, "image_count"},
});
constexpr auto kToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
    {Field::ToolOutput, "tool_response"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
    {Field::ErrorType, "error_type"},
    {Field::IsInterrupt, "is_interrupt"},
    {Field::IsTimeout, "is_timeout"},
});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::FinalResponse, "final_response"},
    {Field::FinalResponse, "reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::ParentAgentId, "parent_agent_id"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::Success, "success"},
    {Field::ResultSummary, "result_summary"},
    {Field::Error, "error"},
});
constexpr auto kTaskIn = std::to_array<FieldRow>({
    {Field::TaskId, "task_id"},
    {Field::TaskDescription, "task_description"},
    {Field::ResultSummary, "result_summary"},
    {Field::Success, "success"},
});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Title, "title"},
    {Field::Message, "message"},
});
constexpr auto kCompactionIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::MessagesBefore, "messages_before"},
    {Field::TokensBefore, "tokens_before"},
});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({
    {Field::EndReason, "reason"},
    {Field::TotalTurns, "total_turns"},
    {Field::TotalTokens, "total_tokens"},
});

constexpr auto kPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
    {"block", Verdict::Deny},
    {"approve", Verdict::Allow},
    {"async", Verdict::Pass, true},
});
constexpr auto kPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"approve", Verdict::Allow},
    {"allow", Verdict::Allow},
    {"block", Verdict::Deny},
    {"async", Verdict::Pass, true},
});
constexpr auto kBlockWords = std::to_array<WordRow>({
    {"block", Verdict::Deny},
    {"deny", Verdict::Deny},
    {"approve", Verdict::Pass},
    {"async", Verdict::Pass, true},
});

consteval bool decides(Effect effect) {
  return effect == Effect::Verdict || effect == Effect::DenyIfTrue || effect == Effect::DenyIfFalse;
}

/// `own` rows and those every event has. Where an event has fields of its own for a verdict, only those are written.
template <size_t N>
consteval auto with_common(std::array<OutputRow, N> own) {
  bool has_verdict = false;
  for (const OutputRow& row : own) has_verdict |= decides(row.effect);
  const auto generic = std::to_array<OutputRow>({
      {"/continue", Effect::StopIfFalse},
      {"/stopReason", Effect::StopReason},
      {"/systemMessage", Effect::Message},
      {"/suppressOutput", Effect::SuppressOutput},
      {"/decision", Effect::Verdict, "", has_verdict},
      {"/reason", Effect::Reason, "", has_verdict},
      {"/decision/behavior", Effect::Verdict, "", true},
  });
  std::array<OutputRow, std::tuple_size_v<decltype(generic)> + N> all{};
  size_t next = 0;
  for (const OutputRow& row : own) all[next++] = row;
  for (const OutputRow& row : generic) all[next++] = row;
  return all;
}

constexpr auto kGenericOut = with_common(std::array<OutputRow, 0>{});
constexpr auto kContextOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kSessionStartOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/env", Effect::Env},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kPromptOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/updatedPrompt", Effect::Prompt},
    {"/hookSpecificOutput/contextInjection", Effect::Context},
}));
constexpr auto kPreToolOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/hookSpecificOutput/updatedInput", Effect::InputMerge},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kPermissionOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
}));
constexpr auto kPostToolOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/hookSpecificOutput/updatedOutput", Effect::Output},
}));
constexpr auto kStopOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/continue", Effect::DenyIfTrue},
    {"/hookSpecificOutput/continueReason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kSubagentStopOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/continue", Effect::DenyIfFalse},
    {"/hookSpecificOutput/continueReason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kTaskOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/blockCompletion", Effect::DenyIfTrue},
    {"/hookSpecificOutput/blockReason", Effect::Reason},
}));
constexpr auto kCompactionOut = with_common(std::to_array<OutputRow>({
    {"/hookSpecificOutput/blockCompaction", Effect::DenyIfTrue},
    {"/hookSpecificOutput/blockReason", Effect::Reason},
}));

constexpr VerdictMask kDecided = mask(Verdict::Allow) | mask(Verdict::Deny);
constexpr VerdictMask kDenied = mask(Verdict::Deny);

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kSessionStartOut,
     .words = kBlockWords,
     .can_deny = false},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .outputs = kPromptOut,
     .words = kBlockWords,
     .text = TextMeaning::Context,
     .ends_chain = kDenied},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPreToolOut,
     .words = kPreToolWords,
     .ends_chain = kDenied},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = kToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPermissionOut,
     .words = kPermissionWords,
     .ends_chain = kDecided},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPostToolOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kGenericOut,
     .words = kBlockWords,
     .can_deny = false},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .inputs = kSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .words = kBlockWords,
     .can_deny = false},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kSubagentStopOut,
     .words = kBlockWords,
     .ends_chain = kDenied},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kStopIn,
     .outputs = kStopOut,
     .words = kBlockWords,
     .ends_chain = kDenied},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .inputs = kTaskIn,
     .outputs = kTaskOut,
     .words = kBlockWords,
     .ends_chain = kDenied},
    {.kind = EventKind::PreCompact,
     .wire_name = "Compaction",
     .inputs = kCompactionIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kCompactionOut,
     .words = kBlockWords,
     .ends_chain = kDenied},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = kSessionEndIn,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kGenericOut,
     .words = kBlockWords,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kEvents));

/// Later versions have these as well; its documentation does not.
constexpr auto kUnsupported = std::to_array<std::string_view>({
    "StopFailure",
    "PreCompact",
    "PostCompact",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "CwdChanged",
    "FileChanged",
    "InstructionsLoaded",
});

constexpr auto kValues = std::to_array<ValueRow>({
    {Field::PermissionMode, "auto-edit", "autoEdit"},
    {Field::EndReason, "exit", "user_exit"},
    {Field::EndReason, "interrupt", "ctrl_c"},
    {Field::EndReason, "interrupt", "esc"},
});

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
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
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "filePath", "source", "target"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"Bash", "BashTool"});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".blade/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".blade/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".blade/settings.local.json"},
});
constexpr auto kSettings = std::to_array<SettingRow>({
    {"/disableAllHooks", Setting::DisableAll},
    {"/hooks/enabled", Setting::Enabled},
    {"/hooks/defaultTimeout", Setting::DefaultTimeout},
    {"/hooks/timeoutBehavior", Setting::TimeoutBehavior},
    {"/hooks/failureBehavior", Setting::FailureBehavior},
    {"/hooks/maxConcurrentHooks", Setting::MaxConcurrent},
});
constexpr auto kFailureWords = std::to_array<FailureWordRow>({
    {"ignore", OnFailure::Open},
    {"deny", OnFailure::Closed},
    {"ask", OnFailure::Ask},
});
constexpr auto kGroupKeys = std::to_array<GroupKeyRow>({
    {"name", GroupKey::Name},
    {"matcher", GroupKey::Matcher},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"prompt", HandlerType::Prompt},
    {"agent", HandlerType::Agent},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
});
constexpr auto kMatcherMembers = std::to_array<MatcherMember>({
    {"tools", Field::ToolName, MatchSyntax::NamesOrSearch, true},
    {"paths", Field::ToolPath, MatchSyntax::Glob},
    {"commands", Field::ToolCommand, MatchSyntax::NamesOrSearch},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 123, ExitMeaning::Failure},
    {124, 124, ExitMeaning::Timeout},
    {125, 255, ExitMeaning::Failure},
});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kInherited = std::to_array<std::string_view>({"PATH", "HOME", "USER", "SHELL"});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"BLADE_PROJECT_DIR", Field::ProjectDir},
    {"BLADE_SESSION_ID", Field::SessionId},
    {"BLADE_HOOK_EVENT", Field::EventName},
    {"BLADE_TOOL_NAME", Field::ToolName},
    {"BLADE_TOOL_USE_ID", Field::ToolUseId},
});

}  // namespace

const Dialect kBladeDialect{
    .name = "blade",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kTools,
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .layering = Layering::ReplacePerEvent,
    .settings = kSettings,
    .group_keys = kGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .failure_words = kFailureWords,
    .unsupported_events = kUnsupported,
    .matcher_members = kMatcherMembers,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{60000},
    .default_concurrency = 5,
    .exits = kExits,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Hook blocked execution",
    .shell = kShell,
    .working_dir = Field::ProjectDir,
    .inherited = kInherited,
    .variables = kVariables,
};

}  // namespace grapnel
