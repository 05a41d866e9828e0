#include <array>

#include "dialect/agents/canonical_tables.h"
#include "dialect/canonical_inputs.h"
#include "dialect/output_tables.h"

/// Hooks of rule files (`grapnel.yaml`): canonical words, and exit codes that let any program be a gate.
namespace grapnel {

namespace {

constexpr auto kGrapnelOut = std::to_array<OutputRow>({
    {"/verdict", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/context", Effect::Context},
    {"/message", Effect::Message},
    {"/stop", Effect::StopIfTrue},
    {"/stop_reason", Effect::StopReason},
});
constexpr auto kGrapnelToolOut = joined(std::to_array<OutputRow>({
                                            {"/rewrite/input", Effect::InputReplace},
                                            {"/rewrite/input_patch", Effect::InputMerge},
                                        }),
                                        kGrapnelOut);
constexpr auto kGrapnelToolOutputOut =
    joined(std::to_array<OutputRow>({{"/rewrite/output", Effect::Output}}), kGrapnelOut);
constexpr auto kGrapnelPromptOut = joined(std::to_array<OutputRow>({{"/rewrite/prompt", Effect::Prompt}}), kGrapnelOut);
constexpr auto kGrapnelNotificationOut =
    joined(std::to_array<OutputRow>({{"/rewrite/notification", Effect::Notification}}), kGrapnelOut);
constexpr auto kGrapnelRequestOut =
    joined(std::to_array<OutputRow>({{"/rewrite/model_request", Effect::ModelRequest}}), kGrapnelOut);
constexpr auto kGrapnelResponseOut =
    joined(std::to_array<OutputRow>({{"/rewrite/model_response", Effect::ModelResponse}}), kGrapnelOut);
constexpr auto kGrapnelChoiceOut =
    joined(std::to_array<OutputRow>({{"/tool_choice", Effect::ToolChoice}}), kGrapnelOut);
constexpr auto kGrapnelSessionOut = joined(std::to_array<OutputRow>({{"/env", Effect::Env}}), kGrapnelOut);

constexpr auto kGrapnelToolWords = std::to_array<WordRow>({
    {"pass", Verdict::Pass},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask},
    {"deny", Verdict::Deny},
});
constexpr auto kGrapnelWords = std::to_array<WordRow>({
    {"pass", Verdict::Pass},
    {"allow", Verdict::Pass, true},
    {"deny", Verdict::Deny},
});

constexpr auto kGrapnelExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
/// Any program may guard a gate: `make test` exits with what it likes. What no shell could start did not run.
constexpr auto kGrapnelGateExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 125, ExitMeaning::DenyTail},
    {126, 127, ExitMeaning::Failure},
    {128, 255, ExitMeaning::DenyTail},
});

constexpr VerdictMask kGrapnelDenied = mask(Verdict::Deny);

constexpr auto kGrapnelEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .outputs = kGrapnelSessionOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .can_deny = false,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .outputs = kGrapnelPromptOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::BeforeModel,
     .wire_name = "BeforeModel",
     .outputs = kGrapnelRequestOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::BeforeToolSelection,
     .wire_name = "BeforeToolSelection",
     .outputs = kGrapnelChoiceOut,
     .words = kGrapnelWords,
     .can_deny = false,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::AfterModel,
     .wire_name = "AfterModel",
     .outputs = kGrapnelResponseOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .match_on = Field::ToolName,
     .outputs = kGrapnelToolOut,
     .words = kGrapnelToolWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .match_on = Field::ToolName,
     .outputs = kGrapnelToolOut,
     .words = kGrapnelToolWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .match_on = Field::ToolName,
     .outputs = kGrapnelToolOutputOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .match_on = Field::ToolName,
     .outputs = kGrapnelToolOutputOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .exits = kGrapnelGateExits,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::TurnEnd,
     .wire_name = "TurnEnd",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .exits = kGrapnelGateExits,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .exits = kGrapnelGateExits,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .outputs = kGrapnelNotificationOut,
     .words = kGrapnelWords,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .exits = kGrapnelGateExits,
     .ends_chain = kGrapnelDenied},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .outputs = kGrapnelOut,
     .words = kGrapnelWords,
     .can_deny = false,
     .ends_chain = kGrapnelDenied},
});
static_assert(well_formed(kGrapnelEvents) && kGrapnelEvents.size() == kEventKindCount);

constexpr auto kGrapnelPlaces = std::to_array<Place>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/grapnel/grapnel.yaml",
     .format = PlaceFormat::Rules},
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "agents/grapnel.yaml", .format = PlaceFormat::Rules},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".agents/grapnel.yaml", .format = PlaceFormat::Rules},
});
constexpr auto kGrapnelFailureWords = std::to_array<FailureWordRow>({
    {"open", OnFailure::Open},
    {"ask", OnFailure::Ask},
    {"closed", OnFailure::Closed},
});
constexpr auto kGrapnelShell = std::to_array<std::string_view>({"sh", "-c"});
/// `{path}` in a rule's command stands for `$GRAPNEL_PATH`, and so on. What may be larger than a variable can be (a
/// prompt, a command line) is on standard input only.
constexpr auto kGrapnelVariables = std::to_array<VariableRow>({
    {"GRAPNEL_EVENT", Field::EventName, true},
    {"GRAPNEL_PATH", Field::ToolPath, true},
    {"GRAPNEL_TOOL", Field::ToolName, true},
    {"GRAPNEL_SESSION", Field::SessionId, true},
    {"GRAPNEL_CWD", Field::Cwd, true},
    {"GRAPNEL_PROJECT", Field::ProjectDir, true},
});

}  // namespace

const Dialect kGrapnelDialect{
    .name = "grapnel",
    .events = kGrapnelEvents,
    .common_inputs = kCanonicalInputs,
    .tools = canonical::kTools,
    .input_keys = canonical::kInputKeys,
    .places = kGrapnelPlaces,
    .failure_words = kGrapnelFailureWords,
    .exits = kGrapnelExits,
    .tool_choice = {"mode", "names", "auto", "any", "none"},
    .default_reason = "A rule blocked this and gave no reason",
    .shell = kGrapnelShell,
    .working_dir = Field::ProjectDir,
    .variables = kGrapnelVariables,
    .stdin_newline = true,
};

}  // namespace grapnel
