#include "dialect/copilot_tables.h"

/// GitHub Copilot's other way, which VS Code speaks, too: Claude's event names, members in snake case and Claude's
/// names of tools with Copilot's arguments. The two programs look for a verdict in different places; answers have both.
namespace grapnel {

namespace {

using namespace copilot;

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::Timestamp, "timestamp"},
    {Field::Cwd, "cwd"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});
constexpr auto kSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::Prompt, "initial_prompt"},
});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
});
// VS Code and Copilot CLI have different names for the output.
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "/tool_result/text_result_for_llm"},
    {Field::ToolOutput, "tool_response"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::Error, "error"},
});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentName, "agent_name"},
    {Field::ResultSummary, "last_assistant_message"},
    {Field::StopReason, "stop_reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kPreCompactIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::Title, "title"},
    {Field::NotificationType, "notification_type"},
});
constexpr auto kParsedInput = std::to_array<CompletionRow>({{.to = "/tool_input", .parses = true}});

constexpr OutputRow kNestedContext{"/hookSpecificOutput/additionalContext", Effect::Context};
constexpr OutputRow kMessage{"/systemMessage", Effect::Message};
constexpr auto kPreToolOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/hookSpecificOutput/updatedInput", Effect::InputReplace},
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/modifiedArgs", Effect::InputReplace},
    kMessage,
});
constexpr auto kContextOut = std::to_array<OutputRow>({kNestedContext, kTopContext, kMessage});
constexpr auto kPostToolOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {.pointer = "/modifiedResult/textResultForLlm", .effect = Effect::Output, .as_text = true},
    kNestedContext,
    kTopContext,
    kMessage,
});
constexpr auto kStopOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/decision", Effect::Verdict},
    {"/hookSpecificOutput/reason", Effect::Reason},
    kMessage,
});
constexpr auto kMessageOut = std::to_array<OutputRow>({kMessage});

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kSessionStartIn,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::SessionEnd, .wire_name = "SessionEnd", .inputs = kSessionEndIn, .can_deny = false},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .outputs = kMessageOut,
     .can_deny = false},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kPreToolIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPreToolOut,
     .words = kPreToolWords,
     .exits = kPreToolExits},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = kPreToolIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPermissionOut,
     .words = kPermissionWords,
     .exits = kPermissionExits,
     .asks_anyway = true},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kPostToolIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPostToolOut,
     .answer_constants = kResultConstants,
     .words = kStopWords},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::Stop, .wire_name = "Stop", .inputs = kStopIn, .outputs = kStopOut, .words = kStopWords},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kStopOut,
     .words = kStopWords},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .inputs = kPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .can_deny = false},
});
static_assert(well_formed(kEvents));
constexpr auto kUnsupported = std::to_array<std::string_view>({"ErrorOccurred"});

constexpr auto kEditorFileArguments = std::to_array<ToolArgument>({{"file_path", "filePath"}});
constexpr auto kEditorEditArguments = std::to_array<ToolArgument>({
    {"file_path", "filePath"},
    {"old_string", "oldString"},
    {"new_string", "newString"},
});
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Bash", kSameArguments},
    {"read", "Read", kReadArguments},
    {"write", "Write", kWriteArguments},
    {"edit", "Edit", kEditArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "WebFetch", kSameArguments},
    {"search", "WebSearch", kSameArguments},
    {"task", "Agent", kSameArguments},
    {"task", "Task", kSameArguments},
    {"todo", "TodoWrite", kSameArguments},
    {"shell", "run_in_terminal", kSameArguments},
    {"read", "read_file", kEditorFileArguments},
    {"write", "create_file", kEditorFileArguments},
    {"edit", "replace_string_in_file", kEditorEditArguments},
    {"edit", "insert_edit_into_file", kEditorFileArguments},
    {"edit", "editFiles", kSameArguments},
    {"glob", "file_search", kSameArguments},
    {"grep", "grep_search", kSameArguments},
    {"fetch", "fetch_webpage", kSameArguments},
    {"task", "runSubagent", kSameArguments},
    {"todo", "manage_todo_list", kSameArguments},
});
constexpr auto kCommandTools = std::to_array<std::string_view>({"Bash", "run_in_terminal"});

}  // namespace

const Dialect kCopilotVscodeDialect{
    .name = "copilot-vscode",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kTools,
    .mcp = {.prefix = "", .separator = "-", .splits_last = true},
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .entries_per_event = true,
    .type_optional = true,
    .runs_itself = kRunsItself,
    .group_keys = kGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{30000},
    .exits = kExits,
    .max_text = 10240,
    .context_separator = "\n\n",
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .own_error = kOwnError,
    .http = {.needs_tls = true},
    .shell = kShell,
};

}  // namespace grapnel
