#include "dialect/blade_tables.h"

/// Blade Agent SDK: `.blade/settings.json` or a session's `hooks` object, seconds, a minimal environment.
///
/// Inside `hookSpecificOutput` a Stop hook's `continue: true` keeps the agent working and a SubagentStop hook's
/// `continue: false` does; at the top level `continue: false` always stops everything.
namespace grapnel {

namespace {

using namespace blade;

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
     .outputs = kObservedOut,
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
     .outputs = kObservedOut,
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
    {Field::EndReason, "error", "error"},
    {Field::EndReason, "max_turns", "max_turns"},
    {Field::EndReason, "idle_timeout", "idle_timeout"},
    {Field::EndReason, "clear", "clear"},
    {Field::EndReason, "logout", "logout"},
    {Field::EndReason, "*", "other"},
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
    {"/hooks/httpPolicy/allowedHosts", Setting::HttpHosts},
    {"/hooks/httpPolicy/allowLoopback", Setting::HttpLoopback},
    {"/hooks/httpPolicy/allowPrivateRanges", Setting::HttpPrivate},
    {"/hooks/httpPolicy/allowHttp", Setting::HttpPlain},
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
    {"http", HandlerType::Http, std::chrono::seconds{10}},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"url", HookKey::Url},
    {"headers", HookKey::Headers},
    {"allowedEnvVars", HookKey::AllowedEnv},
    {"retries", HookKey::Retries},
    {"maxResponseBytes", HookKey::MaxReply},
    {"allowInsecureTLS", HookKey::Ignored},
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
    .message_explains = true,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Hook blocked execution",
    .http = {.takes_text = true,
             .refusal_denies = true,
             .needs_tls = true,
             .keeps_unknown_variables = true,
             .max_reply = 262144},
    .shell = kShell,
    .working_dir = Field::ProjectDir,
    .inherited = kInherited,
    .variables = kVariables,
};

}  // namespace grapnel
