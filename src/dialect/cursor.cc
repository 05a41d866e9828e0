#include <array>

#include "dialect/dialect.h"

/// Cursor: `hooks.json` with one flat list of entries per event, seconds, unanchored regular expressions, all hooks of
/// an event at once. One tool call is told at several events: before and after any tool, and once more for a shell
/// command, an MCP tool or a file. What it understands differs between these: only the general event takes a changed
/// input, only those of a kind can make it ask.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::SessionId, "conversation_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::ProjectDir, "workspace_root"},
    {Field::Model, "model"},
});
constexpr auto kRootFromList = std::to_array<CompletionRow>({
    {.to = "/workspace_root", .from = "/workspace_roots/0"},
    {.to = "/cwd", .from = "/workspace_roots/0"},
});

constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::McpContext, "mcp_context"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::McpContext, "mcp_context"},
    {Field::ToolOutput, "tool_output"},
    {Field::DurationMs, "duration"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::Error, "error_message"},
    {Field::ErrorType, "failure_type"},
    {Field::IsInterrupt, "is_interrupt"},
    {Field::DurationMs, "duration"},
});
constexpr auto kShellIn = std::to_array<FieldRow>({
    {Field::ToolCommand, "command"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kShellDoneIn = std::to_array<FieldRow>({
    {Field::ToolCommand, "command"},
    {Field::ToolOutput, "output"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::DurationMs, "duration"},
});
constexpr auto kMcpDoneIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::McpContext, "mcp_context"},
    {Field::ToolOutput, "result_json"},
    {Field::DurationMs, "duration"},
});
constexpr auto kFileIn = std::to_array<FieldRow>({
    {Field::ToolPath, "file_path"},
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "status"},
    {Field::BlockCount, "loop_count"},
});
constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task"},
    {Field::ParentAgentId, "parent_conversation_id"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task"},
    {Field::ResultSummary, "summary"},
    {Field::StopReason, "status"},
    {Field::BlockCount, "loop_count"},
});
constexpr auto kPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "context_tokens"},
    {Field::MessagesBefore, "message_count"},
});

// The general events tell tool and input; the others are brought to the same form.
constexpr auto kParsedInput = std::to_array<CompletionRow>({{.to = "/tool_input", .parses = true}});
constexpr auto kParsedOutput = std::to_array<CompletionRow>({
    {.to = "/tool_input", .parses = true},
    {.to = "/tool_output", .parses = true},
});
constexpr auto kShellCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Shell\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/command", .from = "/command"},
});
constexpr auto kReadCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Read\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/file_path", .from = "/file_path"},
});
constexpr auto kEditCall = std::to_array<CompletionRow>({
    {.to = "/tool_name", .json = "\"Write\""},
    {.to = "/tool_input", .json = "{}"},
    {.to = "/tool_input/file_path", .from = "/file_path"},
    {.to = "/tool_input/edits", .from = "/edits"},
});
constexpr auto kMcpCall = std::to_array<CompletionRow>({
    {.to = "/tool_input", .parses = true},
    {.to = "/result_json", .parses = true},
    {.to = "/mcp_context/server_name", .from = "/mcp_server_name"},
    {.to = "/mcp_context/server_name", .json = "\"unknown\""},
    {.to = "/mcp_context/tool_name", .from = "/tool_name"},
});

constexpr auto kWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask, true},
});
constexpr auto kWordsWithAsk = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
});
constexpr auto kWordsOfStart = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Pass},
    {"ask", Verdict::Ask, true},
});

constexpr OutputRow kPermission{"/permission", Effect::Verdict};
constexpr OutputRow kForModel{"/agent_message", Effect::Reason};
constexpr OutputRow kForUser{"/user_message", Effect::Reason};
constexpr auto kPreToolOut = std::to_array<OutputRow>({
    kPermission,
    kForModel,
    kForUser,
    {"/updated_input", Effect::InputReplace},
});
constexpr auto kPermissionOut = std::to_array<OutputRow>({kPermission, kForModel, kForUser});
constexpr auto kReadOut = std::to_array<OutputRow>({kPermission, kForUser});
constexpr auto kPromptOut = std::to_array<OutputRow>({
    {"/continue", Effect::DenyIfFalse},
    kForUser,
    {"/additional_context", Effect::Context},
});
constexpr auto kSessionStartOut = std::to_array<OutputRow>({
    {"/additional_context", Effect::Context},
    {"/env", Effect::Env},
});
// Another output is taken of MCP tools alone, which a row cannot tell.
constexpr auto kPostToolOut = std::to_array<OutputRow>({
    {"/additional_context", Effect::Context},
    {"/updated_mcp_tool_output", Effect::Output, "", true},
});
constexpr auto kStopOut = std::to_array<OutputRow>({{"/followup_message", Effect::Objection}});
constexpr auto kCompactOut = std::to_array<OutputRow>({{"/user_message", Effect::Message}});

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "preToolUse",
     .inputs = kPreToolIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kPreToolOut,
     .words = kWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeShellExecution",
     .inputs = kShellIn,
     .completions = kShellCall,
     .tool_pattern = "^Shell$",
     .match_on = Field::ToolCommand,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kPermissionOut,
     .words = kWordsWithAsk,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeMCPExecution",
     .inputs = kPreToolIn,
     .completions = kMcpCall,
     .tool_pattern = "^MCP:",
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kPermissionOut,
     .words = kWordsWithAsk,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeReadFile",
     .inputs = kFileIn,
     .completions = kReadCall,
     .tool_pattern = "^Read$",
     .outputs = kReadOut,
     .words = kWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "postToolUse",
     .inputs = kPostToolIn,
     .completions = kParsedOutput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kPostToolOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterShellExecution",
     .inputs = kShellDoneIn,
     .completions = kShellCall,
     .tool_pattern = "^Shell$",
     .match_on = Field::ToolCommand,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterMCPExecution",
     .inputs = kMcpDoneIn,
     .completions = kMcpCall,
     .tool_pattern = "^MCP:",
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterFileEdit",
     .inputs = kFileIn,
     .completions = kEditCall,
     .tool_pattern = "^(Write|Edit|StrReplace)$",
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "postToolUseFailure",
     .inputs = kToolFailureIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "beforeSubmitPrompt",
     .inputs = kPromptIn,
     .outputs = kPromptOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "sessionStart",
     .outputs = kSessionStartOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "sessionEnd",
     .inputs = kSessionEndIn,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "stop",
     .inputs = kStopIn,
     .outputs = kStopOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagentStart",
     .inputs = kSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kReadOut,
     .words = kWordsOfStart,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagentStop",
     .inputs = kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kStopOut,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "preCompact",
     .inputs = kPreCompactIn,
     .outputs = kCompactOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kEvents));
constexpr auto kUnsupported = std::to_array<std::string_view>(
    {"beforeTabFileRead", "afterTabFileEdit", "afterAgentResponse", "afterAgentThought", "workspaceOpen"});
static_assert(kEvents.size() + kUnsupported.size() == 21);

constexpr auto kValues = std::to_array<ValueRow>({
    {Field::EndReason, "exit", "user_close"},
    {Field::EndReason, "exit", "window_close"},
    {Field::StopReason, "end_turn", "completed"},
});

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kShellArguments = std::to_array<ToolArgument>({{"cwd", "working_directory"}});
constexpr auto kFileArguments = std::to_array<ToolArgument>({
    {.canonical = "file_path", .wire = "path", .only_read = true},
    {.canonical = "file_path", .wire = "target_file", .only_read = true},
    {.canonical = "content", .wire = "contents", .only_read = true},
});
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Shell", kShellArguments},
    {"read", "Read", kFileArguments},
    {"write", "Write", kFileArguments},
    {"edit", "StrReplace", kFileArguments},
    {"edit", "Edit", kFileArguments},
    {"delete", "Delete", kFileArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "WebFetch", kSameArguments},
    {"search", "WebSearch", kSameArguments},
    {"task", "Task", kSameArguments},
    {"todo", "TodoWrite", kSameArguments},
});
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "target_file"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"Shell"});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/cursor/hooks.json"},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".cursor/hooks.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".cursor/hooks.json"},
});
constexpr auto kClaudeScopes = std::to_array<Scope>({Scope::User, Scope::Project, Scope::Local});
constexpr auto kRunsItself = std::to_array<ForeignFiles>({{"claude", kClaudeScopes}});
constexpr auto kFileConstants = std::to_array<ConstantRow>({{"/version", "1"}});
constexpr auto kSettings = std::to_array<SettingRow>({{"/version", Setting::Ignored}});
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"prompt", HandlerType::Prompt},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"matcher", HookKey::Matcher},
    {"timeout", HookKey::Timeout},
    {"failClosed", HookKey::OnFailure},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"loop_limit", HookKey::Ignored},
});
constexpr auto kFailureWords = std::to_array<FailureWordRow>({
    {"true", OnFailure::Closed},
    {"false", OnFailure::Open},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"CURSOR_PROJECT_DIR", Field::ProjectDir},
    {"CURSOR_TRANSCRIPT_PATH", Field::TranscriptPath},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir},
});

}  // namespace

const Dialect kCursorDialect{
    .name = "cursor",
    .events = kEvents,
    .common_inputs = kCommon,
    .completions = kRootFromList,
    .values = kValues,
    .tools = kTools,
    .mcp = {.prefix = "MCP:", .separator = ""},
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .entries_per_event = true,
    .type_optional = true,
    .runs_itself = kRunsItself,
    .file_constants = kFileConstants,
    .settings = kSettings,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .failure_words = kFailureWords,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{60000},
    .exits = kExits,
    .max_text = 10000,
    .context_separator = "\n\n",
    .default_reason = "Blocked by hook",
    .silence = "{}",
    .recognised_by = "/cursor_version",
    .shell = kShell,
    .variables = kVariables,
};

}  // namespace grapnel
