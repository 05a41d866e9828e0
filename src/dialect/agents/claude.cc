#include "dialect/agents/claude_tables.h"

/// Claude Code. Its hooks are in `.claude/settings.json`, timeouts are in seconds, and all hooks of an event run at
/// once. Exit code 2 blocks. With any other code a JSON answer decides; without JSON, a code other than 0 is a failure,
/// and the event goes on unless the hook says `onFailure: "block"`.
///
/// Other agents have taken over large parts of this format. claude_tables.h has the rows that they share.
namespace grapnel {

namespace {

/// The description of a task is optional; its subject is used if there is none.
constexpr auto kClaudeTaskIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::TaskId, "task_id"},
    {Field::TaskDescription, "task_description"},
    {Field::TaskDescription, "task_subject"},
});

/// `Field::ToolPath` is the file or directory that an event is about, so that rules can ask for it with `path`.
constexpr auto kClaudeBatchIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::ToolCalls, "tool_calls"},
});
constexpr auto kClaudeExpansionIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::Prompt, "prompt"},
    {Field::Source, "command_name"},
});
constexpr auto kClaudeTeammateIn = std::to_array<FieldRow>({
    {Field::PermissionMode, "permission_mode"},
    {Field::AgentName, "teammate_name"},
});
constexpr auto kClaudeInstructionsIn = std::to_array<FieldRow>({
    {Field::ToolPath, "file_path"},
    {Field::Trigger, "load_reason"},
});
constexpr auto kClaudeConfigIn = std::to_array<FieldRow>({{Field::Source, "source"}, {Field::ToolPath, "file_path"}});
constexpr auto kClaudeCwdIn = std::to_array<FieldRow>({{Field::ToolPath, "new_cwd"}});
constexpr auto kClaudeDirectoryIn =
    std::to_array<FieldRow>({{Field::Source, "source"}, {Field::ToolPath, "directory"}});
constexpr auto kClaudeFileIn = std::to_array<FieldRow>({{Field::ToolPath, "file_path"}});
constexpr auto kClaudeWorktreeIn = std::to_array<FieldRow>({{Field::ToolPath, "worktree_path"}});
constexpr auto kClaudeElicitationIn = std::to_array<FieldRow>({
    {Field::Source, "mcp_server_name"},
    {Field::Message, "message"},
    {Field::ElicitationMode, "mode"},
    {Field::ElicitationUrl, "url"},
    {Field::ElicitationId, "elicitation_id"},
    {Field::ElicitationSchema, "requested_schema"},
});
constexpr auto kClaudeElicitationResultIn = std::to_array<FieldRow>({
    {Field::Source, "mcp_server_name"},
    {Field::ElicitationAction, "action"},
    {Field::ElicitationMode, "mode"},
    {Field::ElicitationId, "elicitation_id"},
    {Field::ElicitationContent, "content"},
});
constexpr auto kClaudeModelSwitchIn = std::to_array<FieldRow>({{Field::Source, "source"}, {Field::Model, "to_model"}});

/// Events at which a person waits have shorter default timeouts.
constexpr std::chrono::milliseconds kClaudePromptTimeout{30000};
constexpr std::chrono::milliseconds kClaudeSessionEndTimeout{1500};

/// Three properties of these rows are easily overlooked. An objection of a prompt hook before or after a tool also ends
/// the turn. A permission request takes a changed input only together with an approval. When a turn, a subagent or a
/// task ends, a hook cannot ask to block if it fails, and a missing script is a failure although its exit code blocks:
/// a broken hook must not keep the agent working. The rows from `PostToolBatch` on are about rarer moments; most of
/// them cannot be blocked, and Claude Code ignores what a hook says there.
constexpr auto kClaudeEvents = std::to_array<EventRow>({
    {.kind = EventKind::PreToolUse,
     .wire_name = "PreToolUse",
     .since = "1.0.38",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreToolIn},
     .answer = {.outputs = claude::kPreToolOut, .words = claude::kPreToolWords},
     .verdicts = {.objection_stops = true}},
    {.kind = EventKind::PermissionRequest,
     .wire_name = "PermissionRequest",
     .since = "2.0.45",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPermissionIn},
     .answer = {.outputs = claude::kPermissionOut, .words = claude::kPermissionWords},
     .verdicts = {.asks_anyway = true, .rewrite_needs_allow = true}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "PostToolUse",
     .since = "1.0.38",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPostToolIn},
     .answer = {.outputs = claude::kPostToolOut, .words = claude::kBlockWords},
     .verdicts = {.objection_stops = true}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "PostToolUseFailure",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kToolFailureIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .since = "1.0.38",
     .matching = {.match_on = Field::NotificationType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kNotificationIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "UserPromptSubmit",
     .since = "1.0.54",
     .running = {.strategy = Strategy::Parallel, .default_timeout = kClaudePromptTimeout},
     .payload = {.inputs = claude::kPromptIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords}},
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .since = "1.0.62",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel, .env_file = "CLAUDE_ENV_FILE"},
     .payload = {.inputs = claude::kSessionStartIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = claude::kContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .since = "1.0.85",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel, .default_timeout = kClaudeSessionEndTimeout},
     .payload = {.inputs = claude::kSessionEndIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Stop,
     .wire_name = "Stop",
     .since = "1.0.38",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kStopIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords},
     .failure = {.always_fails_open = true, .missing_file_fails = true}},
    {.kind = EventKind::SubagentStart,
     .wire_name = "SubagentStart",
     .since = "2.0.43",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .answer = {.outputs = claude::kContextOut, .shows_message = false},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SubagentStop,
     .wire_name = "SubagentStop",
     .since = "1.0.41",
     .matching = {.match_on = Field::AgentType, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kSubagentStopIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords, .shows_message = false},
     .failure = {.always_fails_open = true, .missing_file_fails = true}},
    {.kind = EventKind::TaskCompleted,
     .wire_name = "TaskCompleted",
     .since = "2.1.33",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeTaskIn},
     .answer = {.outputs = claude::kTaskOut, .words = claude::kBlockWords},
     .failure = {.always_fails_open = true, .missing_file_fails = true}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompact",
     .since = "1.0.48",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreCompactIn},
     .answer = {.outputs = claude::kDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PostCompact,
     .wire_name = "PostCompact",
     .since = "2.1.76",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPostCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PostToolBatch,
     .wire_name = "PostToolBatch",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeBatchIn},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords}},
    {.kind = EventKind::UserPromptExpansion,
     .wire_name = "UserPromptExpansion",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel, .default_timeout = kClaudePromptTimeout},
     .payload = {.inputs = kClaudeExpansionIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = claude::kDecisionAndContextOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PermissionDenied,
     .wire_name = "PermissionDenied",
     .since = "2.1.89",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kPreToolIn},
     .answer = {.outputs = kUniversalOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::StopFailure,
     .wire_name = "StopFailure",
     .since = "2.1.78",
     .matching = {.match_on = Field::Error, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = claude::kStopFailureIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::TaskCreated,
     .wire_name = "TaskCreated",
     .since = "2.1.84",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeTaskIn},
     .answer = {.outputs = claude::kTaskOut, .words = claude::kBlockWords}},
    {.kind = EventKind::TeammateIdle,
     .wire_name = "TeammateIdle",
     .since = "2.1.33",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeTeammateIn},
     .answer = {.outputs = claude::kTaskOut, .words = claude::kBlockWords},
     .failure = {.always_fails_open = true, .missing_file_fails = true}},
    {.kind = EventKind::Setup,
     .wire_name = "Setup",
     .since = "2.1.10",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel, .env_file = "CLAUDE_ENV_FILE"},
     .payload = {.inputs = claude::kPreCompactIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::InstructionsLoaded,
     .wire_name = "InstructionsLoaded",
     .since = "2.1.69",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeInstructionsIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::ConfigChange,
     .wire_name = "ConfigChange",
     .since = "2.1.49",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeConfigIn},
     .answer = {.outputs = claude::kDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::CwdChanged,
     .wire_name = "CwdChanged",
     .since = "2.1.83",
     .running = {.strategy = Strategy::Parallel, .env_file = "CLAUDE_ENV_FILE"},
     .payload = {.inputs = kClaudeCwdIn},
     .answer = {.outputs = claude::kMessageOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::DirectoryAdded,
     .wire_name = "DirectoryAdded",
     .since = "2.1.219",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeDirectoryIn},
     .answer = {.outputs = claude::kMessageOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::FileChanged,
     .wire_name = "FileChanged",
     .since = "2.1.83",
     .running = {.strategy = Strategy::Parallel, .env_file = "CLAUDE_ENV_FILE"},
     .payload = {.inputs = kClaudeFileIn},
     .answer = {.outputs = claude::kMessageOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::WorktreeCreate,
     .wire_name = "WorktreeCreate",
     .since = "2.1.50",
     .running = {.strategy = Strategy::Parallel},
     .answer = {.outputs = claude::kTaskOut, .words = claude::kBlockWords}},
    {.kind = EventKind::WorktreeRemove,
     .wire_name = "WorktreeRemove",
     .since = "2.1.50",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeWorktreeIn},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::Elicitation,
     .wire_name = "Elicitation",
     .since = "2.1.76",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeElicitationIn},
     .answer = {.outputs = claude::kElicitationOut, .words = claude::kBlockWords}},
    {.kind = EventKind::ElicitationResult,
     .wire_name = "ElicitationResult",
     .since = "2.1.76",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeElicitationResultIn},
     .answer = {.outputs = claude::kElicitationOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PreModelSwitch,
     .wire_name = "PreModelSwitch",
     .since = "2.1.251",
     .matching = {.match_on = Field::Model, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeModelSwitchIn},
     .answer = {.outputs = claude::kDecisionOut, .words = claude::kBlockWords}},
    {.kind = EventKind::PostModelSwitch,
     .wire_name = "PostModelSwitch",
     .since = "2.1.251",
     .matching = {.match_on = Field::Model, .match_syntax = MatchSyntax::ListOrSearch},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kClaudeModelSwitchIn},
     .exit = {.text = TextMeaning::Context},
     .answer = {.outputs = claude::kContextOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::MessageDisplay,
     .wire_name = "MessageDisplay",
     .since = "2.1.152",
     .running = {.strategy = Strategy::Parallel},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kClaudeEvents));

/// All events of Claude Code have a row.
static_assert(kClaudeEvents.size() == 33);

constexpr auto kClaudeSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kClaudeNotebookArguments = std::to_array<ToolArgument>({{"file_path", "notebook_path"}});
/// The first row of each kind is the name that calls of other agents are translated to.
constexpr auto kClaudeTools = std::to_array<ToolRow>({
    {"shell", "Bash", kClaudeSameArguments},
    {"shell", "PowerShell", kClaudeSameArguments},
    {"read", "Read", kClaudeSameArguments},
    {"write", "Write", kClaudeSameArguments},
    {"edit", "Edit", kClaudeSameArguments},
    {"edit", "MultiEdit", kClaudeSameArguments},
    {"edit", "NotebookEdit", kClaudeNotebookArguments},
    {"glob", "Glob", kClaudeSameArguments},
    {"grep", "Grep", kClaudeSameArguments},
    {"fetch", "WebFetch", kClaudeSameArguments},
    {"search", "WebSearch", kClaudeSameArguments},
    {"task", "Agent", kClaudeSameArguments},
    {"task", "Task", kClaudeSameArguments},
    {"todo", "TodoWrite", kClaudeSameArguments},
});
/// The tool has had both names, so a matcher for one of them also matches the other.
constexpr auto kClaudeToolAliases = std::to_array<ToolAlias>({{"Task", "Agent"}, {"Agent", "Task"}});
constexpr auto kClaudePathKeys = std::to_array<std::string_view>({"file_path", "notebook_path", "path"});
constexpr auto kClaudeCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kClaudeCommandTools = std::to_array<std::string_view>({"Bash", "PowerShell"});

constexpr std::string_view kClaudeConfigDir = "CLAUDE_CONFIG_DIR";
constexpr auto kClaudePlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/claude-code/managed-settings.json"},
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/claude-code/managed-settings.d",
     .format = PlaceFormat::SettingsDirectory},
    {.scope = Scope::User, .base = PlaceBase::Home, .path = ".claude/settings.json", .dir_override = kClaudeConfigDir},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".claude/settings.json"},
    {.scope = Scope::Local, .base = PlaceBase::Project, .path = ".claude/settings.local.json"},
});
/// `.mcp.json` is in the project; the servers of one person in one project are in that person's own file.
constexpr auto kClaudeServerPlaces = std::to_array<ServerPlace>({
    {.file = {.scope = Scope::User, .base = PlaceBase::Home, .path = ".claude.json", .dir_override = kClaudeConfigDir}},
    {.file = {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".mcp.json"}},
    {.file = {.scope = Scope::User, .base = PlaceBase::Home, .path = ".claude.json", .dir_override = kClaudeConfigDir},
     .pointer = "/projects",
     .in_project = "mcpServers"},
    {.file = {.scope = Scope::Managed, .base = PlaceBase::Root, .path = "etc/claude-code/managed-mcp.json"}},
});
constexpr auto kClaudeServerKeys = std::to_array<ServerKeyRow>({
    {"type", ServerKey::Type},
    {"command", ServerKey::Command},
    {"args", ServerKey::Args},
    {"env", ServerKey::Env},
    {"cwd", ServerKey::Cwd},
    {"url", ServerKey::Url},
    {"headers", ServerKey::Headers},
    {"timeout", ServerKey::CallTimeout},
    {"headersHelper", ServerKey::Ignored},
    {"oauth", ServerKey::Ignored},
    {"description", ServerKey::Ignored},
});
constexpr auto kClaudeSettings = std::to_array<SettingRow>({
    {"/disableAllHooks", Setting::DisableAll},
    {"/allowManagedHooksOnly", Setting::ManagedOnly},
    {"/allowedHttpHookUrls", Setting::HttpUrls},
    {"/httpHookAllowedEnvVars", Setting::HttpVariables},
});
constexpr auto kClaudeHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"http", HandlerType::Http},
    {"mcp_tool", HandlerType::McpTool},
    {"prompt", HandlerType::Prompt, std::chrono::seconds(30)},
    {"agent", HandlerType::Agent, std::chrono::seconds(60)},
});
/// Keys without an effect here are listed as ignored, so that they are not reported as unknown.
constexpr auto kClaudeHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"args", HookKey::Args},
    {"if", HookKey::If},
    {"timeout", HookKey::Timeout},
    {"statusMessage", HookKey::StatusMessage},
    {"onFailure", HookKey::OnFailure},
    {"async", HookKey::Async},
    {"asyncRewake", HookKey::Async},
    {"prompt", HookKey::Prompt},
    {"model", HookKey::Model},
    {"continueOnBlock", HookKey::GoesOn},
    {"url", HookKey::Url},
    {"tool", HookKey::Target},
    {"once", HookKey::Ignored},
    {"shell", HookKey::Ignored},
    {"rewakeMessage", HookKey::Ignored},
    {"rewakeSummary", HookKey::Ignored},
    {"headers", HookKey::Headers},
    {"allowedEnvVars", HookKey::AllowedEnv},
    {"server", HookKey::Ignored},
    {"input", HookKey::Ignored},
});

constexpr auto kClaudeFailureWords = std::to_array<FailureWordRow>({
    {"block", OnFailure::Closed},
    {"continue", OnFailure::Open},
});

/// A code other than 0 and 2 is a failure, but not if the hook printed a JSON answer.
constexpr auto kClaudeExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::FailureUnlessJson},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::FailureUnlessJson},
});
constexpr auto kClaudeVariables = std::to_array<VariableRow>({
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"CLAUDE_CODE_SESSION_ID", Field::SessionId},
    {"CLAUDECODE", Field::None, false, "1"},
    {"CLAUDE_CODE_CHILD_SESSION", Field::None, false, "1"},
});
/// How the agent names its project.
constexpr auto kClaudeProjectVariables = std::to_array<std::string_view>({"CLAUDE_PROJECT_DIR"});

/// A command that fails is an error, which starts with its exit code.
constexpr auto kClaudeExitCode = std::to_array<ExitPlace>({{.in_error = true, .line = "Exit code "}});

}  // namespace

const Dialect kClaudeDialect{
    .name = "claude",
    .verified = "2.1.197",
    .version = {.variable = "AI_AGENT", .prefix = "claude-code_", .dot = '-'},
    .files = {.places = kClaudePlaces, .settings = kClaudeSettings},
    .servers = {.places = kClaudeServerPlaces, .keys = kClaudeServerKeys, .expands = true, .missing_is_error = true},
    .entries = {.group_keys = claude::kGroupKeys, .hook_keys = kClaudeHookKeys, .handler_types = kClaudeHandlerTypes},
    .timeouts = {.unit = std::chrono::milliseconds{1000}, .by_default = std::chrono::milliseconds{600000}},
    .running = {.dedupe_whole = true},
    .events = kClaudeEvents,
    .payload = {.common_inputs = claude::kCommonIn, .values = claude::kValues},
    .project = {.variables = kClaudeProjectVariables},
    .tools = {.rows = kClaudeTools,
              .aliases = kClaudeToolAliases,
              .input_keys = {.path_keys = kClaudePathKeys,
                             .command_keys = kClaudeCommandKeys,
                             .command_tools = kClaudeCommandTools},
              .exit_code = kClaudeExitCode},
    .process = {.shell = claude::kShell, .withheld_prefix = "OTEL_", .variables = kClaudeVariables},
    .exit = {.codes = kClaudeExits, .json_on_any_exit = true, .braces_are_json = true},
    .answer = {.max_text = 10000,
               .text_preview = 2000,
               .event_name_at = "/hookSpecificOutput/hookEventName",
               .default_reason = "Blocked by hook"},
    .failure = {.words = kClaudeFailureWords},
};

}  // namespace grapnel
