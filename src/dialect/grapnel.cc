#include <array>

#include "dialect/canonical_tables.h"
#include "dialect/universal.h"

/// Hooks of rule files (`grapnel.yaml`): canonical words, and exit codes that let any program be a gate.
namespace grapnel {

namespace {

constexpr auto kOut = std::to_array<OutputRow>({
    {"/verdict", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/context", Effect::Context},
    {"/message", Effect::Message},
    {"/stop", Effect::StopIfTrue},
    {"/stop_reason", Effect::StopReason},
});
constexpr auto kToolOut = joined(std::to_array<OutputRow>({
                                     {"/rewrite/input", Effect::InputReplace},
                                     {"/rewrite/input_patch", Effect::InputMerge},
                                 }),
                                 kOut);
constexpr auto kToolOutputOut = joined(std::to_array<OutputRow>({{"/rewrite/output", Effect::Output}}), kOut);
constexpr auto kPromptOut = joined(std::to_array<OutputRow>({{"/rewrite/prompt", Effect::Prompt}}), kOut);
constexpr auto kNotificationOut =
    joined(std::to_array<OutputRow>({{"/rewrite/notification", Effect::Notification}}), kOut);
constexpr auto kRequestOut = joined(std::to_array<OutputRow>({{"/rewrite/model_request", Effect::ModelRequest}}), kOut);
constexpr auto kResponseOut =
    joined(std::to_array<OutputRow>({{"/rewrite/model_response", Effect::ModelResponse}}), kOut);
constexpr auto kChoiceOut = joined(std::to_array<OutputRow>({{"/tool_choice", Effect::ToolChoice}}), kOut);
constexpr auto kSessionOut = joined(std::to_array<OutputRow>({{"/env", Effect::Env}}), kOut);

constexpr auto kToolWords = std::to_array<WordRow>({
    {"pass", Verdict::Pass},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask},
    {"deny", Verdict::Deny},
});
constexpr auto kWords = std::to_array<WordRow>({
    {"pass", Verdict::Pass},
    {"allow", Verdict::Pass, true},
    {"deny", Verdict::Deny},
});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});
/// Any program may guard a gate: `make test` exits with what it likes. What no shell could start did not run.
constexpr auto kGateExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 125, ExitMeaning::DenyTail},
    {126, 127, ExitMeaning::Failure},
    {128, 255, ExitMeaning::DenyTail},
});

constexpr VerdictMask kDenied = mask(Verdict::Deny);

constexpr EventRow plain(EventKind kind, std::string_view name) {
  return {.kind = kind, .wire_name = name, .outputs = kOut, .words = kWords, .ends_chain = kDenied};
}
constexpr EventRow gate(EventKind kind, std::string_view name) {
  EventRow row = plain(kind, name);
  row.exits = kGateExits;
  return row;
}
constexpr EventRow observed(EventKind kind, std::string_view name) {
  EventRow row = plain(kind, name);
  row.can_deny = false;
  return row;
}
constexpr EventRow with(EventRow row, std::span<const OutputRow> outputs) {
  row.outputs = outputs;
  return row;
}
constexpr EventRow of_tool(EventRow row) {
  row.match_on = Field::ToolName;
  return row;
}
constexpr EventRow asked(EventRow row) {
  row.words = kToolWords;
  return of_tool(row);
}

constexpr auto kEvents = std::to_array<EventRow>({
    with(plain(EventKind::SessionStart, "SessionStart"), kSessionOut),
    observed(EventKind::SessionEnd, "SessionEnd"),
    with(plain(EventKind::UserPromptSubmit, "UserPromptSubmit"), kPromptOut),
    with(plain(EventKind::BeforeModel, "BeforeModel"), kRequestOut),
    with(observed(EventKind::BeforeToolSelection, "BeforeToolSelection"), kChoiceOut),
    with(plain(EventKind::AfterModel, "AfterModel"), kResponseOut),
    asked(with(plain(EventKind::PreToolUse, "PreToolUse"), kToolOut)),
    asked(with(plain(EventKind::PermissionRequest, "PermissionRequest"), kToolOut)),
    of_tool(with(plain(EventKind::PostToolUse, "PostToolUse"), kToolOutputOut)),
    of_tool(with(plain(EventKind::PostToolUseFailure, "PostToolUseFailure"), kToolOutputOut)),
    gate(EventKind::Stop, "Stop"),
    plain(EventKind::TurnEnd, "TurnEnd"),
    plain(EventKind::SubagentStart, "SubagentStart"),
    gate(EventKind::SubagentStop, "SubagentStop"),
    gate(EventKind::TaskCompleted, "TaskCompleted"),
    with(plain(EventKind::Notification, "Notification"), kNotificationOut),
    gate(EventKind::PreCompact, "PreCompact"),
    observed(EventKind::PostCompact, "PostCompact"),
});
static_assert(well_formed(kEvents) && kEvents.size() == kEventKindCount);

constexpr auto kPlaces = std::to_array<Place>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/grapnel/grapnel.yaml",
     .format = PlaceFormat::Rules},
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "agents/grapnel.yaml", .format = PlaceFormat::Rules},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".agents/grapnel.yaml", .format = PlaceFormat::Rules},
});
constexpr auto kFailureWords = std::to_array<FailureWordRow>({
    {"open", OnFailure::Open},
    {"ask", OnFailure::Ask},
    {"closed", OnFailure::Closed},
});
constexpr auto kShell = std::to_array<std::string_view>({"sh", "-c"});
/// `{path}` in a rule's command stands for `$GRAPNEL_PATH`, and so on. What may be larger than a variable can be (a
/// prompt, a command line) is on standard input only.
constexpr auto kVariables = std::to_array<VariableRow>({
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
    .events = kEvents,
    .common_inputs = canonical::kInputs,
    .tools = canonical::kTools,
    .input_keys = canonical::kInputKeys,
    .places = kPlaces,
    .failure_words = kFailureWords,
    .exits = kExits,
    .tool_choice = {"mode", "names", "auto", "any", "none"},
    .default_reason = "A rule blocked this and gave no reason",
    .shell = kShell,
    .working_dir = Field::ProjectDir,
    .variables = kVariables,
    .stdin_newline = true,
};

}  // namespace grapnel
