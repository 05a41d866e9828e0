#include <array>

#include "dialect/agents/kimi_tables.h"

/// Agent Hooks. A hook is a directory with a HOOK.md and a script; timeouts are in milliseconds, hooks run one after
/// another by priority, exit code 2 blocks, and payloads have a space after colons and commas.
///
/// Events have the names of the first edition of the document, and those of today as aliases. A hook sees the name that
/// it was written with.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds. The rows
/// of constants are members that hooks always find.
constexpr auto kAgentHooksCommon = std::to_array<FieldRow>({
    {Field::EventName, "event_type"},
    {Field::Timestamp, "timestamp"},
    {Field::SessionId, "session_id"},
    {Field::Cwd, "work_dir"},
});
constexpr auto kAgentHooksAlways = std::to_array<ConstantRow>({{"/context", "{}"}});

constexpr auto kAgentHooksSessionStartIn = std::to_array<FieldRow>({
    {Field::Model, "model"},
    {Field::LaunchArguments, "args"},
});
constexpr auto kAgentHooksSessionStartAlways = std::to_array<ConstantRow>({{"/args", "{}"}});
constexpr auto kAgentHooksSessionEndIn = std::to_array<FieldRow>({
    {Field::DurationSeconds, "duration_seconds"},
    {Field::StepCount, "total_steps"},
    {Field::EndReason, "exit_reason"},
});
constexpr auto kAgentHooksPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kAgentHooksTurnEndIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StepCount, "step_count"},
    {Field::FinalResponse, "/final_message/content"},
});
constexpr auto kAgentHooksStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StepCount, "step_count"},
    {Field::FinalResponse, "/final_message/content"},
    {Field::StopHookActive, "stop_hook_active"},
    {Field::BlockCount, "block_count"},
});
constexpr auto kAgentHooksFinalMessage = std::to_array<ConstantRow>({
    {"/final_message/role", "\"assistant\""},
    {"/final_message", "null"},
});
constexpr auto kAgentHooksPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
});
constexpr auto kAgentHooksPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "tool_output"},
    {Field::DurationMs, "duration_ms"},
});
constexpr auto kAgentHooksToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "tool_output"},
    {Field::Error, "error"},
    {Field::DurationMs, "duration_ms"},
});
constexpr auto kAgentHooksSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentName, "subagent_name"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task_description"},
});
constexpr auto kAgentHooksSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentName, "subagent_name"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::ResultSummary, "response"},
    {Field::Success, "success"},
    {Field::Error, "error"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kAgentHooksPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "token_count"},
});
constexpr auto kAgentHooksPostCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensAfter, "estimated_token_count"},
});

/// "allow" means "no objection": it never replaces the consent of a person.
constexpr auto kAgentHooksToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Pass},
});
/// At these events nobody can be asked. A hook that wants a person to be asked does not agree, so "ask" is a Deny.
constexpr auto kAgentHooksWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Deny},
    {"allow", Verdict::Pass},
});

constexpr auto kAgentHooksOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/additional_context", Effect::Context},
    {"/log", Effect::Log},
});
constexpr auto kAgentHooksPreToolOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/modified_input", Effect::InputReplace},
    {"/additional_context", Effect::Context},
    {"/log", Effect::Log},
});

/// The names of today. Converted hooks are written with the first of them (`aliases_are_current`).
constexpr auto kAgentHooksPreSession = std::to_array<std::string_view>({"pre-session"});
constexpr auto kAgentHooksPostSession = std::to_array<std::string_view>({"post-session"});
constexpr auto kAgentHooksPreAgentTurn = std::to_array<std::string_view>({"pre-agent-turn"});
constexpr auto kAgentHooksPostAgentTurn = std::to_array<std::string_view>({"post-agent-turn", "post-agent-turn-stop"});
constexpr auto kAgentHooksPreStop = std::to_array<std::string_view>({"pre-agent-turn-stop"});
constexpr auto kAgentHooksPreToolCall = std::to_array<std::string_view>({"pre-tool-call"});
constexpr auto kAgentHooksPostToolCall = std::to_array<std::string_view>({"post-tool-call"});
constexpr auto kAgentHooksPostToolCallFailure = std::to_array<std::string_view>({"post-tool-call-failure"});
constexpr auto kAgentHooksPreSubagent = std::to_array<std::string_view>({"pre-subagent"});
constexpr auto kAgentHooksPostSubagent = std::to_array<std::string_view>({"post-subagent"});
constexpr auto kAgentHooksPreContextCompact = std::to_array<std::string_view>({"pre-context-compact"});

constexpr VerdictMask kAgentHooksDenied = mask(Verdict::Deny);

/// At all events plain text on standard output is only logged, and the first Deny ends the chain.
constexpr auto kAgentHooksEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "session_start",
     .aliases = kAgentHooksPreSession,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksSessionStartIn, .constants = kAgentHooksSessionStartAlways},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "session_end",
     .aliases = kAgentHooksPostSession,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksSessionEndIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "before_agent",
     .aliases = kAgentHooksPreAgentTurn,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksPromptIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::TurnEnd,
     .wire_name = "after_agent",
     .aliases = kAgentHooksPostAgentTurn,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksTurnEndIn, .constants = kAgentHooksFinalMessage},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::Stop,
     .wire_name = "before_stop",
     .aliases = kAgentHooksPreStop,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksStopIn, .constants = kAgentHooksFinalMessage},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "before_tool",
     .aliases = kAgentHooksPreToolCall,
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksPreToolIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksPreToolOut, .words = kAgentHooksToolWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "after_tool",
     .aliases = kAgentHooksPostToolCall,
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksPostToolIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "after_tool_failure",
     .aliases = kAgentHooksPostToolCallFailure,
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::StrictRegex},
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksToolFailureIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagent_start",
     .aliases = kAgentHooksPreSubagent,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksSubagentStartIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagent_stop",
     .aliases = kAgentHooksPostSubagent,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksSubagentStopIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "pre_compact",
     .aliases = kAgentHooksPreContextCompact,
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksPreCompactIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
    {.kind = EventKind::PostCompact,
     .wire_name = "post-context-compact",
     .running = {.ends_chain = kAgentHooksDenied},
     .payload = {.inputs = kAgentHooksPostCompactIn},
     .exit = {.text = TextMeaning::Log},
     .answer = {.outputs = kAgentHooksOut, .words = kAgentHooksWords}},
});
static_assert(well_formed(kAgentHooksEvents));

constexpr auto kAgentHooksValues = std::to_array<ValueRow>({
    {Field::StopReason, "end_turn", "no_tool_calls"},
    {Field::StopReason, "max_turns", "max_steps"},
    {Field::EndReason, "exit", "user_exit"},
});

constexpr auto kAgentHooksPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed,
     .base = PlaceBase::State,
     .path = "fleet/policy/now/hooks",
     .format = PlaceFormat::HookDirectories},
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "agents/hooks", .format = PlaceFormat::HookDirectories},
    {.scope = Scope::User,
     .base = PlaceBase::Config,
     .path = "agents/packs/*/hooks",
     .format = PlaceFormat::HookDirectories},
    {.scope = Scope::Project,
     .base = PlaceBase::Project,
     .path = ".agents/hooks",
     .format = PlaceFormat::HookDirectories},
    {.scope = Scope::Project,
     .base = PlaceBase::Project,
     .path = ".agents/packs/*/hooks",
     .format = PlaceFormat::HookDirectories},
});
constexpr auto kAgentHooksHookKeys = std::to_array<HookKeyRow>({
    {"name", HookKey::Name},
    {"description", HookKey::Description},
    {"trigger", HookKey::Event},
    {"matcher", HookKey::Matcher},
    {"timeout", HookKey::Timeout},
    {"async", HookKey::Async},
    {"async_", HookKey::Async},
    {"priority", HookKey::Priority},
    {"metadata", HookKey::Metadata},
    {"/metadata/on_error", HookKey::OnFailure},
});
constexpr auto kAgentHooksFailureWords = std::to_array<FailureWordRow>({
    {"block", OnFailure::Closed},
    {"ask", OnFailure::Ask},
    {"allow", OnFailure::Open},
});
/// `pattern` is compared with each value of the input and with its whole JSON text, as the document's examples expect.
constexpr auto kAgentHooksMatcherMembers = std::to_array<MatcherMember>({
    {.key = "tool", .subject = Field::ToolName, .syntax = MatchSyntax::StrictRegex},
    {.key = "pattern", .subject = Field::ToolInput, .syntax = MatchSyntax::StrictRegex, .whole_too = true},
});

constexpr auto kAgentHooksExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
constexpr auto kAgentHooksShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kAgentHooksVariables = std::to_array<VariableRow>({
    {"AGENT_SESSION_ID", Field::SessionId},
    {"AGENT_WORK_DIR", Field::Cwd},
    {"KIMI_SESSION_ID", Field::SessionId},
    {"KIMI_WORK_DIR", Field::Cwd},
    {"KIMI_PROJECT_DIR", Field::ProjectDir},
});
/// How the agent names its project.
constexpr auto kAgentHooksProjectVariables = std::to_array<std::string_view>({"KIMI_PROJECT_DIR"});

}  // namespace

const Dialect kAgentHooksDialect{
    .name = "agenthooks",
    .files = {.places = kAgentHooksPlaces},
    .entries = {.hook_keys = kAgentHooksHookKeys,
                .matcher_members = kAgentHooksMatcherMembers,
                .aliases_are_current = true},
    .timeouts = {.by_default = std::chrono::milliseconds{30000},
                 .min = std::chrono::milliseconds{100},
                 .max = std::chrono::milliseconds{600000}},
    .events = kAgentHooksEvents,
    .payload = {.common_inputs = kAgentHooksCommon, .constants = kAgentHooksAlways, .values = kAgentHooksValues},
    .project = {.variables = kAgentHooksProjectVariables},
    .tools = {.rows = kimi::kTools, .input_keys = kimi::kInputKeys, .habits = kimi::kHabits},
    .process = {.shell = kAgentHooksShell,
                .variables = kAgentHooksVariables,
                .stdin_style = JsonStyle::Spaced,
                .stdin_newline = true},
    .exit = {.codes = kAgentHooksExits, .json_on_success_only = true},
    .answer = {.default_reason = "A hook blocked this and gave no reason"},
    .failure = {.words = kAgentHooksFailureWords},
};

}  // namespace grapnel
