#include <array>

#include "dialect/dialect.h"

/// ClawdCode: `.clawdcode/settings.json`, seconds, object matchers, exit codes 0, 1, 2 and 124.
namespace grapnel {

namespace {

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
// A hook that answers "ask" leaves the decision to the person, who is about to be asked anyway; a later hook may still
// decide. The second row is for writing.
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

constexpr VerdictMask kClawdDecided = mask(Verdict::Allow) | mask(Verdict::Deny);

constexpr auto kClawdEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kClawdPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kClawdPreToolOut,
     .words = kClawdPreToolWords,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kClawdPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kClawdPostToolOut,
     .text = TextMeaning::Context,
     .text_on_any_exit = true,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kClawdToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = kClawdPermissionIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kClawdPermissionOut,
     .words = kClawdPermissionWords,
     .strategy = Strategy::Sequential,
     .ends_chain = kClawdDecided},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kClawdPromptIn,
     .outputs = kClawdPromptOut,
     .text = TextMeaning::Context,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart, .wire_name = "SessionStart", .can_deny = false, .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd, .wire_name = "SessionEnd", .can_deny = false, .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kClawdStopIn,
     .outputs = kClawdStopOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kClawdSubagentStopIn,
     .outputs = kClawdStopOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kClawdNotificationIn,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "Compaction",
     .inputs = kClawdCompactionIn,
     .outputs = kClawdCompactionOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
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

constexpr auto kClawdPlaces = std::to_array<Place>({
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

constexpr auto kClawdExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 123, ExitMeaning::Failure},
    {124, 124, ExitMeaning::Timeout},
    {125, 255, ExitMeaning::Failure},
});
constexpr auto kClawdRoots = std::to_array<std::string_view>({"/hookSpecificOutput"});
constexpr auto kClawdShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kClawdVariables = std::to_array<VariableRow>({
    {"HOOK_EVENT", Field::EventName},
    {"SESSION_ID", Field::SessionId},
    {"PROJECT_DIR", Field::ProjectDir},
});

}  // namespace

const Dialect kClawdDialect{
    .name = "clawd",
    .events = kClawdEvents,
    .common_inputs = kClawdCommon,
    .values = kClawdValues,
    .tools = kClawdTools,
    .input_keys = {.path_keys = kClawdPathKeys, .command_keys = kClawdCommandKeys, .command_tools = kClawdCommandTools},
    .places = kClawdPlaces,
    .layering = Layering::ReplacePerEvent,
    .settings = kClawdSettings,
    .group_keys = kClawdGroupKeys,
    .hook_keys = kClawdHookKeys,
    .handler_types = kClawdHandlerTypes,
    .failure_words = kClawdFailureWords,
    .matcher_members = kClawdMatcherMembers,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{60000},
    .default_concurrency = 5,
    .exits = kClawdExits,
    .context_separator = "\n\n",
    .output_roots = kClawdRoots,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Hook blocked execution",
    .shell = kClawdShell,
    .working_dir = Field::ProjectDir,
    .variables = kClawdVariables,
};

}  // namespace grapnel
