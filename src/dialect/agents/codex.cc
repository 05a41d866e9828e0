#include "dialect/agents/claude_tables.h"

/// Codex. Its hooks are in `hooks.json` beside its configuration, or in `[hooks]` inside it. Events and answers are
/// those of Claude Code, but Codex is stricter when it reads answers: before a tool it accepts the word of an approval
/// only beside a changed input, where it grants nothing, and it cannot ask. Wishes that Codex cannot be told become a
/// block.
namespace grapnel {

namespace {

constexpr auto kCodexCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::PermissionMode, "permission_mode"},
    {Field::AgentId, "agent_id"},
    {Field::AgentType, "agent_type"},
});

/// "ask" is understood in answers of hooks, but never written, because Codex would reject the whole answer.
constexpr auto kCodexWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask, true},
    {"block", Verdict::Deny, true},
    {"approve", Verdict::Allow, true},
});
/// Codex rejects `continue` before a tool, so it is only read. A stop is told as a Deny.
constexpr auto kCodexBeforeToolOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/permissionDecision", Effect::Verdict},
    {"/hookSpecificOutput/permissionDecisionReason", Effect::Reason},
    {"/hookSpecificOutput/updatedInput", Effect::InputReplace},
    claude::kContext,
    {"/systemMessage", Effect::Message},
    claude::kOldDecision,
    claude::kOldReason,
    {"/continue", Effect::StopIfFalse, "", true},
    {"/stopReason", Effect::StopReason, "", true},
});
constexpr auto kCodexAskingOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/decision/behavior", Effect::Verdict},
    {"/hookSpecificOutput/decision/message", Effect::Reason},
    {"/systemMessage", Effect::Message},
    {"/continue", Effect::StopIfFalse, "", true},
    {"/stopReason", Effect::StopReason, "", true},
});

/// Codex reports a hook as failed that says `suppressOutput`, so this is never written.
constexpr auto kCodexDecisionOut = without_writing(claude::kDecisionAndContextOut, {Effect::SuppressOutput});
constexpr auto kCodexContextOut = without_writing(claude::kContextOut, {Effect::SuppressOutput});

constexpr std::chrono::milliseconds kCodexSessionEndTimeout{1000};

/// Hooks are matched with `WordsOrSearch`: a list of names is separated by `|` alone.
constexpr auto kCodexInterruptIn = std::to_array<FieldRow>({{Field::Model, "model"}});

constexpr auto kCodexEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .since = "≤ 0.118.0",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreToolIn},
     .answer = {.outputs = kCodexBeforeToolOut, .words = kCodexWords},
     .verdicts = {.allow_needs_rewrite = true, .rewrite_word = "allow"}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPermissionIn},
     .answer = {.outputs = kCodexAskingOut, .words = claude::kPermissionWords},
     .verdicts = {.asks_anyway = true}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .since = "≤ 0.118.0",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPostToolIn},
     .answer = {.outputs = kCodexDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreCompactIn},
     .answer = {.outputs = claude::kDecisionAndMessageOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreCompactIn},
     .answer = {.outputs = claude::kMessageOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .since = "0.114.0",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSessionStartIn},
     .answer = {.outputs = kCodexContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel, .default_timeout = kCodexSessionEndTimeout},
     .payload = {.inputs = claude::kSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .since = "0.116.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPromptIn},
     .answer = {.outputs = kCodexDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .answer = {.outputs = kCodexContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::WordsOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSubagentStopIn},
     .answer = {.outputs = kCodexDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .since = "0.114.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kStopIn},
     .answer = {.outputs = kCodexDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::Interrupt,
     .wire_name = "Interrupt",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kCodexInterruptIn},
     // An answer with any other member would be rejected as a whole.
     .answer = {.outputs = claude::kMessageOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kCodexEvents));
/// Codex fires the first before every request to the model, with nothing in it but the session, and accepts the second
/// in its settings. What it takes for an answer is documented nowhere.
constexpr auto kCodexOtherEvents = std::to_array<std::string_view>({"PreModelRequest", "PostModelRequest"});

/// Codex changes files with a single tool, `apply_patch`, whose only argument is a text. Nothing in other agents
/// corresponds to this argument, so the tool has no row; its aliases below make hooks for `Write` and `Edit` match.
constexpr auto kCodexSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kCodexTaskArguments = std::to_array<ToolArgument>({
    {"prompt", "message"},
    {"description", "task_name"},
    {"subagent_type", "agent_type"},
});
constexpr auto kCodexTodoArguments = std::to_array<ToolArgument>({
    {"todos", "plan"},
    {.canonical = "content", .wire = "step", .in_each = "todos"},
});
constexpr auto kCodexTools = std::to_array<ToolRow>({
    {"shell", "Bash", kCodexSameArguments},
    {"task", "spawn_agent", kCodexTaskArguments},
    {"todo", "update_plan", kCodexTodoArguments},
});
constexpr auto kCodexToolAliases = std::to_array<ToolAlias>({
    {"Write", "apply_patch"},
    {"Edit", "apply_patch"},
    {"Agent", "spawn_agent"},
});
constexpr auto kCodexPathKeys = std::to_array<std::string_view>({"file_path", "path"});
constexpr auto kCodexCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCodexCommandTools = std::to_array<std::string_view>({"Bash"});

/// Every scope has a JSON and a TOML file, and the hooks of both run.
constexpr auto kCodexPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/codex/requirements.toml",
     .format = PlaceFormat::Toml},
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/codex/hooks.json"},
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/codex/config.toml", .format = PlaceFormat::Toml},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".codex/hooks.json", .dir_override = "CODEX_HOME"},
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".codex/config.toml",
     .dir_override = "CODEX_HOME",
     .format = PlaceFormat::Toml},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".codex/hooks.json"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".codex/config.toml", .format = PlaceFormat::Toml},
});
constexpr auto kCodexServerPlaces = std::to_array<ServerPlace>({
    {.file = {.scope = Scope::User,
              .base = PlaceBase::Home,
              .path = ".codex/config.toml",
              .dir_override = "CODEX_HOME",
              .format = PlaceFormat::Toml},
     .pointer = "/mcp_servers"},
    {.file = {.scope = Scope::Project,
              .base = PlaceBase::Project,
              .path = ".codex/config.toml",
              .format = PlaceFormat::Toml},
     .pointer = "/mcp_servers"},
});
constexpr auto kCodexServerKeys = std::to_array<ServerKeyRow>({
    {"command", ServerKey::Command},
    {"args", ServerKey::Args},
    {"env", ServerKey::Env},
    {"env_vars", ServerKey::InheritVariables},
    {"cwd", ServerKey::Cwd},
    {"url", ServerKey::Url},
    {"bearer_token_env_var", ServerKey::TokenVariable},
    {"http_headers", ServerKey::Headers},
    {"env_http_headers", ServerKey::HeaderVariables},
    {"startup_timeout_sec", ServerKey::StartTimeout, std::chrono::seconds{1}},
    {"startup_timeout_ms", ServerKey::StartTimeout},
    {"tool_timeout_sec", ServerKey::CallTimeout, std::chrono::seconds{1}},
    {"enabled", ServerKey::Enabled},
    {"enabled_tools", ServerKey::OnlyTools},
    {"disabled_tools", ServerKey::WithoutTools},
    {"required", ServerKey::Ignored},
    {"scopes", ServerKey::Ignored},
    {"tools", ServerKey::Ignored},
});
/// Codex notes in its own files which hooks it trusts. These notes are not hooks, and Grapnel does not rely on them: it
/// keeps its own record of trust.
constexpr auto kCodexSettings = std::to_array<SettingRow>({
    {"/allow_managed_hooks_only", Setting::ManagedOnly},
    {"/hooks/state", Setting::Ignored},
    {"/hooks/managed_dir", Setting::Ignored},
    {"/hooks/windows_managed_dir", Setting::Ignored},
});
constexpr auto kCodexHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"mcp_tool", HandlerType::McpTool},
    {"prompt", HandlerType::Prompt},
    {"agent", HandlerType::Agent},
});
constexpr auto kCodexHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
    {"async", HookKey::Async},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"tool", HookKey::Target},
    {"server", HookKey::Ignored},
    {"input", HookKey::Ignored},
    {"commandWindows", HookKey::Ignored},
    {"additionalContextLimit", HookKey::Ignored},
});

constexpr auto kCodexExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});

constexpr auto kCodexExitCode = std::to_array<ExitPlace>({{.line = "Exit code: "}});

}  // namespace

const Dialect kCodexDialect{
    .name = "codex",
    .verified = "0.166.0",
    .files = {.places = kCodexPlaces, .settings = kCodexSettings},
    .servers = {.places = kCodexServerPlaces, .keys = kCodexServerKeys},
    .entries = {.group_keys = claude::kGroupKeys,
                .hook_keys = kCodexHookKeys,
                .handler_types = kCodexHandlerTypes,
                .other_events = kCodexOtherEvents},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{600000}},
    .events = kCodexEvents,
    .payload = {.common_inputs = kCodexCommon, .values = claude::kValues},
    .tools = {.rows = kCodexTools,
              .aliases = kCodexToolAliases,
              .input_keys = {.path_keys = kCodexPathKeys,
                             .command_keys = kCodexCommandKeys,
                             .command_tools = kCodexCommandTools},
              .exit_code = kCodexExitCode},
    .process = {.shell = claude::kShell},
    .exit = {.codes = kCodexExits},
    .answer = {.event_name_at = "/hookSpecificOutput/hookEventName", .default_reason = "Blocked by hook"},
};

}  // namespace grapnel
