#include <array>

#include "dialect/dialect.h"

/// ClawdCode: `.clawdcode/settings.json`, seconds, object matchers, exit codes 0, 1, 2 and 124.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::ExecutionId, "hook_execution_id"},
    {Field::Timestamp, "timestamp"},
    {Field::ProjectDir, "project_dir"},
    {Field::SessionId, "session_id"},
});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::PermissionMode, "permission_mode"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
});
constexpr auto kPermissionIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt_content"}});
constexpr auto kStopIn = std::to_array<FieldRow>({{Field::StopReason, "stop_reason"}});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentId, "subagent_id"},
    {Field::StopReason, "stop_reason"},
});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::Message, "message"},
    {Field::NotificationType, "level"},
});
constexpr auto kCompactionIn = std::to_array<FieldRow>({
    {Field::TokensBefore, "pre_tokens"},
    {Field::MessagesBefore, "message_count"},
});

constexpr auto kPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
});
// A hook that answers "ask" leaves the decision to the person, who is about to be asked anyway; a later hook may still
// decide. The second row is for writing.
constexpr auto kPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Pass},
    {"ask", Verdict::Ask},
    {"approve", Verdict::Allow},
    {"allow", Verdict::Allow},
});

constexpr auto kPreToolOut = std::to_array<OutputRow>({
    {"/permissionDecision", Effect::Verdict},
    {"/permissionDecisionReason", Effect::Reason},
    {"/updatedInput", Effect::InputMerge},
});
constexpr auto kPostToolOut = std::to_array<OutputRow>({
    {"/additionalContext", Effect::Context},
    {"/updatedOutput", Effect::Output},
});
constexpr auto kPermissionOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
});
constexpr auto kPromptOut = std::to_array<OutputRow>({{"/additionalContext", Effect::Context}});
constexpr auto kStopOut = std::to_array<OutputRow>({
    {"/continue", Effect::DenyIfTrue},
    {"/reason", Effect::Reason},
});
constexpr auto kCompactionOut = std::to_array<OutputRow>({
    {"/prevent", Effect::DenyIfTrue},
    {"/reason", Effect::Reason},
});

constexpr VerdictMask kDecided = mask(Verdict::Allow) | mask(Verdict::Deny);

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPreToolOut,
     .words = kPreToolWords,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPostToolOut,
     .text = TextMeaning::Context,
     .text_on_any_exit = true,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .inputs = kPermissionIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::NamesOrRegex,
     .outputs = kPermissionOut,
     .words = kPermissionWords,
     .strategy = Strategy::Sequential,
     .ends_chain = kDecided},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .outputs = kPromptOut,
     .text = TextMeaning::Context,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart, .wire_name = "SessionStart", .can_deny = false, .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd, .wire_name = "SessionEnd", .can_deny = false, .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kStopIn,
     .outputs = kStopOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kSubagentStopIn,
     .outputs = kStopOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "Compaction",
     .inputs = kCompactionIn,
     .outputs = kCompactionOut,
     .strategy = Strategy::Sequential,
     .ends_chain = mask(Verdict::Deny)},
});
static_assert(well_formed(kEvents));

constexpr auto kValues = std::to_array<ValueRow>({
    {Field::PermissionMode, "auto-edit", "autoEdit"},
    {Field::NotificationType, "warning", "warning"},
    {Field::NotificationType, "error", "error"},
    {Field::NotificationType, "*", "info"},
});

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Bash", kSameArguments},
    {"read", "Read", kSameArguments},
    {"write", "Write", kSameArguments},
    {"edit", "Edit", kSameArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
});
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "filePath", "file", "target"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command", "cmd", "script"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"Bash", "Shell"});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".clawdcode/config.json"},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".clawdcode/settings.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".clawdcode/config.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".clawdcode/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".clawdcode/settings.local.json"},
});
constexpr auto kSettings = std::to_array<SettingRow>({
    {"/hooks/enabled", Setting::Enabled},
    {"/hooks/defaultTimeout", Setting::DefaultTimeout},
    {"/hooks/timeoutBehavior", Setting::TimeoutBehavior},
    {"/hooks/failureBehavior", Setting::FailureBehavior},
    {"/hooks/maxConcurrentHooks", Setting::MaxConcurrent},
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
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({{"command", HandlerType::Command}});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
});
constexpr auto kMatcherMembers = std::to_array<MatcherMember>({
    {"tools", Field::ToolName, MatchSyntax::NamesOrRegex},
    {"paths", Field::ToolPath, MatchSyntax::GlobMatchBase},
    {"commands", Field::ToolCommand, MatchSyntax::NamesOrRegex},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 123, ExitMeaning::Failure},
    {124, 124, ExitMeaning::Timeout},
    {125, 255, ExitMeaning::Failure},
});
constexpr auto kRoots = std::to_array<std::string_view>({"/hookSpecificOutput"});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"HOOK_EVENT", Field::EventName},
    {"SESSION_ID", Field::SessionId},
    {"PROJECT_DIR", Field::ProjectDir},
});

}  // namespace

const Dialect kClawdDialect{
    .name = "clawd",
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
    .matcher_members = kMatcherMembers,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{60000},
    .default_concurrency = 5,
    .exits = kExits,
    .context_separator = "\n\n",
    .output_roots = kRoots,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Hook blocked execution",
    .shell = kShell,
    .working_dir = Field::ProjectDir,
    .variables = kVariables,
};

}  // namespace grapnel
