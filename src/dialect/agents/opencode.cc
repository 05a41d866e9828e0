#include <array>

#include "dialect/dialect.h"

/// OpenCode runs plug-ins in its own process and has no command hooks. So this dialect describes what Grapnel's own
/// plug-in (src/bridge) sends at each point where OpenCode calls it, and what it does with the answer: to deny, it
/// throws an error; to change something, it changes the object that it was given; to keep a gate closed, it sends the
/// session another prompt.
namespace grapnel {

namespace {

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kOpencodeCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook"},
    {Field::SessionId, "sessionID"},
    {Field::Cwd, "directory"},
    {Field::ProjectDir, "worktree"},
    {Field::AgentType, "agent"},
    {Field::ParentAgentId, "parentID"},
});
constexpr auto kOpencodePreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool"},
    {Field::ToolInput, "args"},
    {Field::ToolUseId, "callID"},
});
constexpr auto kOpencodePostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool"},
    {Field::ToolInput, "args"},
    {Field::ToolUseId, "callID"},
    {Field::ToolOutput, "/result/output"},
    {Field::Title, "/result/title"},
});
constexpr auto kOpencodePromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kOpencodeStopIn = std::to_array<FieldRow>({
    {Field::StopHookActive, "stop_hook_active"},
    {Field::FinalResponse, "response"},
});

/// The plug-in reads flat answers with these members. Change it together with these rows.
constexpr OutputRow kOpencodeDeny{"/deny", Effect::DenyIfTrue};
constexpr OutputRow kOpencodeReason{"/reason", Effect::Reason};
constexpr OutputRow kOpencodeContext{"/context", Effect::Context};
constexpr OutputRow kOpencodeStop{"/stop", Effect::StopIfTrue};
constexpr OutputRow kOpencodeStopReason{"/stopReason", Effect::StopReason};
constexpr OutputRow kOpencodeMessage{"/message", Effect::Message};
constexpr auto kOpencodePreToolOut = std::to_array<OutputRow>({
    kOpencodeDeny,
    kOpencodeReason,
    {"/args", Effect::InputReplace},
    kOpencodeStop,
    kOpencodeStopReason,
    kOpencodeMessage,
});
constexpr auto kOpencodePostToolOut = std::to_array<OutputRow>({
    kOpencodeDeny,
    kOpencodeReason,
    {.pointer = "/output", .effect = Effect::Output, .as_text = true},
    kOpencodeContext,
    kOpencodeStop,
    kOpencodeStopReason,
    kOpencodeMessage,
});
constexpr auto kOpencodePromptOut = std::to_array<OutputRow>({
    kOpencodeDeny,
    kOpencodeReason,
    {"/prompt", Effect::Prompt},
    kOpencodeContext,
    kOpencodeStop,
    kOpencodeStopReason,
    kOpencodeMessage,
});
constexpr auto kOpencodeGateOut =
    std::to_array<OutputRow>({kOpencodeDeny, kOpencodeReason, kOpencodeStop, kOpencodeStopReason, kOpencodeMessage});
constexpr auto kOpencodeSessionStartOut =
    std::to_array<OutputRow>({kOpencodeContext, {"/env", Effect::Env}, kOpencodeMessage});
constexpr auto kOpencodeCompactOut = std::to_array<OutputRow>({kOpencodeContext, kOpencodeMessage});
constexpr auto kOpencodeMessageOut = std::to_array<OutputRow>({kOpencodeMessage});

/// The names are those of OpenCode's own plug-in hooks and events.
constexpr auto kOpencodeEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "session.created",
     .answer = {.outputs = kOpencodeSessionStartOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd, .wire_name = "session.deleted", .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "chat.message",
     .payload = {.inputs = kOpencodePromptIn},
     .answer = {.outputs = kOpencodePromptOut}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "tool.execute.before",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kOpencodePreToolIn},
     .answer = {.outputs = kOpencodePreToolOut}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "tool.execute.after",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .payload = {.inputs = kOpencodePostToolIn},
     .answer = {.outputs = kOpencodePostToolOut}},
    {.kind = EventKind::Stop,
     .wire_name = "session.idle",
     .payload = {.inputs = kOpencodeStopIn},
     .answer = {.outputs = kOpencodeGateOut}},
    {.kind = EventKind::PreCompact,
     .wire_name = "experimental.session.compacting",
     .answer = {.outputs = kOpencodeCompactOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostCompact,
     .wire_name = "session.compacted",
     .answer = {.outputs = kOpencodeMessageOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kOpencodeEvents));

constexpr auto kOpencodeSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kOpencodeShellArguments = std::to_array<ToolArgument>({{"cwd", "workdir"}});
constexpr auto kOpencodeFileArguments = std::to_array<ToolArgument>({{"file_path", "filePath"}});
constexpr auto kOpencodeEditArguments = std::to_array<ToolArgument>({
    {"file_path", "filePath"},
    {"old_string", "oldString"},
    {"new_string", "newString"},
    {"replace_all", "replaceAll"},
});
/// OpenCode joins the names of an MCP server and its tool with an underscore, without a prefix. Its own tools with an
/// underscore are listed here so that they are not taken for MCP tools.
constexpr auto kOpencodeTools = std::to_array<ToolRow>({
    {"shell", "bash", kOpencodeShellArguments},
    {"read", "read", kOpencodeFileArguments},
    {"write", "write", kOpencodeFileArguments},
    {"edit", "edit", kOpencodeEditArguments},
    {"edit", "apply_patch", kOpencodeSameArguments},
    {"glob", "glob", kOpencodeSameArguments},
    {"glob", "list", kOpencodeSameArguments},
    {"grep", "grep", kOpencodeSameArguments},
    {"fetch", "webfetch", kOpencodeSameArguments},
    {"search", "websearch", kOpencodeSameArguments},
    {"task", "task", kOpencodeSameArguments},
    {"todo", "todowrite", kOpencodeSameArguments},
    {"other", "plan_exit", kOpencodeSameArguments},
    {"other", "plan_enter", kOpencodeSameArguments},
});
constexpr auto kOpencodePathKeys = std::to_array<std::string_view>({"filePath", "path"});
constexpr auto kOpencodeCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kOpencodeCommandTools = std::to_array<std::string_view>({"bash"});

constexpr auto kOpencodeExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
/// How the agent names its project.
constexpr auto kOpencodeProjectMembers = std::to_array<std::string_view>({"/worktree"});

}  // namespace

const Dialect kOpencodeDialect{
    .name = "opencode",
    .events = kOpencodeEvents,
    .payload = {.common_inputs = kOpencodeCommon},
    .project = {.members = kOpencodeProjectMembers},
    .tools = {.rows = kOpencodeTools,
              .mcp = {.prefix = "", .separator = "_"},
              .input_keys = {.path_keys = kOpencodePathKeys,
                             .command_keys = kOpencodeCommandKeys,
                             .command_tools = kOpencodeCommandTools}},
    .exit = {.codes = kOpencodeExits},
    .answer = {.context_separator = "\n\n", .default_reason = "Blocked by hook"},
};

}  // namespace grapnel
