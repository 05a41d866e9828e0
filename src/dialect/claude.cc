#include "dialect/claude_tables.h"

/// Claude Code: `.claude/settings.json`, seconds, all hooks of an event at once. JSON decides on any exit code but 2,
/// which blocks; without it a code other than 0 and 2 is a failure, and failures let the event pass unless the hook
/// says `onFailure: "block"`.
namespace grapnel {

namespace {

using namespace claude;

constexpr auto kTaskIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::TaskId, "task_id"},
    {Field::TaskDescription, "task_description"},
    {Field::TaskDescription, "task_subject"},
});

constexpr std::chrono::milliseconds kPromptTimeout{30000};
constexpr std::chrono::milliseconds kSessionEndTimeout{1500};

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPreToolOut,
     .words = kPreToolWords,
     .strategy = Strategy::Parallel,
     .objection_stops = true},
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
     .outputs = kPostToolOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel,
     .objection_stops = true},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .default_timeout = kPromptTimeout,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .text = TextMeaning::Context,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kContextOut,
     .text = TextMeaning::Context,
     .can_deny = false,
     .strategy = Strategy::Parallel,
     .env_file = "CLAUDE_ENV_FILE"},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = kSessionEndIn,
     .default_timeout = kSessionEndTimeout,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::ListOrSearch,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kStopIn,
     .outputs = kDecisionAndContextOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel,
     .always_fails_open = true,
     .missing_file_fails = true},
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
     .strategy = Strategy::Parallel,
     .always_fails_open = true,
     .missing_file_fails = true},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .inputs = kTaskIn,
     .outputs = kTaskOut,
     .words = kBlockWords,
     .strategy = Strategy::Parallel,
     .always_fails_open = true,
     .missing_file_fails = true},
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
});
static_assert(well_formed(kEvents));

constexpr auto kUnsupported = std::to_array<std::string_view>({
    "PostToolBatch",  "UserPromptExpansion", "StopFailure",
    "PreModelSwitch", "PostModelSwitch",     "PermissionDenied",
    "Setup",          "TeammateIdle",        "TaskCreated",
    "Elicitation",    "ElicitationResult",   "ConfigChange",
    "WorktreeCreate", "WorktreeRemove",      "InstructionsLoaded",
    "CwdChanged",     "FileChanged",         "DirectoryAdded",
    "MessageDisplay",
});
static_assert(kEvents.size() + kUnsupported.size() == 33);

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kNotebookArguments = std::to_array<ToolArgument>({{"file_path", "notebook_path"}});
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Bash", kSameArguments},
    {"shell", "PowerShell", kSameArguments},
    {"read", "Read", kSameArguments},
    {"write", "Write", kSameArguments},
    {"edit", "Edit", kSameArguments},
    {"edit", "MultiEdit", kSameArguments},
    {"edit", "NotebookEdit", kNotebookArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "WebFetch", kSameArguments},
    {"search", "WebSearch", kSameArguments},
    {"task", "Agent", kSameArguments},
    {"task", "Task", kSameArguments},
    {"todo", "TodoWrite", kSameArguments},
});
constexpr auto kToolAliases = std::to_array<ToolAlias>({{"Task", "Agent"}, {"Agent", "Task"}});
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "notebook_path", "path"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"Bash", "PowerShell"});

constexpr std::string_view kConfigDir = "CLAUDE_CONFIG_DIR";
constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/claude-code/managed-settings.json"},
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/claude-code/managed-settings.d",
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".claude/settings.json", .dir_override = kConfigDir},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".claude/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".claude/settings.local.json"},
});
constexpr auto kSettings = std::to_array<SettingRow>({
    {"/disableAllHooks", Setting::DisableAll},
    {"/allowManagedHooksOnly", Setting::ManagedOnly},
    {"/allowedHttpHookUrls", Setting::HttpUrls},
    {"/httpHookAllowedEnvVars", Setting::HttpVariables},
});
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"http", HandlerType::Http},
    {"mcp_tool", HandlerType::McpTool},
    {"prompt", HandlerType::Prompt, std::chrono::seconds(30)},
    {"agent", HandlerType::Agent, std::chrono::seconds(60)},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"args", HookKey::Args},
    {"if", HookKey::If},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
    {"onFailure", HookKey::OnFailure},
    {"async", HookKey::Async},
    {"asyncRewake", HookKey::Async},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"continueOnBlock", HookKey::GoesOn},
    {"url", HookKey::Url},
    {"tool", HookKey::Target},
    {"once", HookKey::Ignored},
    {"shell", HookKey::Ignored},
    {"rewakeMessage", HookKey::Ignored},
    {"rewakeSummary", HookKey::Ignored},
    {"headers", HookKey::Headers},
    {"allowedEnvVars", HookKey::AllowedEnv},
    {"server", HookKey::Ignored},
    {"input", HookKey::Ignored},
});

constexpr auto kFailureWords = std::to_array<FailureWordRow>({
    {"block", OnFailure::Closed},
    {"continue", OnFailure::Open},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::FailureUnlessJson},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::FailureUnlessJson},
});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"CLAUDE_CODE_SESSION_ID", Field::SessionId},
    {"CLAUDECODE", Field::None, false, "1"},
    {"CLAUDE_CODE_CHILD_SESSION", Field::None, false, "1"},
});

}  // namespace

const Dialect kClaudeDialect{
    .name = "claude",
    .verified = "2.1.197",
    .events = kEvents,
    .common_inputs = kCommonIn,
    .values = kValues,
    .tools = kTools,
    .tool_aliases = kToolAliases,
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .settings = kSettings,
    .group_keys = kGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .failure_words = kFailureWords,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{600000},
    .dedupe_whole = true,
    .exits = kExits,
    .json_on_any_exit = true,
    .braces_are_json = true,
    .max_text = 10000,
    .text_preview = 2000,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .shell = kShell,
    .withheld_prefix = "OTEL_",
    .variables = kVariables,
};

}  // namespace grapnel
