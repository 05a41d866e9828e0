#include <array>

#include "dialect/dialect.h"

/// Cursor. `hooks.json` has one flat list of entries for each event; timeouts are in seconds, matchers are regular
/// expressions that may match anywhere, and all hooks of an event run at once.
///
/// Cursor reports one tool call at several events: at a general event before and after any tool, and again at a special
/// event for a shell command, an MCP tool or a file. They accept different answers: only the general event takes a
/// changed input, and only those for shell commands and MCP tools can ask a person.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kCursorCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::SessionId, "conversation_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::ProjectDir, "workspace_root"},
    {Field::Model, "model"},
});
/// Cursor sends a list of workspaces. The first of them is the directory of the project.
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

/// General events have the tool and its input. The special events only have the command or the file, so they are
/// completed to the same form, and hooks of other agents can read all of them in the same way.
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

/// Only the events for shell commands and MCP tools ask a person. Where "ask" is only read, the Ask of a hook becomes a
/// Deny. At the start of a subagent "allow" means no more than "no objection".
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
/// Cursor accepts a changed output only for MCP tools. A row cannot express that, so the member is never written.
constexpr auto kCursorPostToolOut = std::to_array<OutputRow>({
    {"/additional_context", Effect::Context},
    {"/updated_mcp_tool_output", Effect::Output, "", true},
});
/// A text here is sent to the agent as the next message: it keeps working because there is an objection.
constexpr auto kCursorStopOut = std::to_array<OutputRow>({{"/followup_message", Effect::Objection}});
constexpr auto kCursorCompactOut = std::to_array<OutputRow>({{"/user_message", Effect::Message}});

/// The first row of each kind is the general event, which is used for the events of other agents. The rows behind it
/// have a pattern for the tools that they are about.
constexpr auto kCursorEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "preToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorPreToolIn, .completions = kCursorParsedInput},
     .answer = {.outputs = kCursorPreToolOut, .words = kCursorWords}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeShellExecution",
     .applies = {.tool_pattern = "^Shell$"},
     .matching = {.match_on = Field::ToolCommand, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorShellIn, .completions = kCursorShellCall},
     .answer = {.outputs = kCursorPermissionOut, .words = kCursorWordsWithAsk}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeMCPExecution",
     .applies = {.tool_pattern = "^MCP:"},
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorPreToolIn, .completions = kCursorMcpCall},
     .answer = {.outputs = kCursorPermissionOut, .words = kCursorWordsWithAsk}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "beforeReadFile",
     .applies = {.tool_pattern = "^Read$"},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorFileIn, .completions = kCursorReadCall},
     .answer = {.outputs = kCursorReadOut, .words = kCursorWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "postToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorPostToolIn, .completions = kCursorParsedOutput},
     .answer = {.outputs = kCursorPostToolOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterShellExecution",
     .applies = {.tool_pattern = "^Shell$"},
     .matching = {.match_on = Field::ToolCommand, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorShellDoneIn, .completions = kCursorShellCall},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterMCPExecution",
     .applies = {.tool_pattern = "^MCP:"},
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorMcpDoneIn, .completions = kCursorMcpCall},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "afterFileEdit",
     .applies = {.tool_pattern = "^(Write|Edit|StrReplace)$"},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorFileIn, .completions = kCursorEditCall},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "postToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorToolFailureIn, .completions = kCursorParsedInput},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "beforeSubmitPrompt",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorPromptIn},
     .answer = {.outputs = kCursorPromptOut}},
    {.kind = EventKind::SessionStart,
     .wire_name = "sessionStart",
     .running = {.strategy = Strategy::Parallel},
     .answer = {.outputs = kCursorSessionStartOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "sessionEnd",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "stop",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorStopIn},
     .answer = {.outputs = kCursorStopOut}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorSubagentStartIn},
     .answer = {.outputs = kCursorReadOut, .words = kCursorWordsOfStart}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorSubagentStopIn},
     .answer = {.outputs = kCursorStopOut}},
    {.kind = EventKind::PreCompact,
     .wire_name = "preCompact",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCursorPreCompactIn},
     .answer = {.outputs = kCursorCompactOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kCursorEvents));
/// Events of Cursor that Grapnel has no kind for; with the rows above, these are all of its events.
constexpr auto kCursorOtherEvents = std::to_array<std::string_view>(
    {"beforeTabFileRead", "afterTabFileEdit", "afterAgentResponse", "afterAgentThought", "workspaceOpen"});
static_assert(kCursorEvents.size() + kCursorOtherEvents.size() == 21);

constexpr auto kCursorValues = std::to_array<ValueRow>({
    {Field::EndReason, "exit", "user_close"},
    {Field::EndReason, "exit", "window_close"},
    {Field::StopReason, "end_turn", "completed"},
    {Field::StopReason, "interrupted", "aborted"},
    {Field::StopReason, "tool_rejected", "aborted"},
    {Field::StopReason, "failed", "error"},
    {Field::StopReason, "max_turns", "error"},
});

constexpr auto kCursorSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kCursorShellArguments = std::to_array<ToolArgument>({{"cwd", "working_directory"}});
/// Cursor's tools have used several names for these arguments; all are read, and the canonical ones are written.
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

constexpr auto kCursorPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/cursor/hooks.json"},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".cursor/hooks.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".cursor/hooks.json"},
});
/// Cursor also runs the hooks of Claude Code's files. If Cursor calls Grapnel, they must not run a second time.
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
/// The key is a boolean, `failClosed`.
constexpr auto kCursorFailureWords = std::to_array<FailureWordRow>({
    {"true", OnFailure::Closed},
    {"false", OnFailure::Open},
});

constexpr auto kCursorExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
constexpr auto kCursorShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kCursorVariables = std::to_array<VariableRow>({
    {"CURSOR_PROJECT_DIR", Field::ProjectDir},
    {"CURSOR_TRANSCRIPT_PATH", Field::TranscriptPath},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir},
});
/// How the agent names its project.
constexpr auto kCursorProjectVariables = std::to_array<std::string_view>({"CURSOR_PROJECT_DIR"});
constexpr auto kCursorProjectMembers = std::to_array<std::string_view>({"/workspace_roots"});

constexpr auto kCursorExitCode = std::to_array<ExitPlace>({{.pointer = "/exitCode"}});

}  // namespace

const Dialect kCursorDialect{
    .name = "cursor",
    .version = {.pointer = "/cursor_version"},
    .files = {.places = kCursorPlaces,
              .settings = kCursorSettings,
              .constants = kCursorFileConstants,
              .runs_itself = kCursorRunsItself},
    .entries = {.per_event = true,
                .type_optional = true,
                .hook_keys = kCursorHookKeys,
                .handler_types = kCursorHandlerTypes,
                .other_events = kCursorOtherEvents},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{60000}},
    .events = kCursorEvents,
    .payload = {.common_inputs = kCursorCommon,
                .completions = kCursorRootFromList,
                .values = kCursorValues,
                .recognised_by = "/cursor_version"},
    .project = {.variables = kCursorProjectVariables, .members = kCursorProjectMembers},
    .tools = {.rows = kCursorTools,
              .mcp = {.prefix = "MCP:", .separator = ""},
              .input_keys = {.path_keys = kCursorPathKeys,
                             .command_keys = kCursorCommandKeys,
                             .command_tools = kCursorCommandTools},
              .exit_code = kCursorExitCode},
    .process = {.shell = kCursorShell, .variables = kCursorVariables},
    .exit = {.codes = kCursorExits},
    .answer = {.max_text = 10000, .context_separator = "\n\n", .default_reason = "Blocked by hook", .silence = "{}"},
    .failure = {.words = kCursorFailureWords},
};

}  // namespace grapnel
