#include <array>

#include "dialect/kimi_tools.h"

/// Agent Hooks: directories with a HOOK.md, milliseconds, one chain by priority, exit codes 0 and 2, spaced JSON.
///
/// Events have the names of the first edition and, as aliases, those of today; a hook sees the one it was written with.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "event_type"},
    {Field::Timestamp, "timestamp"},
    {Field::SessionId, "session_id"},
    {Field::Cwd, "work_dir"},
});
constexpr auto kAlways = std::to_array<ConstantRow>({{"/context", "{}"}});

constexpr auto kSessionStartIn = std::to_array<FieldRow>({
    {Field::Model, "model"},
    {Field::LaunchArguments, "args"},
});
constexpr auto kSessionStartAlways = std::to_array<ConstantRow>({{"/args", "{}"}});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({
    {Field::DurationSeconds, "duration_seconds"},
    {Field::StepCount, "total_steps"},
    {Field::EndReason, "exit_reason"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kTurnEndIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StepCount, "step_count"},
    {Field::FinalResponse, "/final_message/content"},
});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopReason, "stop_reason"},
    {Field::StepCount, "step_count"},
    {Field::FinalResponse, "/final_message/content"},
    {Field::StopHookActive, "stop_hook_active"},
    {Field::BlockCount, "block_count"},
});
constexpr auto kFinalMessage = std::to_array<ConstantRow>({
    {"/final_message/role", "\"assistant\""},
    {"/final_message", "null"},
});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "tool_output"},
    {Field::DurationMs, "duration_ms"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolUseId, "tool_use_id"},
    {Field::ToolOutput, "tool_output"},
    {Field::Error, "error"},
    {Field::DurationMs, "duration_ms"},
});
constexpr auto kSubagentStartIn = std::to_array<FieldRow>({
    {Field::AgentName, "subagent_name"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task_description"},
});
constexpr auto kSubagentStopIn = std::to_array<FieldRow>({
    {Field::AgentName, "subagent_name"},
    {Field::AgentType, "subagent_type"},
    {Field::TaskDescription, "task_description"},
    {Field::ResultSummary, "response"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kPreCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensBefore, "token_count"},
});
constexpr auto kPostCompactIn = std::to_array<FieldRow>({
    {Field::Trigger, "trigger"},
    {Field::TokensAfter, "estimated_token_count"},
});

// "allow" is no objection: it never stands in for a person's consent.
constexpr auto kToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Pass},
});
// Where nobody can be asked, who wants to be asked does not want it to happen.
constexpr auto kWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Deny},
    {"allow", Verdict::Pass},
});

constexpr auto kOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/additional_context", Effect::Context},
    {"/log", Effect::Log},
});
constexpr auto kPreToolOut = std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/modified_input", Effect::InputReplace},
    {"/additional_context", Effect::Context},
    {"/log", Effect::Log},
});

using Names = std::string_view;
constexpr auto kPreSession = std::to_array<Names>({"pre-session"});
constexpr auto kPostSession = std::to_array<Names>({"post-session"});
constexpr auto kPreAgentTurn = std::to_array<Names>({"pre-agent-turn"});
constexpr auto kPostAgentTurn = std::to_array<Names>({"post-agent-turn", "post-agent-turn-stop"});
constexpr auto kPreStop = std::to_array<Names>({"pre-agent-turn-stop"});
constexpr auto kPreToolCall = std::to_array<Names>({"pre-tool-call"});
constexpr auto kPostToolCall = std::to_array<Names>({"post-tool-call"});
constexpr auto kPostToolCallFailure = std::to_array<Names>({"post-tool-call-failure"});
constexpr auto kPreSubagent = std::to_array<Names>({"pre-subagent"});
constexpr auto kPostSubagent = std::to_array<Names>({"post-subagent"});
constexpr auto kPreContextCompact = std::to_array<Names>({"pre-context-compact"});

constexpr VerdictMask kDenied = mask(Verdict::Deny);

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "session_start",
     .aliases = kPreSession,
     .inputs = kSessionStartIn,
     .constants = kSessionStartAlways,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::SessionEnd,
     .wire_name = "session_end",
     .aliases = kPostSession,
     .inputs = kSessionEndIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "before_agent",
     .aliases = kPreAgentTurn,
     .inputs = kPromptIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::TurnEnd,
     .wire_name = "after_agent",
     .aliases = kPostAgentTurn,
     .inputs = kTurnEndIn,
     .constants = kFinalMessage,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::Stop,
     .wire_name = "before_stop",
     .aliases = kPreStop,
     .inputs = kStopIn,
     .constants = kFinalMessage,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::PreToolUse,
     .wire_name = "before_tool",
     .aliases = kPreToolCall,
     .inputs = kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kPreToolOut,
     .words = kToolWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::PostToolUse,
     .wire_name = "after_tool",
     .aliases = kPostToolCall,
     .inputs = kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "after_tool_failure",
     .aliases = kPostToolCallFailure,
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::StrictRegex,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::SubagentStart,
     .wire_name = "subagent_start",
     .aliases = kPreSubagent,
     .inputs = kSubagentStartIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::SubagentStop,
     .wire_name = "subagent_stop",
     .aliases = kPostSubagent,
     .inputs = kSubagentStopIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::PreCompact,
     .wire_name = "pre_compact",
     .aliases = kPreContextCompact,
     .inputs = kPreCompactIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
    {.kind = EventKind::PostCompact,
     .wire_name = "post-context-compact",
     .inputs = kPostCompactIn,
     .outputs = kOut,
     .words = kWords,
     .text = TextMeaning::Log,
     .ends_chain = kDenied},
});
static_assert(well_formed(kEvents));

constexpr auto kValues = std::to_array<ValueRow>({
    {Field::StopReason, "end_turn", "no_tool_calls"},
    {Field::StopReason, "max_turns", "max_steps"},
    {Field::EndReason, "exit", "user_exit"},
});

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "agents/hooks", .format = PlaceFormat::HookDirectories},
    {.scope = Scope::Project,
     .base = PlaceBase::Project,
     .path = ".agents/hooks",
     .format = PlaceFormat::HookDirectories},
});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
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
constexpr auto kFailureWords = std::to_array<FailureWordRow>({
    {"block", OnFailure::Closed},
    {"ask", OnFailure::Ask},
    {"allow", OnFailure::Open},
});
constexpr auto kMatcherMembers = std::to_array<MatcherMember>({
    {.key = "tool", .subject = Field::ToolName, .syntax = MatchSyntax::StrictRegex},
    {.key = "pattern", .subject = Field::ToolInput, .syntax = MatchSyntax::StrictRegex, .whole_too = true},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"AGENT_SESSION_ID", Field::SessionId},
    {"AGENT_WORK_DIR", Field::Cwd},
    {"KIMI_SESSION_ID", Field::SessionId},
    {"KIMI_WORK_DIR", Field::Cwd},
    {"KIMI_PROJECT_DIR", Field::ProjectDir},
});

}  // namespace

const Dialect kAgentHooksDialect{
    .name = "agenthooks",
    .events = kEvents,
    .common_inputs = kCommon,
    .constants = kAlways,
    .values = kValues,
    .tools = kimi::kTools,
    .input_keys = kimi::kInputKeys,
    .places = kPlaces,
    .hook_keys = kHookKeys,
    .failure_words = kFailureWords,
    .aliases_are_current = true,
    .matcher_members = kMatcherMembers,
    .default_timeout = std::chrono::milliseconds{30000},
    .min_timeout = std::chrono::milliseconds{100},
    .max_timeout = std::chrono::milliseconds{600000},
    .exits = kExits,
    .json_on_success_only = true,
    .default_reason = "A hook blocked this and gave no reason",
    .shell = kShell,
    .variables = kVariables,
    .stdin_style = JsonStyle::Spaced,
    .stdin_newline = true,
};

}  // namespace grapnel
