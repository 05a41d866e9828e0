#include "dialect/agents/blade_tables.h"

/// Blade Agent SDK. Hooks are in `.blade/settings.json` or in the `hooks` object of a session; timeouts are in seconds,
/// and hooks inherit only a few environment variables.
///
/// Inside `hookSpecificOutput`, a Stop hook keeps the agent working with `continue: true`, and a SubagentStop hook with
/// `continue: false`. At the top level of an answer, `continue: false` always stops everything.
namespace grapnel {

namespace {

/// After these verdicts no further sequential hook runs: at permission requests the first hook that allows or denies
/// decides, elsewhere only a Deny ends the chain.
constexpr VerdictMask kBladeDecided = mask(Verdict::Allow) | mask(Verdict::Deny);
constexpr VerdictMask kBladeDenied = mask(Verdict::Deny);

constexpr auto kBladeEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = blade::kSessionStartIn},
     .answer = {.outputs = blade::kSessionStartOut, .words = blade::kBlockWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kPromptIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = blade::kPromptOut, .words = blade::kBlockWords}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kToolIn},
     .answer = {.outputs = blade::kPreToolOut, .words = blade::kPreToolWords}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.ends_chain = kBladeDecided},
     .payload = {.inputs = blade::kToolIn},
     .answer = {.outputs = blade::kPermissionOut, .words = blade::kPermissionWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = blade::kPostToolIn},
     .answer = {.outputs = blade::kPostToolOut, .words = blade::kBlockWords}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = blade::kToolFailureIn},
     .answer = {.outputs = blade::kContextOut, .words = blade::kBlockWords}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = blade::kNotificationIn},
     .answer = {.outputs = blade::kObservedOut, .words = blade::kBlockWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = blade::kSubagentStartIn},
     .answer = {.outputs = blade::kContextOut, .words = blade::kBlockWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kSubagentStopIn},
     .answer = {.outputs = blade::kSubagentStopOut, .words = blade::kBlockWords}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kStopIn},
     .answer = {.outputs = blade::kStopOut, .words = blade::kBlockWords}},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kTaskIn},
     .answer = {.outputs = blade::kTaskOut, .words = blade::kBlockWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "Compaction",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.ends_chain = kBladeDenied},
     .payload = {.inputs = blade::kCompactionIn},
     .answer = {.outputs = blade::kCompactionOut, .words = blade::kBlockWords}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = blade::kSessionEndIn},
     .answer = {.outputs = blade::kObservedOut, .words = blade::kBlockWords},
     .verdicts = {.can_deny = false}},
    // Later versions have these, too, but the documentation does not mention them: nothing is said to the agent.
    {.kind = EventKind::StopFailure, .wire_name = "StopFailure", .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreCompact, .wire_name = "PreCompact", .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostCompact, .wire_name = "PostCompact", .verdicts = {.can_deny = false}},
    {.kind = EventKind::Elicitation, .wire_name = "Elicitation", .verdicts = {.can_deny = false}},
    {.kind = EventKind::ElicitationResult, .wire_name = "ElicitationResult", .verdicts = {.can_deny = false}},
    {.kind = EventKind::ConfigChange, .wire_name = "ConfigChange", .verdicts = {.can_deny = false}},
    {.kind = EventKind::CwdChanged, .wire_name = "CwdChanged", .verdicts = {.can_deny = false}},
    {.kind = EventKind::FileChanged, .wire_name = "FileChanged", .verdicts = {.can_deny = false}},
    {.kind = EventKind::InstructionsLoaded, .wire_name = "InstructionsLoaded", .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kBladeEvents));

/// Of several rows with the same canonical word the first is written; "*" is written for every other word.
constexpr auto kBladeValues = std::to_array<ValueRow>({
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

constexpr auto kBladeSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kBladeTools = std::to_array<ToolRow>({
    {"shell", "Bash", kBladeSameArguments},
    {"read", "Read", kBladeSameArguments},
    {"write", "Write", kBladeSameArguments},
    {"edit", "Edit", kBladeSameArguments},
    {"glob", "Glob", kBladeSameArguments},
    {"grep", "Grep", kBladeSameArguments},
    {"fetch", "WebFetch", kBladeSameArguments},
    {"search", "WebSearch", kBladeSameArguments},
    {"task", "Task", kBladeSameArguments},
    {"todo", "TodoWrite", kBladeSameArguments},
});
constexpr auto kBladePathKeys = std::to_array<std::string_view>({"file_path", "path", "filePath", "source", "target"});
constexpr auto kBladeCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kBladeCommandTools = std::to_array<std::string_view>({"Bash", "BashTool"});

constexpr auto kBladePlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".blade/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".blade/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".blade/settings.local.json"},
});
constexpr auto kBladeSettings = std::to_array<SettingRow>({
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
constexpr auto kBladeFailureWords = std::to_array<FailureWordRow>({
    {"ignore", OnFailure::Open},
    {"deny", OnFailure::Closed},
    {"ask", OnFailure::Ask},
});
constexpr auto kBladeGroupKeys = std::to_array<GroupKeyRow>({
    {"name", GroupKey::Name},
    {"matcher", GroupKey::Matcher},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kBladeHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"prompt", HandlerType::Prompt},
    {"agent", HandlerType::Agent},
    {"http", HandlerType::Http, std::chrono::seconds{10}},
});
constexpr auto kBladeHookKeys = std::to_array<HookKeyRow>({
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
/// A matcher is an object whose members must all match.
constexpr auto kBladeMatcherMembers = std::to_array<MatcherMember>({
    {"tools", Field::ToolName, MatchSyntax::NamesOrSearch, true},
    {"paths", Field::ToolPath, MatchSyntax::Glob},
    {"commands", Field::ToolCommand, MatchSyntax::NamesOrSearch},
});

/// 124 is the exit code of timeout(1): the hook reports that it ran out of time.
constexpr auto kBladeExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 123, .meaning = ExitMeaning::Failure},
    {.from = 124, .to = 124, .meaning = ExitMeaning::Timeout},
    {.from = 125, .to = 255, .meaning = ExitMeaning::Failure},
});
constexpr auto kBladeShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kBladeInherited = std::to_array<std::string_view>({"PATH", "HOME", "USER", "SHELL"});
constexpr auto kBladeVariables = std::to_array<VariableRow>({
    {"BLADE_PROJECT_DIR", Field::ProjectDir},
    {"BLADE_SESSION_ID", Field::SessionId},
    {"BLADE_HOOK_EVENT", Field::EventName},
    {"BLADE_TOOL_NAME", Field::ToolName, false, {}, true},
    {"BLADE_TOOL_USE_ID", Field::ToolUseId, false, {}, true},
});
/// How the agent names its project.
constexpr auto kBladeProjectVariables = std::to_array<std::string_view>({"BLADE_PROJECT_DIR"});
constexpr auto kBladeProjectMembers = std::to_array<std::string_view>({"/project_dir"});

}  // namespace

const Dialect kBladeDialect{
    .name = "blade",
    .files = {.places = kBladePlaces, .layering = Layering::ReplacePerEvent, .settings = kBladeSettings},
    .entries = {.group_keys = kBladeGroupKeys,
                .hook_keys = kBladeHookKeys,
                .handler_types = kBladeHandlerTypes,
                .matcher_members = kBladeMatcherMembers},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{60000}},
    .running = {.default_concurrency = 5},
    .events = kBladeEvents,
    .payload = {.common_inputs = blade::kCommon, .values = kBladeValues},
    .project = {.variables = kBladeProjectVariables, .members = kBladeProjectMembers},
    .tools = {.rows = kBladeTools,
              .input_keys = {.path_keys = kBladePathKeys,
                             .command_keys = kBladeCommandKeys,
                             .command_tools = kBladeCommandTools}},
    .process = {.shell = kBladeShell,
                .working_dir = Field::ProjectDir,
                .inherited = kBladeInherited,
                .variables = kBladeVariables},
    .exit = {.codes = kBladeExits, .stderr_may_answer = true},
    .answer = {.message_explains = true,
               .event_name_at = "/hookSpecificOutput/hookEventName",
               .default_reason = "Hook blocked execution"},
    .failure = {.words = kBladeFailureWords},
    .http = {.takes_text = true,
             .refusal_denies = true,
             .needs_tls = true,
             .keeps_unknown_variables = true,
             .max_reply = 262144},
};

}  // namespace grapnel
