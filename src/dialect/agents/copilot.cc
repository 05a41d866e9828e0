#include "dialect/agents/copilot_tables.h"

/// GitHub Copilot's own dialect: events and members in camel case, answers without an object around them, hooks that
/// run one after another. Its payloads do not name their event, so the caller has to. Prompts can be watched, but
/// neither changed nor blocked.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kCopilotCommon = std::to_array<FieldRow>({
    {Field::SessionId, "sessionId"},
    {Field::Timestamp, "timestamp"},
    {Field::Cwd, "cwd"},
    {Field::TranscriptPath, "transcriptPath"},
});
constexpr auto kCopilotSessionStartIn = std::to_array<FieldRow>({
    {Field::Source, "source"},
    {Field::Prompt, "initialPrompt"},
});
constexpr auto kCopilotSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kCopilotPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kCopilotPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
});
constexpr auto kCopilotPermissionIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolInput"},
});
constexpr auto kCopilotPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
    {Field::ToolOutput, "/toolResult/textResultForLlm"},
});
constexpr auto kCopilotToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "toolName"},
    {Field::ToolInput, "toolArgs"},
    {Field::ToolUseId, "toolCallId"},
    {Field::Error, "error"},
});
constexpr auto kCopilotStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stopReason"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kCopilotSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agentName"},
    {Field::TaskDescription, "agentDescription"},
});
constexpr auto kCopilotSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "agentId"},
    {Field::AgentType, "agentType"},
    {Field::AgentName, "agentName"},
    {Field::ResultSummary, "response"},
    {Field::StopReason, "stopReason"},
});
constexpr auto kCopilotPreCompactIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});
constexpr auto kCopilotNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::Title, "title"},
    {Field::NotificationType, "notification_type"},
});

/// Copilot sends arguments as an object or as the JSON text of an object. Hooks always get the object. At permission
/// requests the member may have either of two names.
constexpr auto kCopilotParsedArgs = std::to_array<CompletionRow>({{.to = "/toolArgs", .parses = true}});
constexpr auto kCopilotParsedInput = std::to_array<CompletionRow>({
    {.to = "/toolInput", .from = "/toolArgs"},
    {.to = "/toolInput", .parses = true},
});

constexpr auto kCopilotPreToolOut = std::to_array<OutputRow>({
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/modifiedArgs", Effect::InputReplace},
});
constexpr auto kCopilotContextOut = std::to_array<OutputRow>({copilot::kTopContext});
/// Copilot only accepts a text as the new result, so other values are written as their JSON text.
constexpr auto kCopilotPostToolOut = std::to_array<OutputRow>({
    {.pointer = "/modifiedResult/textResultForLlm", .effect = Effect::Output, .as_text = true},
    copilot::kTopContext,
});
constexpr auto kCopilotStopOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
});

/// Only the start of a tool, a permission request and the two gates can be blocked.
constexpr auto kCopilotEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "sessionStart",
     .payload = {.inputs = kCopilotSessionStartIn},
     .answer = {.outputs = kCopilotContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "sessionEnd",
     .payload = {.inputs = kCopilotSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "userPromptSubmitted",
     .payload = {.inputs = kCopilotPromptIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "preToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotPreToolIn, .completions = kCopilotParsedArgs},
     .exit = {.codes = copilot::kPreToolExits},
     .answer = {.outputs = kCopilotPreToolOut, .words = copilot::kPreToolWords}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "permissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotPermissionIn, .completions = kCopilotParsedInput},
     .exit = {.codes = copilot::kPermissionExits},
     .answer = {.outputs = copilot::kPermissionOut, .words = copilot::kPermissionWords},
     .verdicts = {.asks_anyway = true}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "postToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotPostToolIn, .completions = kCopilotParsedArgs},
     .answer = {.outputs = kCopilotPostToolOut, .constants = copilot::kResultConstants},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "postToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotToolFailureIn, .completions = kCopilotParsedArgs},
     .answer = {.outputs = kCopilotContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "agentStop",
     .payload = {.inputs = kCopilotStopIn},
     .answer = {.outputs = kCopilotStopOut, .words = copilot::kStopWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotSubagentStartIn},
     .answer = {.outputs = kCopilotContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagentStop",
     .payload = {.inputs = kCopilotSubagentStopIn},
     .answer = {.outputs = kCopilotStopOut, .words = copilot::kStopWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "preCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotPreCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Notification,
     .wire_name = "notification",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::NamesOrRegex},
     .payload = {.inputs = kCopilotNotificationIn},
     .answer = {.outputs = kCopilotContextOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kCopilotEvents));
constexpr auto kCopilotOtherEvents =
    std::to_array<std::string_view>({"userPromptTransformed", "errorOccurred", "preMcpToolCall"});

/// The first row of each kind is the name that calls of other agents are translated to.
constexpr auto kCopilotTools = std::to_array<ToolRow>({
    {"shell", "bash", copilot::kSameArguments},
    {"shell", "powershell", copilot::kSameArguments},
    {"read", "view", copilot::kReadArguments},
    {"write", "create", copilot::kWriteArguments},
    {"edit", "edit", copilot::kEditArguments},
    {"edit", "str_replace_editor", copilot::kEditArguments},
    {"edit", "apply_patch", copilot::kSameArguments},
    {"glob", "glob", copilot::kSameArguments},
    {"grep", "grep", copilot::kSameArguments},
    {"grep", "rg", copilot::kSameArguments},
    {"fetch", "web_fetch", copilot::kSameArguments},
    {"search", "web_search", copilot::kSameArguments},
    {"task", "task", copilot::kSameArguments},
    {"todo", "update_todo", copilot::kSameArguments},
});
constexpr auto kCopilotCommandTools = std::to_array<std::string_view>({"bash", "powershell"});

constexpr std::string_view kCopilotHome = "COPILOT_HOME";
constexpr auto kCopilotPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/github-copilot/policy.d",
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".copilot/hooks",
     .dir_override = kCopilotHome,
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".copilot/settings.json", .dir_override = kCopilotHome},
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
    .files = {.places = kCopilotPlaces,
              .settings = copilot::kSettings,
              .constants = copilot::kFileConstants,
              .sibling = &kCopilotVscodeDialect,
              .runs_itself = copilot::kRunsItself},
    .entries = {.per_event = true,
                .type_optional = true,
                .group_keys = copilot::kGroupKeys,
                .hook_keys = copilot::kHookKeys,
                .handler_types = copilot::kHandlerTypes,
                .other_events = kCopilotOtherEvents},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{30000}},
    .events = kCopilotEvents,
    .payload = {.common_inputs = kCopilotCommon, .values = copilot::kValues},
    .tools = {.rows = kCopilotTools,
              .mcp = {.prefix = "", .separator = "-", .splits_last = true},
              .input_keys = {.path_keys = copilot::kPathKeys,
                             .command_keys = copilot::kCommandKeys,
                             .command_tools = kCopilotCommandTools}},
    .process = {.shell = copilot::kShell},
    .exit = {.codes = copilot::kExits},
    .answer = {.max_text = 10240,
               .context_separator = "\n\n",
               .default_reason = "Blocked by hook",
               .own_error = copilot::kOwnError},
    .http = {.needs_tls = true},
};

}  // namespace grapnel
