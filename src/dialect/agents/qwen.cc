#include "dialect/agents/claude_tables.h"

/// Qwen Code: Claude's events and answers in `.qwen/settings.json`, with Gemini's tools, milliseconds and `sequential`
/// groups. Exit code 2 blocks; other codes are warnings. It asks nobody at the start of a session without a terminal
/// and does not listen to the answer with one; before a tool it hears a verdict and nothing else.
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

constexpr auto kQwenBeforeToolOut = without_writing(claude::kPreToolOut, {Effect::InputReplace, Effect::Context});
constexpr auto kQwenStartOut = without_writing(claude::kContextOut, {Effect::Context});

constexpr auto kQwenEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = claude::kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kQwenBeforeToolOut,
     .words = claude::kPreToolWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = claude::kPermissionIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kPermissionOut,
     .words = claude::kPermissionWords,
     .strategy = Strategy::Parallel,
     .asks_anyway = true,
     .rewrite_needs_allow = true},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = claude::kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kDecisionAndContextOut,
     .words = claude::kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = claude::kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kDecisionAndContextOut,
     .words = claude::kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = claude::kPromptIn,
     .outputs = claude::kDecisionAndContextOut,
     .words = claude::kBlockWords,
     .text = TextMeaning::Context,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = claude::kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kQwenStartOut,
     .text = TextMeaning::Context,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = claude::kSessionEndIn,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = claude::kStopIn,
     .outputs = claude::kDecisionAndContextOut,
     .words = claude::kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kContextOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = claude::kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kDecisionAndContextOut,
     .words = claude::kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .inputs = claude::kPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = claude::kDecisionOut,
     .words = claude::kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .inputs = claude::kPostCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = claude::kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kQwenEvents));

constexpr auto kQwenUnsupported = std::to_array<std::string_view>(
    {"SessionDelete", "MessageDisplay", "StopFailure", "PermissionDenied", "TodoCreated", "TodoCompleted"});

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

constexpr auto kQwenPlaces = std::to_array<Place>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".qwen/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".qwen/settings.json"},
});
constexpr auto kQwenSequentialGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"sequential", GroupKey::Sequential},
    {"hooks", GroupKey::Hooks},
});
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
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Warn},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Warn},
});
constexpr auto kQwenVariables = std::to_array<VariableRow>({
    {"QWEN_PROJECT_DIR", Field::ProjectDir, true},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"GEMINI_PROJECT_DIR", Field::ProjectDir, true},
});

}  // namespace

const Dialect kQwenDialect{
    .name = "qwen",
    .verified = "0.15.10",
    .events = kQwenEvents,
    .common_inputs = kQwenCommon,
    .values = claude::kValues,
    .tools = kQwenTools,
    .input_keys = {.path_keys = kQwenPathKeys, .command_keys = kQwenCommandKeys, .command_tools = kQwenCommandTools},
    .places = kQwenPlaces,
    .group_keys = kQwenSequentialGroupKeys,
    .hook_keys = kQwenHookKeys,
    .handler_types = kQwenHandlerTypes,
    .unsupported_events = kQwenUnsupported,
    .timeout_unit = std::chrono::milliseconds{1},
    .default_timeout = std::chrono::milliseconds{60000},
    .sequential_spreads = true,
    .dedupe = true,
    .exits = kQwenExits,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .shell = claude::kShell,
    .variables = kQwenVariables,
};

}  // namespace grapnel
