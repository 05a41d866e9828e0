#include <array>

#include "dialect/agents/canonical_tables.h"
#include "dialect/canonical_inputs.h"
#include "dialect/output_tables.h"

/// Hooks of rule files (`grapnel.yaml`): canonical names of events, fields and tools, one short JSON answer, and exit
/// codes that let any program guard a gate.
namespace grapnel {

namespace {

/// The members of an answer at every event, followed by tables that add what hooks can change at one of them.
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

/// Only before a tool and at permission requests can a hook allow or ask. Elsewhere "allow" means "no objection".
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
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
/// Any program may guard a gate: `make test` exits with whatever code it likes, so every code but 0 keeps the gate
/// closed. 126 and 127 mean that the shell could not start the program, which is a failure.
constexpr auto kGrapnelGateExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 125, .meaning = ExitMeaning::DenyTail},
    {.from = 126, .to = 127, .meaning = ExitMeaning::Failure},
    {.from = 128, .to = 255, .meaning = ExitMeaning::DenyTail},
});

constexpr VerdictMask kGrapnelDenied = mask(Verdict::Deny);

/// There is a row for every kind of event, so rules can listen to events that only some agents have.
constexpr auto kGrapnelEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelSessionOut, .words = kGrapnelWords}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelPromptOut, .words = kGrapnelWords}},
    {.kind = EventKind::BeforeModel,
     .wire_name = "BeforeModel",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelRequestOut, .words = kGrapnelWords}},
    {.kind = EventKind::BeforeToolSelection,
     .wire_name = "BeforeToolSelection",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelChoiceOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::AfterModel,
     .wire_name = "AfterModel",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelResponseOut, .words = kGrapnelWords}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .matching = {.match_on = Field::ToolName},
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelToolOut, .words = kGrapnelToolWords}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName},
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelToolOut, .words = kGrapnelToolWords}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .matching = {.match_on = Field::ToolName},
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelToolOutputOut, .words = kGrapnelWords}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName},
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelToolOutputOut, .words = kGrapnelWords}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .running = {.ends_chain = kGrapnelDenied},
     .exit = {.codes = kGrapnelGateExits},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::TurnEnd,
     .wire_name = "TurnEnd",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .running = {.ends_chain = kGrapnelDenied},
     .exit = {.codes = kGrapnelGateExits},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .running = {.ends_chain = kGrapnelDenied},
     .exit = {.codes = kGrapnelGateExits},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelNotificationOut, .words = kGrapnelWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .running = {.ends_chain = kGrapnelDenied},
     .exit = {.codes = kGrapnelGateExits},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolBatch,
     .wire_name = "PostToolBatch",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::UserPromptExpansion,
     .wire_name = "UserPromptExpansion",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::PermissionDenied,
     .wire_name = "PermissionDenied",
     .matching = {.match_on = Field::ToolName},
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::StopFailure,
     .wire_name = "StopFailure",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Interrupt,
     .wire_name = "Interrupt",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::TaskCreated,
     .wire_name = "TaskCreated",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::TeammateIdle,
     .wire_name = "TeammateIdle",
     .running = {.ends_chain = kGrapnelDenied},
     .exit = {.codes = kGrapnelGateExits},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::Setup,
     .wire_name = "Setup",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::InstructionsLoaded,
     .wire_name = "InstructionsLoaded",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::ConfigChange,
     .wire_name = "ConfigChange",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::CwdChanged,
     .wire_name = "CwdChanged",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::DirectoryAdded,
     .wire_name = "DirectoryAdded",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::FileChanged,
     .wire_name = "FileChanged",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::WorktreeCreate,
     .wire_name = "WorktreeCreate",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::WorktreeRemove,
     .wire_name = "WorktreeRemove",
     .running = {.ends_chain = kGrapnelDenied},
     .payload = {.inputs = canonical::kPathIn},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Elicitation,
     .wire_name = "Elicitation",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::ElicitationResult,
     .wire_name = "ElicitationResult",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::PreModelSwitch,
     .wire_name = "PreModelSwitch",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords}},
    {.kind = EventKind::PostModelSwitch,
     .wire_name = "PostModelSwitch",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::MessageDisplay,
     .wire_name = "MessageDisplay",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
    // An event without a kind of its own; its hooks see what the agent calls it.
    {.kind = EventKind::Other,
     .wire_name = "Other",
     .running = {.ends_chain = kGrapnelDenied},
     .answer = {.outputs = kGrapnelOut, .words = kGrapnelWords},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kGrapnelEvents) && kGrapnelEvents.size() == kEventKindCount);

constexpr auto kGrapnelPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/grapnel/grapnel.yaml",
     .format = PlaceFormat::Rules},
    {.scope = Scope::Managed,
     .base = PlaceBase::State,
     .path = "fleet/policy/now/grapnel.yaml",
     .format = PlaceFormat::Rules},
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "agents/grapnel.yaml", .format = PlaceFormat::Rules},
    {.scope = Scope::User,
     .base = PlaceBase::Config,
     .path = "agents/packs/*/grapnel.yaml",
     .format = PlaceFormat::Rules},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".agents/grapnel.yaml", .format = PlaceFormat::Rules},
    {.scope = Scope::Project,
     .base = PlaceBase::Project,
     .path = ".agents/packs/*/grapnel.yaml",
     .format = PlaceFormat::Rules},
});
constexpr auto kGrapnelFailureWords = std::to_array<FailureWordRow>({
    {"open", OnFailure::Open},
    {"ask", OnFailure::Ask},
    {"closed", OnFailure::Closed},
});
constexpr auto kGrapnelShell = std::to_array<std::string_view>({"sh", "-c"});
/// `{path}` in the command of a rule stands for `$GRAPNEL_PATH`, and so on. Values that may be too long for a variable,
/// such as a prompt or a command line, are only on standard input.
constexpr auto kGrapnelVariables = std::to_array<VariableRow>({
    {"GRAPNEL_EVENT", Field::EventName, true},
    {"GRAPNEL_PATH", Field::ToolPath, true, {}, true},
    {"GRAPNEL_TOOL", Field::ToolName, true, {}, true},
    {"GRAPNEL_SESSION", Field::SessionId, true},
    {"GRAPNEL_CWD", Field::Cwd, true},
    {"GRAPNEL_PROJECT", Field::ProjectDir, true},
});

}  // namespace

const Dialect kGrapnelDialect{
    .name = "grapnel",
    .files = {.places = kGrapnelPlaces},
    .events = kGrapnelEvents,
    .payload = {.common_inputs = kCanonicalInputs},
    .tools = {.rows = canonical::kTools, .input_keys = canonical::kInputKeys},
    .process = {.shell = kGrapnelShell,
                .working_dir = Field::ProjectDir,
                .variables = kGrapnelVariables,
                .stdin_newline = true},
    .exit = {.codes = kGrapnelExits},
    .answer = {.tool_choice = {"mode", "names", "auto", "any", "none"},
               .default_reason = "A rule blocked this and gave no reason"},
    .failure = {.words = kGrapnelFailureWords},
};

}  // namespace grapnel
