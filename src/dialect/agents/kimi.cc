#include "dialect/agents/kimi_tables.h"

/// Kimi CLI: `[[hooks]]` tables in the user's config.toml, one regular expression over what an event is about, every
/// hook at once. It knows two answers, to block and to say nothing, and listens to a block at three moments only.
namespace grapnel {

namespace {

constexpr auto kKimiCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook_event_name"},
    {Field::SessionId, "session_id"},
    {Field::Cwd, "cwd"},
});
constexpr auto kKimiPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kKimiPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_output"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kKimiToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::Error, "error"},
    {Field::ToolUseId, "tool_call_id"},
});
constexpr auto kKimiPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kKimiStopIn = std::to_array<FieldRow>({{Field::StopHookActive, "stop_hook_active"}});
constexpr auto kKimiSessionStartIn = std::to_array<FieldRow>({{Field::Source, "source"}});
constexpr auto kKimiSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
// What it calls the name of an agent is its type.
constexpr auto kKimiSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_name"},
    {Field::TaskDescription, "prompt"},
});
constexpr auto kKimiSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentType, "agent_name"},
    {Field::ResultSummary, "response"},
});
constexpr auto kKimiPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "token_count"},
});
constexpr auto kKimiPostCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensAfter, "estimated_token_count"},
});
constexpr auto kKimiNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Title, "title"},
    {Field::Message, "body"},
});
constexpr auto kKimiToolInputAlways = std::to_array<ConstantRow>({{"/tool_input", "{}"}});
constexpr auto kKimiStopAlways = std::to_array<ConstantRow>({{"/stop_hook_active", "false"}});
constexpr auto kKimiNotificationAlways = std::to_array<ConstantRow>({{"/sink", "\"llm\""}, {"/severity", "\"info\""}});

// Only a denial in the one place is documented. Others are understood: who blocks in the words of a sibling agent, or
// wants a person to be asked, does not agree.
constexpr auto kKimiWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Pass, true},
    {"ask", Verdict::Ask, true},
    {"block", Verdict::Deny, true},
});
constexpr auto kKimiOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/decision", Effect::LooseVerdict, "", true},
    {"/reason", Effect::Reason, "", true},
});

constexpr std::chrono::milliseconds kKimiSessionEndTimeout{5000};

constexpr auto kKimiEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .inputs = kKimiPreToolIn,
     .constants = kKimiToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kKimiOut,
     .words = kKimiWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .inputs = kKimiPostToolIn,
     .constants = kKimiToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .inputs = kKimiToolFailureIn,
     .constants = kKimiToolInputAlways,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .inputs = kKimiPromptIn,
     .match_on = Field::Prompt,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kKimiOut,
     .words = kKimiWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .inputs = kKimiStopIn,
     .constants = kKimiStopAlways,
     .matches_empty = true,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kKimiOut,
     .words = kKimiWords,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .inputs = kKimiSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .inputs = kKimiSessionEndIn,
     .default_timeout = kKimiSessionEndTimeout,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .inputs = kKimiSubagentStartIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .inputs = kKimiSubagentStopIn,
     .match_on = Field::AgentType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .inputs = kKimiPreCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .inputs = kKimiPostCompactIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .inputs = kKimiNotificationIn,
     .constants = kKimiNotificationAlways,
     .match_on = Field::NotificationType,
     .match_syntax = MatchSyntax::StrictRegex,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kKimiEvents));
constexpr auto kKimiUnsupported = std::to_array<std::string_view>({"StopFailure"});
static_assert(kKimiEvents.size() + kKimiUnsupported.size() == 13);

constexpr auto kKimiValues = std::to_array<ValueRow>({
    {Field::Source, "startup", "startup"},
    {Field::Source, "resume", "resume"},
    {Field::Source, "*", "startup"},
    {Field::EndReason, "exit", "exit"},
    {Field::EndReason, "*", "exit"},
    {Field::Trigger, "manual", "manual"},
    {Field::Trigger, "manual", "manual-with-prompt"},
});

constexpr auto kKimiPlaces = std::to_array<Place>({
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".kimi/config.toml",
     .dir_override = "KIMI_SHARE_DIR",
     .format = PlaceFormat::Toml},
});
constexpr auto kKimiHookKeys = std::to_array<HookKeyRow>({
    {"event", HookKey::Event},
    {"matcher", HookKey::Matcher},
    {"command", HookKey::Command},
    {"timeout", HookKey::Timeout},
});

constexpr auto kKimiExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
constexpr auto kKimiShell = std::to_array<std::string_view>({"sh", "-c"});

}  // namespace

const Dialect kKimiDialect{
    .name = "kimi",
    .events = kKimiEvents,
    .common_inputs = kKimiCommon,
    .values = kKimiValues,
    .tools = kimi::kTools,
    .mcp = {.prefix = "", .separator = ""},
    .input_keys = kimi::kInputKeys,
    .places = kKimiPlaces,
    .entries_alone = true,
    .hook_keys = kKimiHookKeys,
    .unsupported_events = kKimiUnsupported,
    .timeout_unit = std::chrono::milliseconds{1000},
    .default_timeout = std::chrono::milliseconds{30000},
    .max_timeout = std::chrono::milliseconds{600000},
    .dedupe = true,
    .exits = kKimiExits,
    .json_on_success_only = true,
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "Blocked by hook",
    .shell = kKimiShell,
    .stdin_style = JsonStyle::Spaced,
};

}  // namespace grapnel
