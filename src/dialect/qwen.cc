#include "dialect/claude_tables.h"

/// Qwen Code: Claude's events and answers in `.qwen/settings.json`, with Gemini's tools, milliseconds and `sequential`
/// groups. Exit code 2 blocks; other codes are warnings. It asks nobody at the start of a session without a terminal
/// and does not listen to the answer with one; before a tool it hears a verdict and nothing else.
namespace grapnel {

namespace {

using namespace claude;

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::Timestamp, "timestamp"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});

/// The same rows; what the agent does not listen to is never written.
template <size_t N>
consteval std::array<OutputRow, N> unheard(std::array<OutputRow, N> rows, std::initializer_list<Effect> effects) {
  for (OutputRow& row : rows) {
    for (const Effect effect : effects) row.only_read |= row.effect == effect;
  }
  return rows;
}
constexpr auto kBeforeToolOut = unheard(kPreToolOut, {Effect::InputReplace, Effect::Context});
constexpr auto kStartOut = unheard(kContextOut, {Effect::Context});

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kBeforeToolOut,
     .words = kPreToolWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = kPermissionIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPermissionOut,
     .words = kPermissionWords,
     .strategy = Strategy::Parallel,
     .asks_anyway = true,
     .rewrite_needs_allow = true},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .text = TextMeaning::Context,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kStartOut,
     .text = TextMeaning::Context,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = kSessionEndIn,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kStopIn,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .inputs = kPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kDecisionOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .inputs = kPostCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kEvents));

constexpr auto kUnsupported = std::to_array<std::string_view>(
    {"SessionDelete", "MessageDisplay", "StopFailure", "PermissionDenied", "TodoCreated", "TodoCompleted"});

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kShellArguments = std::to_array<ToolArgument>({{"cwd", "directory"}});
constexpr auto kReadArguments = std::to_array<ToolArgument>({
    {.canonical = "file_path", .wire = "absolute_path", .only_read = true},
});
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "run_shell_command", kShellArguments},
    {"read", "read_file", kReadArguments},
    {"write", "write_file", kSameArguments},
    {"edit", "edit", kSameArguments},
    {"glob", "glob", kSameArguments},
    {"grep", "grep_search", kSameArguments},
    {"fetch", "web_fetch", kSameArguments},
    {"search", "web_search", kSameArguments},
    {"task", "agent", kSameArguments},
    {"task", "task", kSameArguments},
    {"todo", "todo_write", kSameArguments},
});
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "absolute_path", "path"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"run_shell_command"});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".qwen/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".qwen/settings.json"},
});
constexpr auto kSequentialGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"sequential", GroupKey::Sequential},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"http", HandlerType::Http, std::chrono::seconds{600}, std::chrono::seconds{1}},
    {"prompt", HandlerType::Prompt},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
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

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Warn},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Warn},
});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"QWEN_PROJECT_DIR", Field::ProjectDir, true},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"GEMINI_PROJECT_DIR", Field::ProjectDir, true},
});

}  // namespace

const Dialect kQwenDialect{
    .name = "qwen",
    .verified = "0.15.10",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kTools,
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .group_keys = kSequentialGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1},
    .default_timeout = std::chrono::milliseconds{60000},
    .sequential_spreads = true,
    .dedupe = true,
    .exits = kExits,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .shell = kShell,
    .variables = kVariables,
};

}  // namespace grapnel
