#include <array>

#include "dialect/dialect.h"

/// ClawdCode. Its hooks are in `.clawdcode/settings.json`; timeouts are in seconds, matchers are objects, and the exit
/// codes 0, 1, 2 and 124 have a meaning. Answers are inside `hookSpecificOutput`, if that exists.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kClawdCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::ExecutionId, "hook_execution_id"},
    {Field::Timestamp, "timestamp"},
    {Field::ProjectDir, "project_dir"},
    {Field::SessionId, "session_id"},
});
constexpr auto kClawdPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::PermissionMode, "permission_mode"},
});
constexpr auto kClawdPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
});
constexpr auto kClawdToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
});
constexpr auto kClawdPermissionIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kClawdPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt_content"}});
constexpr auto kClawdStopIn = std::to_array<FieldRow>({{Field::StopReason, "stop_reason"}});
constexpr auto kClawdSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::StopReason, "stop_reason"},
});
constexpr auto kClawdNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::NotificationType, "level"},
});
constexpr auto kClawdCompactionIn = std::to_array<FieldRow>({
    {Field::TokensBefore, "pre_tokens"},
    {Field::MessagesBefore, "message_count"},
});

constexpr auto kClawdPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
});
// A hook that answers "ask" leaves the decision to the person, who is about to be asked anyway, and a later hook may
// still decide. So "ask" is read as a Pass, by the first row; the second row exists for writing an Ask.
constexpr auto kClawdPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Pass},
    {"ask", Verdict::Ask},
    {"approve", Verdict::Allow},
    {"allow", Verdict::Allow},
});

constexpr auto kClawdPreToolOut = std::to_array<OutputRow>({
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/updatedInput", Effect::InputMerge},
});
constexpr auto kClawdPostToolOut = std::to_array<OutputRow>({
    {"/additionalContext", Effect::Context},
    {"/updatedOutput", Effect::Output},
});
constexpr auto kClawdPermissionOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
});
constexpr auto kClawdPromptOut = std::to_array<OutputRow>({{"/additionalContext", Effect::Context}});
constexpr auto kClawdStopOut = std::to_array<OutputRow>({
    {"/continue", Effect::DenyIfTrue},
    {"/reason", Effect::Reason},
});
constexpr auto kClawdCompactionOut = std::to_array<OutputRow>({
    {"/prevent", Effect::DenyIfTrue},
    {"/reason", Effect::Reason},
});

/// What ClawdCode's model reads when a Stop hook answers `continue: true`.
constexpr std::string_view kClawdContinuation = "[System] Hook requested continuation. Please continue.";

/// At permission requests the first hook that allows or denies decides, and later hooks do not run.
constexpr VerdictMask kClawdDecided = mask(Verdict::Allow) | mask(Verdict::Deny);

/// Hooks before a tool, at permission requests and at gates run one after another, until one decides. All others run at
/// once. The hooks around a tool run once for each `tool_use_id`.
constexpr auto kClawdEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .running = {.strategy = Strategy::Sequential, .ends_chain = mask(Verdict::Deny), .once_per_call = true},
     .payload = {.inputs = kClawdPreToolIn},
     .answer = {.outputs = kClawdPreToolOut, .words = kClawdPreToolWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .running = {.strategy = Strategy::Parallel, .once_per_call = true},
     .payload = {.inputs = kClawdPostToolIn},
     .exit = {.text = TextMeaning::Context, .text_on_any_exit = true},
     .answer = {.outputs = kClawdPostToolOut}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClawdToolFailureIn}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::NamesOrRegex},
     .running = {.strategy = Strategy::Sequential, .ends_chain = kClawdDecided},
     .payload = {.inputs = kClawdPermissionIn},
     .answer = {.outputs = kClawdPermissionOut, .words = kClawdPermissionWords}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClawdPromptIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = kClawdPromptOut}},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .running = {.strategy = Strategy::Parallel},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .running = {.strategy = Strategy::Parallel},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .running = {.strategy = Strategy::Sequential, .ends_chain = mask(Verdict::Deny)},
     .payload = {.inputs = kClawdStopIn},
     .answer = {.outputs = kClawdStopOut, .continuation = kClawdContinuation}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .running = {.strategy = Strategy::Sequential, .ends_chain = mask(Verdict::Deny)},
     .payload = {.inputs = kClawdSubagentStopIn},
     .answer = {.outputs = kClawdStopOut, .continuation = kClawdContinuation}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClawdNotificationIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreCompact,
     .wire_name = "Compaction",
     .running = {.strategy = Strategy::Sequential, .ends_chain = mask(Verdict::Deny)},
     .payload = {.inputs = kClawdCompactionIn},
     .answer = {.outputs = kClawdCompactionOut}},
});
static_assert(well_formed(kClawdEvents));

constexpr auto kClawdValues = std::to_array<ValueRow>({
    {Field::PermissionMode, "auto-edit", "autoEdit"},
    {Field::NotificationType, "warning", "warning"},
    {Field::NotificationType, "error", "error"},
    {Field::NotificationType, "*", "info"},
});

constexpr auto kClawdSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kClawdTools = std::to_array<ToolRow>({
    {"shell", "Bash", kClawdSameArguments},
    {"read", "Read", kClawdSameArguments},
    {"write", "Write", kClawdSameArguments},
    {"edit", "Edit", kClawdSameArguments},
    {"glob", "Glob", kClawdSameArguments},
    {"grep", "Grep", kClawdSameArguments},
});
constexpr auto kClawdPathKeys = std::to_array<std::string_view>({"file_path", "path", "filePath", "file", "target"});
constexpr auto kClawdCommandKeys = std::to_array<std::string_view>({"command", "cmd", "script"});
constexpr auto kClawdCommandTools = std::to_array<std::string_view>({"Bash", "Shell"});

/// Among the user's files, and among those of the project, a later file replaces the list that an earlier one has for
/// an event (`ReplacePerEvent`).
constexpr auto kClawdPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".clawdcode/config.json"},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".clawdcode/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".clawdcode/config.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".clawdcode/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".clawdcode/settings.local.json"},
});
constexpr auto kClawdSettings = std::to_array<SettingRow>({
    {"/hooks/enabled", Setting::Enabled},
    {"/hooks/defaultTimeout", Setting::DefaultTimeout},
    {"/hooks/timeoutBehavior", Setting::TimeoutBehavior},
    {"/hooks/failureBehavior", Setting::FailureBehavior},
    {"/hooks/maxConcurrentHooks", Setting::MaxConcurrent},
});
constexpr auto kClawdFailureWords = std::to_array<FailureWordRow>({
    {"ignore", OnFailure::Open},
    {"deny", OnFailure::Closed},
    {"ask", OnFailure::Ask},
});
constexpr auto kClawdGroupKeys = std::to_array<GroupKeyRow>({
    {"name", GroupKey::Name},
    {"matcher", GroupKey::Matcher},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kClawdHandlerTypes = std::to_array<HandlerTypeRow>({{"command", HandlerType::Command}});
constexpr auto kClawdHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
});
constexpr auto kClawdMatcherMembers = std::to_array<MatcherMember>({
    {"tools", Field::ToolName, MatchSyntax::NamesOrRegex},
    {"paths", Field::ToolPath, MatchSyntax::GlobMatchBase},
    {"commands", Field::ToolCommand, MatchSyntax::NamesOrRegex},
});

/// 124 is the exit code of timeout(1): the hook reports that it ran out of time.
constexpr auto kClawdExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 123, .meaning = ExitMeaning::Failure},
    {.from = 124, .to = 124, .meaning = ExitMeaning::Timeout},
    {.from = 125, .to = 255, .meaning = ExitMeaning::Failure},
});
constexpr auto kClawdRoots = std::to_array<std::string_view>({"/hookSpecificOutput"});
constexpr auto kClawdShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kClawdVariables = std::to_array<VariableRow>({
    {"HOOK_EVENT", Field::EventName},
    {"SESSION_ID", Field::SessionId},
    {"PROJECT_DIR", Field::ProjectDir},
});
/// How the agent names its project.
constexpr auto kClawdProjectVariables = std::to_array<std::string_view>({"PROJECT_DIR"});
constexpr auto kClawdProjectMembers = std::to_array<std::string_view>({"/project_dir"});

}  // namespace

const Dialect kClawdDialect{
    .name = "clawd",
    .files = {.places = kClawdPlaces, .layering = Layering::ReplacePerEvent, .settings = kClawdSettings},
    .entries = {.group_keys = kClawdGroupKeys,
                .hook_keys = kClawdHookKeys,
                .handler_types = kClawdHandlerTypes,
                .matcher_members = kClawdMatcherMembers},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{60000}},
    .running = {.default_concurrency = 5},
    .events = kClawdEvents,
    .payload = {.common_inputs = kClawdCommon, .values = kClawdValues},
    .project = {.variables = kClawdProjectVariables, .members = kClawdProjectMembers},
    .tools = {.rows = kClawdTools,
              .input_keys = {.path_keys = kClawdPathKeys,
                             .command_keys = kClawdCommandKeys,
                             .command_tools = kClawdCommandTools}},
    .process = {.shell = kClawdShell, .working_dir = Field::ProjectDir, .variables = kClawdVariables},
    .exit = {.codes = kClawdExits},
    .answer = {.output_roots = kClawdRoots,
               .context_separator = "\n\n",
               .event_name_at = "/hookSpecificOutput/hookEventName",
               .default_reason = "Hook blocked execution"},
    .failure = {.words = kClawdFailureWords},
};

}  // namespace grapnel
