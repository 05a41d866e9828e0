#include "dialect/copilot_tables.h"

/// GitHub Copilot's own way: events and members in camel case, answers without a wrapper, hooks one after another. Its
/// payloads do not name their event. Prompts can be watched, not changed or blocked.
namespace grapnel {

namespace {

using namespace copilot;

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::SessionId, "sessionId"},
    {Field::Timestamp, "timestamp"},
    {Field::Cwd, "cwd"},
    {Field::TranscriptPath, "transcriptPath"},
});
constexpr auto kSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::Prompt, "initialPrompt"},
});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
});
constexpr auto kPermissionIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolInput"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
    {Field::ToolOutput, "/toolResult/textResultForLlm"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
    {Field::Error, "error"},
});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stopReason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agentName"},
    {Field::TaskDescription, "agentDescription"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "agentId"},
    {Field::AgentType, "agentType"},
    {Field::AgentName, "agentName"},
    {Field::ResultSummary, "response"},
    {Field::StopReason, "stopReason"},
});
constexpr auto kPreCompactIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::Title, "title"},
    {Field::NotificationType, "notification_type"},
});

// Arguments come as an object or as its JSON text.
constexpr auto kParsedArgs = std::to_array<CompletionRow>({{.to = "/toolArgs", .parses = true}});
constexpr auto kParsedInput = std::to_array<CompletionRow>({
    {.to = "/toolInput", .from = "/toolArgs"},
    {.to = "/toolInput", .parses = true},
});

constexpr auto kPreToolOut = std::to_array<OutputRow>({
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/modifiedArgs", Effect::InputReplace},
});
constexpr auto kContextOut = std::to_array<OutputRow>({kTopContext});
constexpr auto kPostToolOut = std::to_array<OutputRow>({
    {.pointer = "/modifiedResult/textResultForLlm", .effect = Effect::Output, .as_text = true},
    kTopContext,
});
constexpr auto kStopOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
});

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "sessionStart",
     .inputs = kSessionStartIn,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::SessionEnd, .wire_name = "sessionEnd", .inputs = kSessionEndIn, .can_deny = false},
    {.kind = EventKind::UserPromptSubmit, .wire_name = "userPromptSubmitted", .inputs = kPromptIn, .can_deny = false},
    {.kind = EventKind::PreToolUse,
     .wire_name = "preToolUse",
     .inputs = kPreToolIn,
     .completions = kParsedArgs,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPreToolOut,
     .words = kPreToolWords,
     .exits = kPreToolExits},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "permissionRequest",
     .inputs = kPermissionIn,
     .completions = kParsedInput,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPermissionOut,
     .words = kPermissionWords,
     .exits = kPermissionExits,
     .asks_anyway = true},
    {.kind = EventKind::PostToolUse,
     .wire_name = "postToolUse",
     .inputs = kPostToolIn,
     .completions = kParsedArgs,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPostToolOut,
     .answer_constants = kResultConstants,
     .can_deny = false},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "postToolUseFailure",
     .inputs = kToolFailureIn,
     .completions = kParsedArgs,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::Stop, .wire_name = "agentStop", .inputs = kStopIn, .outputs = kStopOut, .words = kStopWords},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagentStart",
     .inputs = kSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kContextOut,
     .can_deny = false},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagentStop",
     .inputs = kSubagentStopIn,
     .outputs = kStopOut,
     .words = kStopWords},
    {.kind = EventKind::PreCompact,
     .wire_name = "preCompact",
     .inputs = kPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .can_deny = false},
    {.kind = EventKind::Notification,
     .wire_name = "notification",
     .inputs = kNotificationIn,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kContextOut,
     .can_deny = false},
});
static_assert(well_formed(kEvents));
constexpr auto kUnsupported =
    std::to_array<std::string_view>({"userPromptTransformed", "errorOccurred", "preMcpToolCall"});

constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "bash", kSameArguments},
    {"shell", "powershell", kSameArguments},
    {"read", "view", kReadArguments},
    {"write", "create", kWriteArguments},
    {"edit", "edit", kEditArguments},
    {"edit", "str_replace_editor", kEditArguments},
    {"edit", "apply_patch", kSameArguments},
    {"glob", "glob", kSameArguments},
    {"grep", "grep", kSameArguments},
    {"grep", "rg", kSameArguments},
    {"fetch", "web_fetch", kSameArguments},
    {"search", "web_search", kSameArguments},
    {"task", "task", kSameArguments},
    {"todo", "update_todo", kSameArguments},
});
constexpr auto kCommandTools = std::to_array<std::string_view>({"bash", "powershell"});

constexpr std::string_view kHome = "COPILOT_HOME";
constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/github-copilot/policy.d",
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".copilot/hooks",
     .dir_override = kHome,
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".copilot/settings.json", .dir_override = kHome},
    {.scope = Scope::Project,
     .base = PlaceBase::Project,
     .path = ".github/hooks",
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".github/copilot/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".github/copilot/settings.local.json"},
});

}  // namespace

const Dialect kCopilotDialect{
    .name = "copilot",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kTools,
    .mcp = {.prefix = "", .separator = "-", .splits_last = true},
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .entries_per_event = true,
    .type_optional = true,
    .sibling = &kCopilotVscodeDialect,
    .runs_itself = kRunsItself,
    .file_constants = kFileConstants,
    .settings = kSettings,
    .group_keys = kGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{30000},
    .exits = kExits,
    .max_text = 10240,
    .context_separator = "\n\n",
    .default_reason = "Blocked by hook",
    .own_error = kOwnError,
    .http = {.needs_tls = true},
    .shell = kShell,
};

}  // namespace grapnel
