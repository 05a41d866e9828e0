#include <array>

#include "dialect/dialect.h"

/// Cursor: `hooks.json` with one flat list of entries per event, seconds, unanchored regular expressions, all hooks of
/// an event at once. One tool call is told at several events: before and after any tool, and once more for a shell
/// command, an MCP tool or a file. What it understands differs between these: only the general event takes a changed
/// input, only those of a kind can make it ask.
namespace grapnel {

namespace {

constexpr auto kCursorCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::SessionId, "conversation_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::ProjectDir, "workspace_root"},
    {Field::Model, "model"},
});
constexpr auto kCursorRootFromList = std::to_array<CompletionRow>({
    {.to = "/workspace_root", .from = "/workspace_roots/0"},
    {.to = "/cwd", .from = "/workspace_roots/0"},
});

constexpr auto kCursorPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::McpContext, "mcp_context"},
});
constexpr auto kCursorPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::McpContext, "mcp_context"},
    {Field::ToolOutput, "tool_output"},
    {Field::DurationMs, "duration"},
});
constexpr auto kCursorToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::Error, "error_message"},
    {Field::ErrorType, "failure_type"},
    {Field::IsInterrupt, "is_interrupt"},
    {Field::DurationMs, "duration"},
});
constexpr auto kCursorShellIn = std::to_array<FieldRow>({
    {Field::ToolCommand, "command"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kCursorShellDoneIn = std::to_array<FieldRow>({
    {Field::ToolCommand, "command"},
    {Field::ToolOutput, "output"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::DurationMs, "duration"},
});
constexpr auto kCursorMcpDoneIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::McpContext, "mcp_context"},
    {Field::ToolOutput, "result_json"},
    {Field::DurationMs, "duration"},
});
constexpr auto kCursorFileIn = std::to_array<FieldRow>({
    {Field::ToolPath, "file_path"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kCursorPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kCursorSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kCursorStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "status"},
    {Field::BlockCount, "loop_count"},
});
constexpr auto kCursorSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task"},
    {Field::ParentAgentId, "parent_conversation_id"},
});
constexpr auto kCursorSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task"},
    {Field::ResultSummary, "summary"},
    {Field::StopReason, "status"},
    {Field::BlockCount, "loop_count"},
});
constexpr auto kCursorPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "context_tokens"},
    {Field::MessagesBefore, "message_count"},
});

// The general events tell tool and input; the others are brought to the same form.
constexpr auto kCursorParsedInput = std::to_array<CompletionRow>({{.to = "/tool_input", .parses = true}});
constexpr auto kCursorParsedOutput = std::to_array<CompletionRow>({
    {.to = "/tool_input", .parses = true},
    {.to = "/tool_output", .parses = true},
});
constexpr auto kCursorShellCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Shell\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/command", .from = "/command"},
});
constexpr auto kCursorReadCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Read\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/file_path", .from = "/file_path"},
});
constexpr auto kCursorEditCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Write\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/file_path", .from = "/file_path"},
    {.to = "/tool_input/edits", .from = "/edits"},
});
constexpr auto kCursorMcpCall = std::to_array<CompletionRow>({
    {.to = "/tool_input", .parses = true},
    {.to = "/result_json", .parses = true},
    {.to = "/mcp_context/server_name", .from = "/mcp_server_name"},
    {.to = "/mcp_context/server_name", .json = "\"unknown\""},
    {.to = "/mcp_context/tool_name", .from = "/tool_name"},
});

constexpr auto kCursorWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask, true},
});
constexpr auto kCursorWordsWithAsk = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
});
constexpr auto kCursorWordsOfStart = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Pass},
    {"ask", Verdict::Ask, true},
});

constexpr OutputRow kCursorPermission{"/permission", Effect::Verdict};
constexpr OutputRow kCursorForModel{"/agent_message", Effect::Reason};
constexpr OutputRow kCursorForUser{"/user_message", Effect::Reason};
constexpr auto kCursorPreToolOut = std::to_array<OutputRow>({
    kCursorPermission,
    kCursorForModel,
    kCursorForUser,
    {"/updated_input", Effect::InputReplace},
});
constexpr auto kCursorPermissionOut = std::to_array<OutputRow>({kCursorPermission, kCursorForModel, kCursorForUser});
constexpr auto kCursorReadOut = std::to_array<OutputRow>({kCursorPermission, kCursorForUser});
constexpr auto kCursorPromptOut = std::to_array<OutputRow>({
    {"/continue", Effect::DenyIfFalse},
    kCursorForUser,
    {"/additional_context", Effect::Context},
});
constexpr auto kCursorSessionStartOut = std::to_array<OutputRow>({
    {"/additional_context", Effect::Context},
    {"/env", Effect::Env},
});
// Another output is taken of MCP tools alone, which a row cannot tell.
constexpr auto kCursorPostToolOut = std::to_array<OutputRow>({
    {"/additional_context", Effect::Context},
    {"/updated_mcp_tool_output", Effect::Output, "", true},
});
constexpr auto kCursorStopOut = std::to_array<OutputRow>({{"/followup_message", Effect::Objection}});
constexpr auto kCursorCompactOut = std::to_array<OutputRow>({{"/user_message", Effect::Message}});

constexpr auto kCursorEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "preToolUse",
     .inputs = kCursorPreToolIn,
     .completions = kCursorParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorPreToolOut,
     .words = kCursorWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeShellExecution",
     .inputs = kCursorShellIn,
     .completions = kCursorShellCall,
     .tool_pattern = "^Shell$",
     .match_on = Field::ToolCommand,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorPermissionOut,
     .words = kCursorWordsWithAsk,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeMCPExecution",
     .inputs = kCursorPreToolIn,
     .completions = kCursorMcpCall,
     .tool_pattern = "^MCP:",
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorPermissionOut,
     .words = kCursorWordsWithAsk,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeReadFile",
     .inputs = kCursorFileIn,
     .completions = kCursorReadCall,
     .tool_pattern = "^Read$",
     .outputs = kCursorReadOut,
     .words = kCursorWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "postToolUse",
     .inputs = kCursorPostToolIn,
     .completions = kCursorParsedOutput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorPostToolOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterShellExecution",
     .inputs = kCursorShellDoneIn,
     .completions = kCursorShellCall,
     .tool_pattern = "^Shell$",
     .match_on = Field::ToolCommand,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterMCPExecution",
     .inputs = kCursorMcpDoneIn,
     .completions = kCursorMcpCall,
     .tool_pattern = "^MCP:",
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterFileEdit",
     .inputs = kCursorFileIn,
     .completions = kCursorEditCall,
     .tool_pattern = "^(Write|Edit|StrReplace)$",
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "postToolUseFailure",
     .inputs = kCursorToolFailureIn,
     .completions = kCursorParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "beforeSubmitPrompt",
     .inputs = kCursorPromptIn,
     .outputs = kCursorPromptOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "sessionStart",
     .outputs = kCursorSessionStartOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "sessionEnd",
     .inputs = kCursorSessionEndIn,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "stop",
     .inputs = kCursorStopIn,
     .outputs = kCursorStopOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagentStart",
     .inputs = kCursorSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorReadOut,
     .words = kCursorWordsOfStart,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagentStop",
     .inputs = kCursorSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kCursorStopOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "preCompact",
     .inputs = kCursorPreCompactIn,
     .outputs = kCursorCompactOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kCursorEvents));
constexpr auto kCursorUnsupported = std::to_array<std::string_view>(
    {"beforeTabFileRead", "afterTabFileEdit", "afterAgentResponse", "afterAgentThought", "workspaceOpen"});
static_assert(kCursorEvents.size() + kCursorUnsupported.size() == 21);

constexpr auto kCursorValues = std::to_array<ValueRow>({
    {Field::EndReason, "exit", "user_close"},
    {Field::EndReason, "exit", "window_close"},
    {Field::StopReason, "end_turn", "completed"},
});

constexpr auto kCursorSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kCursorShellArguments = std::to_array<ToolArgument>({{"cwd", "working_directory"}});
constexpr auto kCursorFileArguments = std::to_array<ToolArgument>({
    {.canonical = "file_path", .wire = "path", .only_read = true},
    {.canonical = "file_path", .wire = "target_file", .only_read = true},
    {.canonical = "content", .wire = "contents", .only_read = true},
});
constexpr auto kCursorTools = std::to_array<ToolRow>({
    {"shell", "Shell", kCursorShellArguments},
    {"read", "Read", kCursorFileArguments},
    {"write", "Write", kCursorFileArguments},
    {"edit", "StrReplace", kCursorFileArguments},
    {"edit", "Edit", kCursorFileArguments},
    {"delete", "Delete", kCursorFileArguments},
    {"glob", "Glob", kCursorSameArguments},
    {"grep", "Grep", kCursorSameArguments},
    {"fetch", "WebFetch", kCursorSameArguments},
    {"search", "WebSearch", kCursorSameArguments},
    {"task", "Task", kCursorSameArguments},
    {"todo", "TodoWrite", kCursorSameArguments},
});
constexpr auto kCursorPathKeys = std::to_array<std::string_view>({"file_path", "path", "target_file"});
constexpr auto kCursorCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCursorCommandTools = std::to_array<std::string_view>({"Shell"});

constexpr auto kCursorPlaces = std::to_array<Place>({
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/cursor/hooks.json"},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".cursor/hooks.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".cursor/hooks.json"},
});
constexpr auto kCursorClaudeScopes = std::to_array<Scope>({Scope::User, Scope::Project, Scope::Local});
constexpr auto kCursorRunsItself = std::to_array<ForeignFiles>({{"claude", kCursorClaudeScopes}});
constexpr auto kCursorFileConstants = std::to_array<ConstantRow>({{"/version", "1"}});
constexpr auto kCursorSettings = std::to_array<SettingRow>({{"/version", Setting::Ignored}});
constexpr auto kCursorHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"prompt", HandlerType::Prompt},
});
constexpr auto kCursorHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"matcher", HookKey::Matcher},
    {"timeout", HookKey::Timeout},
    {"failClosed", HookKey::OnFailure},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"loop_limit", HookKey::Ignored},
});
constexpr auto kCursorFailureWords = std::to_array<FailureWordRow>({
    {"true", OnFailure::Closed},
    {"false", OnFailure::Open},
});

constexpr auto kCursorExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
constexpr auto kCursorShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kCursorVariables = std::to_array<VariableRow>({
    {"CURSOR_PROJECT_DIR", Field::ProjectDir},
    {"CURSOR_TRANSCRIPT_PATH", Field::TranscriptPath},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir},
});

}  // namespace

const Dialect kCursorDialect{
    .name = "cursor",
    .events = kCursorEvents,
    .common_inputs = kCursorCommon,
    .completions = kCursorRootFromList,
    .values = kCursorValues,
    .tools = kCursorTools,
    .mcp = {.prefix = "MCP:", .separator = ""},
    .input_keys = {.path_keys = kCursorPathKeys,
                   .command_keys = kCursorCommandKeys,
                   .command_tools = kCursorCommandTools},
    .places = kCursorPlaces,
    .entries_per_event = true,
    .type_optional = true,
    .runs_itself = kCursorRunsItself,
    .file_constants = kCursorFileConstants,
    .settings = kCursorSettings,
    .hook_keys = kCursorHookKeys,
    .handler_types = kCursorHandlerTypes,
    .failure_words = kCursorFailureWords,
    .unsupported_events = kCursorUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{60000},
    .exits = kCursorExits,
    .max_text = 10000,
    .context_separator = "\n\n",
    .default_reason = "Blocked by hook",
    .silence = "{}",
    .recognised_by = "/cursor_version",
    .shell = kCursorShell,
    .variables = kCursorVariables,
};

}  // namespace grapnel
