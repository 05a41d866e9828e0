#include "dialect/kimi_tools.h"

/// Kimi CLI: `[[hooks]]` tables in the user's config.toml, one regular expression over what an event is about, every
/// hook at once. It knows two answers, to block and to say nothing, and listens to a block at three moments only.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::Cwd, "cwd"},
});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kStopIn = std::to_array<FieldRow>({{Field::StopHookActive, "stop_hook_active"}});
constexpr auto kSessionStartIn = std::to_array<FieldRow>({{Field::Source, "source"}});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
// What it calls the name of an agent is its type.
constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_name"},
    {Field::TaskDescription, "prompt"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_name"},
    {Field::ResultSummary, "response"},
});
constexpr auto kPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "token_count"},
});
constexpr auto kPostCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensAfter, "estimated_token_count"},
});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Title, "title"},
    {Field::Message, "body"},
});
constexpr auto kToolInputAlways = std::to_array<ConstantRow>({{"/tool_input", "{}"}});
constexpr auto kStopAlways = std::to_array<ConstantRow>({{"/stop_hook_active", "false"}});
constexpr auto kNotificationAlways = std::to_array<ConstantRow>({{"/sink", "\"llm\""}, {"/severity", "\"info\""}});

// Only a denial in the one place is documented. Others are understood: who blocks in the words of a sibling agent, or
// wants a person to be asked, does not agree.
constexpr auto kWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Pass, true},
    {"ask", Verdict::Ask, true},
    {"block", Verdict::Deny, true},
});
constexpr auto kOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/decision", Effect::LooseVerdict, "", true},
    {"/reason", Effect::Reason, "", true},
});

constexpr std::chrono::milliseconds kSessionEndTimeout{5000};

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kPreToolIn,
     .constants = kToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kOut,
     .words = kWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kPostToolIn,
     .constants = kToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kToolFailureIn,
     .constants = kToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kPromptIn,
     .match_on = Field::Prompt,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kOut,
     .words = kWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kStopIn,
     .constants = kStopAlways,
     .matches_empty = true,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kOut,
     .words = kWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = kSessionEndIn,
     .default_timeout = kSessionEndTimeout,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .inputs = kSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .inputs = kPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .inputs = kPostCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kNotificationIn,
     .constants = kNotificationAlways,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kEvents));
constexpr auto kUnsupported = std::to_array<std::string_view>({"StopFailure"});
static_assert(kEvents.size() + kUnsupported.size() == 13);

constexpr auto kValues = std::to_array<ValueRow>({
    {Field::Source, "startup", "startup"},
    {Field::Source, "resume", "resume"},
    {Field::Source, "*", "startup"},
    {Field::EndReason, "exit", "exit"},
    {Field::EndReason, "*", "exit"},
    {Field::Trigger, "manual", "manual"},
    {Field::Trigger, "manual", "manual-with-prompt"},
});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".kimi/config.toml",
     .dir_override = "KIMI_SHARE_DIR",
     .format = PlaceFormat::Toml},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"event", HookKey::Event},
    {"matcher", HookKey::Matcher},
    {"command", HookKey::Command},
    {"timeout", HookKey::Timeout},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});

}  // namespace

const Dialect kKimiDialect{
    .name = "kimi",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kimi::kTools,
    .mcp = {.prefix = "", .separator = ""},
    .input_keys = kimi::kInputKeys,
    .places = kPlaces,
    .entries_alone = true,
    .hook_keys = kHookKeys,
    .unsupported_events = kUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{30000},
    .max_timeout = std::chrono::milliseconds{600000},
    .dedupe = true,
    .exits = kExits,
    .json_on_success_only = true,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .shell = kShell,
    .stdin_style = JsonStyle::Spaced,
};

}  // namespace grapnel
