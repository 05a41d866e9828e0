#include "dialect/agents/copilot_tables.h"

/// GitHub Copilot's other dialect, which VS Code uses, too: the event names of Claude Code, members in snake case, and
/// Claude Code's names of tools with Copilot's arguments. Copilot CLI and VS Code look for a verdict in different
/// places, so answers have it in both.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kCopilotVscodeCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::Timestamp, "timestamp"},
    {Field::Cwd, "cwd"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});
constexpr auto kCopilotVscodeSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::Prompt, "initial_prompt"},
});
constexpr auto kCopilotVscodeSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kCopilotVscodePromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kCopilotVscodePreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
});
// VS Code and Copilot CLI have different members for the output of a tool.
constexpr auto kCopilotVscodePostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "/tool_result/text_result_for_llm"},
    {Field::ToolOutput, "tool_response"},
});
constexpr auto kCopilotVscodeToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::Error, "error"},
});
constexpr auto kCopilotVscodeStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kCopilotVscodeSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentName, "agent_name"},
    {Field::ResultSummary, "last_assistant_message"},
    {Field::StopReason, "stop_reason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kCopilotVscodePreCompactIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});
constexpr auto kCopilotVscodeNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::Title, "title"},
    {Field::NotificationType, "notification_type"},
});
constexpr auto kCopilotVscodeParsedInput = std::to_array<CompletionRow>({{.to = "/tool_input", .parses = true}});

constexpr OutputRow kCopilotVscodeNestedContext{"/hookSpecificOutput/additionalContext", Effect::Context};
constexpr OutputRow kCopilotVscodeMessage{"/systemMessage", Effect::Message};
/// The nested members are for VS Code, those at the top for Copilot CLI.
constexpr auto kCopilotVscodePreToolOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/hookSpecificOutput/updatedInput", Effect::InputReplace},
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/modifiedArgs", Effect::InputReplace},
    kCopilotVscodeMessage,
});
constexpr auto kCopilotVscodeContextOut =
    std::to_array<OutputRow>({kCopilotVscodeNestedContext, copilot::kTopContext, kCopilotVscodeMessage});
constexpr auto kCopilotVscodePostToolOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {.pointer = "/modifiedResult/textResultForLlm", .effect = Effect::Output, .as_text = true},
    kCopilotVscodeNestedContext,
    copilot::kTopContext,
    kCopilotVscodeMessage,
});
constexpr auto kCopilotVscodeStopOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/decision", Effect::Verdict},
    {"/hookSpecificOutput/reason", Effect::Reason},
    kCopilotVscodeMessage,
});
constexpr auto kCopilotVscodeMessageOut = std::to_array<OutputRow>({kCopilotVscodeMessage});

constexpr auto kCopilotVscodeEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .payload = {.inputs = kCopilotVscodeSessionStartIn},
     .answer = {.outputs = kCopilotVscodeContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .payload = {.inputs = kCopilotVscodeSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .payload = {.inputs = kCopilotVscodePromptIn},
     .answer = {.outputs = kCopilotVscodeMessageOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodePreToolIn, .completions = kCopilotVscodeParsedInput},
     .exit = {.codes = copilot::kPreToolExits},
     .answer = {.outputs = kCopilotVscodePreToolOut, .words = copilot::kPreToolWords}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodePreToolIn, .completions = kCopilotVscodeParsedInput},
     .exit = {.codes = copilot::kPermissionExits},
     .answer = {.outputs = copilot::kPermissionOut, .words = copilot::kPermissionWords},
     .verdicts = {.asks_anyway = true}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodePostToolIn, .completions = kCopilotVscodeParsedInput},
     .answer = {.outputs = kCopilotVscodePostToolOut,
                .words = copilot::kStopWords,
                .constants = copilot::kResultConstants}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodeToolFailureIn, .completions = kCopilotVscodeParsedInput},
     .answer = {.outputs = kCopilotVscodeContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .payload = {.inputs = kCopilotVscodeStopIn},
     .answer = {.outputs = kCopilotVscodeStopOut, .words = copilot::kStopWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .answer = {.outputs = kCopilotVscodeContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodeSubagentStopIn},
     .answer = {.outputs = kCopilotVscodeStopOut, .words = copilot::kStopWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodePreCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kCopilotVscodeNotificationIn},
     .answer = {.outputs = kCopilotVscodeContextOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kCopilotVscodeEvents));
constexpr auto kCopilotVscodeOtherEvents = std::to_array<std::string_view>({"ErrorOccurred"});

constexpr auto kCopilotVscodeEditorFileArguments = std::to_array<ToolArgument>({{"file_path", "filePath"}});
constexpr auto kCopilotVscodeEditorEditArguments = std::to_array<ToolArgument>({
    {"file_path", "filePath"},
    {"old_string", "oldString"},
    {"new_string", "newString"},
});
/// First the tools of Copilot CLI, then those of VS Code. The first row of each kind is the one that is written.
constexpr auto kCopilotVscodeTools = std::to_array<ToolRow>({
    {"shell", "Bash", copilot::kSameArguments},
    {"read", "Read", copilot::kReadArguments},
    {"write", "Write", copilot::kWriteArguments},
    {"edit", "Edit", copilot::kEditArguments},
    {"glob", "Glob", copilot::kSameArguments},
    {"grep", "Grep", copilot::kSameArguments},
    {"fetch", "WebFetch", copilot::kSameArguments},
    {"search", "WebSearch", copilot::kSameArguments},
    {"task", "Agent", copilot::kSameArguments},
    {"task", "Task", copilot::kSameArguments},
    {"todo", "TodoWrite", copilot::kSameArguments},
    {"shell", "run_in_terminal", copilot::kSameArguments},
    {"read", "read_file", kCopilotVscodeEditorFileArguments},
    {"write", "create_file", kCopilotVscodeEditorFileArguments},
    {"edit", "replace_string_in_file", kCopilotVscodeEditorEditArguments},
    {"edit", "insert_edit_into_file", kCopilotVscodeEditorFileArguments},
    {"edit", "editFiles", copilot::kSameArguments},
    {"glob", "file_search", copilot::kSameArguments},
    {"grep", "grep_search", copilot::kSameArguments},
    {"fetch", "fetch_webpage", copilot::kSameArguments},
    {"task", "runSubagent", copilot::kSameArguments},
    {"todo", "manage_todo_list", copilot::kSameArguments},
});
constexpr auto kCopilotVscodeCommandTools = std::to_array<std::string_view>({"Bash", "run_in_terminal"});

}  // namespace

const Dialect kCopilotVscodeDialect{
    .name = "copilot-vscode",
    .files = {.runs_itself = copilot::kRunsItself},
    .entries = {.per_event = true,
                .type_optional = true,
                .group_keys = copilot::kGroupKeys,
                .hook_keys = copilot::kHookKeys,
                .handler_types = copilot::kHandlerTypes,
                .other_events = kCopilotVscodeOtherEvents},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{30000}},
    .events = kCopilotVscodeEvents,
    .payload = {.common_inputs = kCopilotVscodeCommon, .values = copilot::kValues},
    .tools = {.rows = kCopilotVscodeTools,
              .mcp = {.prefix = "", .separator = "-", .splits_last = true},
              .input_keys = {.path_keys = copilot::kPathKeys,
                             .command_keys = copilot::kCommandKeys,
                             .command_tools = kCopilotVscodeCommandTools}},
    .process = {.shell = copilot::kShell},
    .exit = {.codes = copilot::kExits},
    .answer = {.max_text = 10240,
               .context_separator = "\n\n",
               .event_name_at = "/hookSpecificOutput/hookEventName",
               .default_reason = "Blocked by hook",
               .own_error = copilot::kOwnError},
    .http = {.needs_tls = true},
};

}  // namespace grapnel
