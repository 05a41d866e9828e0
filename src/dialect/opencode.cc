#include <array>

#include "dialect/dialect.h"

/// OpenCode has plug-ins in its own process and no command hooks. This is what our plug-in (src/bridge) tells for each
/// moment it is called at, and what it makes of the answer: it throws to deny, changes what it was handed in place, and
/// prompts the session again where a gate stays closed.
namespace grapnel {

namespace {

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::EventName, "hook"},
    {Field::SessionId, "sessionID"},
    {Field::Cwd, "directory"},
    {Field::ProjectDir, "worktree"},
    {Field::AgentType, "agent"},
    {Field::ParentAgentId, "parentID"},
});
constexpr auto kPreToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool"},
    {Field::ToolInput, "args"},
    {Field::ToolUseId, "callID"},
});
constexpr auto kPostToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool"},
    {Field::ToolInput, "args"},
    {Field::ToolUseId, "callID"},
    {Field::ToolOutput, "/result/output"},
    {Field::Title, "/result/title"},
});
constexpr auto kPromptIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kStopIn = std::to_array<FieldRow>({
    {Field::StopHookActive, "stop_hook_active"},
    {Field::FinalResponse, "response"},
});

constexpr OutputRow kDeny{"/deny", Effect::DenyIfTrue};
constexpr OutputRow kReason{"/reason", Effect::Reason};
constexpr OutputRow kContext{"/context", Effect::Context};
constexpr OutputRow kStop{"/stop", Effect::StopIfTrue};
constexpr OutputRow kStopReason{"/stopReason", Effect::StopReason};
constexpr OutputRow kMessage{"/message", Effect::Message};
constexpr auto kPreToolOut = std::to_array<OutputRow>({
    kDeny,
    kReason,
    {"/args", Effect::InputReplace},
    kStop,
    kStopReason,
    kMessage,
});
constexpr auto kPostToolOut = std::to_array<OutputRow>({
    kDeny,
    kReason,
    {.pointer = "/output", .effect = Effect::Output, .as_text = true},
    kContext,
    kStop,
    kStopReason,
    kMessage,
});
constexpr auto kPromptOut = std::to_array<OutputRow>({
    kDeny,
    kReason,
    {"/prompt", Effect::Prompt},
    kContext,
    kStop,
    kStopReason,
    kMessage,
});
constexpr auto kGateOut = std::to_array<OutputRow>({kDeny, kReason, kStop, kStopReason, kMessage});
constexpr auto kSessionStartOut = std::to_array<OutputRow>({kContext, {"/env", Effect::Env}, kMessage});
constexpr auto kCompactOut = std::to_array<OutputRow>({kContext, kMessage});
constexpr auto kMessageOut = std::to_array<OutputRow>({kMessage});

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart, .wire_name = "session.created", .outputs = kSessionStartOut, .can_deny = false},
    {.kind = EventKind::SessionEnd, .wire_name = "session.deleted", .can_deny = false},
    {.kind = EventKind::UserPromptSubmit, .wire_name = "chat.message", .inputs = kPromptIn, .outputs = kPromptOut},
    {.kind = EventKind::PreToolUse,
     .wire_name = "tool.execute.before",
     .inputs = kPreToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPreToolOut},
    {.kind = EventKind::PostToolUse,
     .wire_name = "tool.execute.after",
     .inputs = kPostToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::ListOrSearch,
     .outputs = kPostToolOut},
    {.kind = EventKind::Stop, .wire_name = "session.idle", .inputs = kStopIn, .outputs = kGateOut},
    {.kind = EventKind::PreCompact,
     .wire_name = "experimental.session.compacting",
     .outputs = kCompactOut,
     .can_deny = false},
    {.kind = EventKind::PostCompact, .wire_name = "session.compacted", .outputs = kMessageOut, .can_deny = false},
});
static_assert(well_formed(kEvents));

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kShellArguments = std::to_array<ToolArgument>({{"cwd", "workdir"}});
constexpr auto kFileArguments = std::to_array<ToolArgument>({{"file_path", "filePath"}});
constexpr auto kEditArguments = std::to_array<ToolArgument>({
    {"file_path", "filePath"},
    {"old_string", "oldString"},
    {"new_string", "newString"},
    {"replace_all", "replaceAll"},
});
// Tools of MCP servers have an underscore in their names; these have one and are none.
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "bash", kShellArguments},
    {"read", "read", kFileArguments},
    {"write", "write", kFileArguments},
    {"edit", "edit", kEditArguments},
    {"edit", "apply_patch", kSameArguments},
    {"glob", "glob", kSameArguments},
    {"glob", "list", kSameArguments},
    {"grep", "grep", kSameArguments},
    {"fetch", "webfetch", kSameArguments},
    {"search", "websearch", kSameArguments},
    {"task", "task", kSameArguments},
    {"todo", "todowrite", kSameArguments},
    {"other", "plan_exit", kSameArguments},
    {"other", "plan_enter", kSameArguments},
});
constexpr auto kPathKeys = std::to_array<std::string_view>({"filePath", "path"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"bash"});

constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Failure},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::Failure},
});

}  // namespace

const Dialect kOpencodeDialect{
    .name = "opencode",
    .events = kEvents,
    .common_inputs = kCommon,
    .tools = kTools,
    .mcp = {.prefix = "", .separator = "_"},
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .exits = kExits,
    .context_separator = "\n\n",
    .default_reason = "Blocked by hook",
};

}  // namespace grapnel
