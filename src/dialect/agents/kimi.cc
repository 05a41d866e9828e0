#include "dialect/agents/kimi_tables.h"

/// Kimi CLI. The user's config.toml has one list of hooks, `[[hooks]]`, whose entries name their event. Each entry has
/// one regular expression, which is compared with what the event is about, and all hooks of an event run at once. A
/// hook can only block or say nothing, and Kimi obeys a block at three events: before a tool, at a prompt, and at the
/// end of a turn.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
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
// Kimi's `agent_name` is the type of the agent.
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
/// Members that Kimi always sends. Payloads of other agents may lack them, so they are filled in.
constexpr auto kKimiToolInputAlways = std::to_array<ConstantRow>({{"/tool_input", "{}"}});
constexpr auto kKimiStopAlways = std::to_array<ConstantRow>({{"/stop_hook_active", "false"}});
constexpr auto kKimiNotificationAlways = std::to_array<ConstantRow>({{"/sink", "\"llm\""}, {"/severity", "\"info\""}});

/// Only "deny", in one place, is documented. Other words are understood as well: a hook that blocks in the words of a
/// related agent, or that wants a person to be asked, does not agree with the call.
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

/// The end of a turn has nothing to match on. Kimi compares the matcher with the empty text there (`matches_empty`).
constexpr auto kKimiEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiPreToolIn, .constants = kKimiToolInputAlways},
     .answer = {.outputs = kKimiOut, .words = kKimiWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiPostToolIn, .constants = kKimiToolInputAlways},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiToolFailureIn, .constants = kKimiToolInputAlways},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .matching = {.match_on = Field::Prompt, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiPromptIn},
     .answer = {.outputs = kKimiOut, .words = kKimiWords}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .matching = {.match_syntax = MatchSyntax::StrictRegex, .matches_empty = true},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiStopIn, .constants = kKimiStopAlways},
     .answer = {.outputs = kKimiOut, .words = kKimiWords}},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiSessionStartIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel, .default_timeout = kKimiSessionEndTimeout},
     .payload = {.inputs = kKimiSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiSubagentStartIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiSubagentStopIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiPreCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiPostCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kKimiNotificationIn, .constants = kKimiNotificationAlways},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::StopFailure,
     .wire_name = "StopFailure",
     .running = {.strategy = Strategy::Parallel},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kKimiEvents));
/// All events of Kimi CLI have a row.
static_assert(kKimiEvents.size() == 13);

constexpr auto kKimiValues = std::to_array<ValueRow>({
    {Field::Source, "startup", "startup"},
    {Field::Source, "resume", "resume"},
    {Field::Source, "*", "startup"},
    {Field::EndReason, "exit", "exit"},
    {Field::EndReason, "*", "exit"},
    {Field::Trigger, "manual", "manual"},
    {Field::Trigger, "manual", "manual-with-prompt"},
});

constexpr auto kKimiPlaces = std::to_array<HookFilePlace>({
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
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
constexpr auto kKimiShell = std::to_array<std::string_view>({"sh", "-c"});

}  // namespace

const Dialect kKimiDialect{
    .name = "kimi",
    .files = {.places = kKimiPlaces},
    .entries = {.alone = true, .hook_keys = kKimiHookKeys},
    .timeouts = {.unit = std::chrono::milliseconds{1000},
                 .by_default = std::chrono::milliseconds{30000},
                 .max = std::chrono::milliseconds{600000}},
    .running = {.dedupe = true},
    .events = kKimiEvents,
    .payload = {.common_inputs = kKimiCommon, .values = kKimiValues},
    .tools = {.rows = kimi::kTools,
              .mcp = {.prefix = "", .separator = "", .keeps_dots = true},
              .input_keys = kimi::kInputKeys,
              .habits = kimi::kHabits},
    .process = {.shell = kKimiShell, .stdin_style = JsonStyle::Spaced},
    .exit = {.codes = kKimiExits, .json_on_success_only = true},
    .answer = {.event_name_at = "/hookSpecificOutput/hookEventName", .default_reason = "Blocked by hook"},
};

}  // namespace grapnel
