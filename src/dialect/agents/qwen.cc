#include "dialect/agents/claude_tables.h"
#include "dialect/agents/gemini_tables.h"

/// Qwen Code. `.qwen/settings.json` has the events and answers of Claude Code, with the tools, the milliseconds and the
/// `sequential` groups of Gemini CLI. Exit code 2 blocks; other codes are warnings.
///
/// Qwen Code ignores some answers: context at the start of a session, and a changed input or context before a tool.
/// Without a terminal it does not even run the hooks of a session's start.
namespace grapnel {

namespace {

constexpr auto kQwenCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::Timestamp, "timestamp"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});

/// Members that Qwen Code ignores are understood in answers of hooks, but never written. So the engine knows that the
/// wish is lost, and can degrade it.
constexpr auto kQwenBeforeToolOut = without_writing(claude::kPreToolOut, {Effect::InputReplace, Effect::Context});
constexpr auto kQwenStartOut = without_writing(claude::kContextOut, {Effect::Context});

/// Qwen Code takes a message everywhere, but people see it only when a turn ends.
constexpr auto kQwenEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreToolIn},
     .answer = {.outputs = kQwenBeforeToolOut, .words = claude::kPreToolWords, .shows_message = false}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPermissionIn},
     .answer = {.outputs = claude::kPermissionOut, .words = claude::kPermissionWords, .shows_message = false},
     .verdicts = {.asks_anyway = true, .rewrite_needs_allow = true}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPostToolIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords, .shows_message = false}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kToolFailureIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords, .shows_message = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPromptIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords, .shows_message = false}},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSessionStartIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = kQwenStartOut, .shows_message = false},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kStopIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .answer = {.outputs = claude::kContextOut, .shows_message = false},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSubagentStopIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords, .shows_message = false}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreCompactIn},
     .answer = {.outputs = claude::kDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPostCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kNotificationIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::StopFailure,
     .wire_name = "StopFailure",
     .matching = {.match_on = Field::Error, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kStopFailureIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PermissionDenied,
     .wire_name = "PermissionDenied",
     .since = "> 0.15.10",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreToolIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::MessageDisplay,
     .wire_name = "MessageDisplay",
     .since = "> 0.15.10",
     .running = {.strategy = Strategy::Parallel},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kQwenEvents));

/// Events of later versions that Grapnel has no kind for.
constexpr auto kQwenOtherEvents = std::to_array<std::string_view>({"SessionDelete", "TodoCreated", "TodoCompleted"});

constexpr auto kQwenSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kQwenShellArguments = std::to_array<ToolArgument>({{"cwd", "directory"}});
constexpr auto kQwenReadArguments = std::to_array<ToolArgument>({
    {.canonical = "file_path", .wire = "absolute_path", .only_read = true},
});
constexpr auto kQwenTools = std::to_array<ToolRow>({
    {"shell", "run_shell_command", kQwenShellArguments},
    {"read", "read_file", kQwenReadArguments},
    {"write", "write_file", kQwenSameArguments},
    {"edit", "edit", kQwenSameArguments},
    {"glob", "glob", kQwenSameArguments},
    {"grep", "grep_search", kQwenSameArguments},
    {"fetch", "web_fetch", kQwenSameArguments},
    {"search", "web_search", kQwenSameArguments},
    {"task", "agent", kQwenSameArguments},
    {"task", "task", kQwenSameArguments},
    {"todo", "todo_write", kQwenSameArguments},
});
constexpr auto kQwenPathKeys = std::to_array<std::string_view>({"file_path", "absolute_path", "path"});
constexpr auto kQwenCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kQwenCommandTools = std::to_array<std::string_view>({"run_shell_command"});

constexpr auto kQwenServerPlaces = std::to_array<ServerPlace>({
    {.file = {.scope = Scope::User, .base = PlaceBase::Home, .path = ".qwen/settings.json"}},
    {.file = {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".qwen/settings.json"}},
});
constexpr auto kQwenPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".qwen/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".qwen/settings.json"},
});
constexpr auto kQwenSequentialGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"sequential", GroupKey::Sequential},
    {"hooks", GroupKey::Hooks},
});
/// Timeouts are in milliseconds, but those of `http` hooks are in seconds.
constexpr auto kQwenHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"http", HandlerType::Http, std::chrono::seconds{600}, std::chrono::seconds{1}},
    {"prompt", HandlerType::Prompt},
});
constexpr auto kQwenHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"name", HookKey::Name},
    {"description", HookKey::Description},
    {"timeout", HookKey::Timeout},
    {"env", HookKey::Env},
    {"async", HookKey::Async},
    {"statusMessage", HookKey::StatusMessage},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"url", HookKey::Url},
    {"headers", HookKey::Headers},
    {"allowedEnvVars", HookKey::AllowedEnv},
    {"once", HookKey::Ignored},
    {"shell", HookKey::Ignored},
});

constexpr auto kQwenExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Warn},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Warn},
});
/// Hooks that were written for Claude Code or Gemini CLI find the project in the variables of these agents.
constexpr auto kQwenVariables = std::to_array<VariableRow>({
    {"QWEN_PROJECT_DIR", Field::ProjectDir, true},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"GEMINI_PROJECT_DIR", Field::ProjectDir, true},
});
/// How the agent names its project.
constexpr auto kQwenProjectVariables = std::to_array<std::string_view>({"QWEN_PROJECT_DIR"});

constexpr auto kQwenExitCode =
    std::to_array<ExitPlace>({{.pointer = "/llmContent", .line = "Exit Code: ", .is_last = true}});

}  // namespace

const Dialect kQwenDialect{
    .name = "qwen",
    .verified = "0.15.10",
    .files = {.places = kQwenPlaces},
    .servers = {.places = kQwenServerPlaces,
                .keys = gemini::kServerKeys,
                .only = "/mcp/allowed",
                .without = "/mcp/excluded",
                .expands = true,
                .expands_bare = true},
    .entries = {.group_keys = kQwenSequentialGroupKeys,
                .hook_keys = kQwenHookKeys,
                .handler_types = kQwenHandlerTypes,
                .other_events = kQwenOtherEvents},
    .timeouts = {.unit = std::chrono::milliseconds{1}, .by_default = std::chrono::milliseconds{60000}},
    .running = {.sequential_spreads = true, .dedupe = true},
    .events = kQwenEvents,
    .payload = {.common_inputs = kQwenCommon, .values = claude::kValues},
    .project = {.variables = kQwenProjectVariables},
    .tools = {.rows = kQwenTools,
              .mcp = {.keeps_dots = true},
              .input_keys = {.path_keys = kQwenPathKeys,
                             .command_keys = kQwenCommandKeys,
                             .command_tools = kQwenCommandTools},
              .exit_code = kQwenExitCode},
    .process = {.shell = claude::kShell, .variables = kQwenVariables},
    .exit = {.codes = kQwenExits},
    .answer = {.event_name_at = "/hookSpecificOutput/hookEventName", .default_reason = "Blocked by hook"},
};

}  // namespace grapnel
