#include <array>

#include "dialect/agents/gemini_tables.h"
#include "dialect/output_tables.h"

/// Gemini CLI. Its hooks are in `.gemini/settings.json`; timeouts are in milliseconds; matchers are regular expressions
/// that may match anywhere in the name of a tool; JSON output is read whatever the exit code.
namespace grapnel {

namespace {

/// Other spellings of the events that hook files may use.
constexpr auto kGeminiSessionStartAliases = std::to_array<std::string_view>({"session-startup", "session-start"});
constexpr auto kGeminiSessionEndAliases = std::to_array<std::string_view>({"session-clear", "session-end"});
constexpr auto kGeminiBeforeAgentAliases = std::to_array<std::string_view>({"before-agent"});
constexpr auto kGeminiAfterAgentAliases = std::to_array<std::string_view>({"after-agent"});
constexpr auto kGeminiBeforeModelAliases = std::to_array<std::string_view>({"before-model"});
constexpr auto kGeminiSelectionAliases = std::to_array<std::string_view>({"before-tool-selection"});
constexpr auto kGeminiAfterModelAliases = std::to_array<std::string_view>({"after-model"});
constexpr auto kGeminiBeforeToolAliases = std::to_array<std::string_view>({"allow-tool", "block-tool", "before-tool"});
constexpr auto kGeminiAfterToolAliases = std::to_array<std::string_view>({"after-tool"});
constexpr auto kGeminiNotificationAliases = std::to_array<std::string_view>({"notification"});
constexpr auto kGeminiPreCompressAliases = std::to_array<std::string_view>({"pre-compress"});

/// Where payloads have the canonical fields: first the members of all events, then those that one event adds.
constexpr auto kGeminiCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::Timestamp, "timestamp"},
});
constexpr auto kGeminiSessionStartIn = std::to_array<FieldRow>({{Field::Source, "source"}});
constexpr auto kGeminiSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kGeminiBeforeAgentIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kGeminiAfterAgentIn = std::to_array<FieldRow>({
    {Field::Prompt, "prompt"},
    {Field::TurnText, "prompt_response"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kGeminiRequestIn = std::to_array<FieldRow>({{Field::ModelRequest, "llm_request"}});
constexpr auto kGeminiAfterModelIn = std::to_array<FieldRow>({
    {Field::ModelRequest, "llm_request"},
    {Field::ModelResponse, "llm_response"},
});
constexpr auto kGeminiBeforeToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
constexpr auto kGeminiAfterToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_response"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
/// A failed tool call is no event of its own in Gemini CLI: `AfterTool` has an error in its response then. The type of
/// the error comes from hosts that know it, and not from Gemini CLI.
constexpr auto kGeminiToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_response"},
    {Field::Error, "/tool_response/error"},
    {Field::ErrorType, "/tool_response/error_type"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
/// Gemini CLI fires `AfterTool` only for tools that have run.
constexpr auto kGeminiNeverRan = std::to_array<std::string_view>({"not_found", "invalid_input", "denied", "refused"});
constexpr auto kGeminiNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Message, "message"},
    {Field::Details, "details"},
});
constexpr auto kGeminiPreCompressIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});

/// The first word of a verdict is the one that Grapnel writes. "allow" means "no objection": it does not replace the
/// consent of a person, so it is a Pass. Only hooks before a tool can ask.
constexpr auto kGeminiWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"block", Verdict::Deny},
    {"allow", Verdict::Pass},
    {"approve", Verdict::Pass},
});
constexpr auto kGeminiWordsWithAsk = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"block", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Pass},
    {"approve", Verdict::Pass},
});

/// Where a hook's answer has its effects.
constexpr auto kGeminiSessionStartOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/hookSpecificOutput/env", Effect::Env, "", true},
}));
constexpr auto kGeminiBeforeAgentOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kGeminiAfterAgentOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/clearContext", Effect::ClearContext},
}));
constexpr auto kGeminiBeforeModelOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/llm_request", Effect::ModelRequest},
    {"/hookSpecificOutput/llm_response", Effect::ModelResponse},
}));
constexpr auto kGeminiSelectionOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/toolConfig", Effect::ToolChoice},
});
/// A response counts only if its first candidate has parts; otherwise it would replace the text with nothing.
constexpr auto kGeminiAfterModelOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/llm_response", Effect::ModelResponse, "/candidates/0/content/parts"},
}));
constexpr auto kGeminiBeforeToolOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/tool_input", Effect::InputReplace},
}));
constexpr auto kGeminiAfterToolOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/hookSpecificOutput/tailToolCallRequest", Effect::TailCall},
}));
constexpr auto kGeminiNotificationOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/message", Effect::Notification},
}));

/// `AfterTool` has two rows: the error in its response decides whether the tool succeeded or failed.
constexpr auto kGeminiEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .aliases = kGeminiSessionStartAliases,
     .since = "0.26.0",
     .matching = {.match_on = Field::Source, .match_syntax = MatchSyntax::ExactOrAny},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiSessionStartIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiSessionStartOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .aliases = kGeminiSessionEndAliases,
     .since = "0.26.0",
     .matching = {.match_on = Field::EndReason, .match_syntax = MatchSyntax::ExactOrAny},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiSessionEndIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kUniversalOut, .shows_message = false},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "BeforeAgent",
     .aliases = kGeminiBeforeAgentAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel, .context_joins_prompt = true},
     .payload = {.inputs = kGeminiBeforeAgentIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiBeforeAgentOut, .words = kGeminiWords}},
    {.kind = EventKind::Stop,
     .wire_name = "AfterAgent",
     .aliases = kGeminiAfterAgentAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiAfterAgentIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiAfterAgentOut, .words = kGeminiWords}},
    {.kind = EventKind::BeforeModel,
     .wire_name = "BeforeModel",
     .aliases = kGeminiBeforeModelAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiRequestIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiBeforeModelOut, .words = kGeminiWords}},
    {.kind = EventKind::BeforeToolSelection,
     .wire_name = "BeforeToolSelection",
     .aliases = kGeminiSelectionAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiRequestIn},
     .answer = {.outputs = kGeminiSelectionOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::AfterModel,
     .wire_name = "AfterModel",
     .aliases = kGeminiAfterModelAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiAfterModelIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiAfterModelOut, .words = kGeminiWords}},
    {.kind = EventKind::PreToolUse,
     .wire_name = "BeforeTool",
     .aliases = kGeminiBeforeToolAliases,
     .since = "0.26.0",
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::SearchRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiBeforeToolIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiBeforeToolOut, .words = kGeminiWordsWithAsk}},
    {.kind = EventKind::PostToolUse,
     .wire_name = "AfterTool",
     .aliases = kGeminiAfterToolAliases,
     .since = "0.26.0",
     .applies = {.only_unless = "/tool_response/error"},
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::SearchRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiAfterToolIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiAfterToolOut, .words = kGeminiWords},
     .verdicts = {.deny_hides_output = true}},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "AfterTool",
     .aliases = kGeminiAfterToolAliases,
     .since = "0.26.0",
     .applies = {.only_if = "/tool_response/error", .not_after = kGeminiNeverRan},
     .matching = {.match_on = Field::ToolName, .match_syntax = MatchSyntax::SearchRegex},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiToolFailureIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiAfterToolOut, .words = kGeminiWords}},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .aliases = kGeminiNotificationAliases,
     .since = "0.26.0",
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiNotificationIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kGeminiNotificationOut},
     .verdicts = {.can_deny = false}},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompress",
     .aliases = kGeminiPreCompressAliases,
     .since = "0.26.0",
     .matching = {.match_on = Field::Trigger, .match_syntax = MatchSyntax::ExactOrAny},
     .running = {.strategy = Strategy::Parallel},
     .payload = {.inputs = kGeminiPreCompressIn},
     .exit = {.text = TextMeaning::Message},
     .answer = {.outputs = kUniversalOut},
     .verdicts = {.can_deny = false}},
});
static_assert(well_formed(kGeminiEvents));

/// Of several rows with the same canonical word, the first is written and all are understood. "*" is written for every
/// canonical word that has no row of its own.
constexpr auto kGeminiValues = std::to_array<ValueRow>({
    {Field::Source, "startup", "startup"},
    {Field::Source, "resume", "resume"},
    {Field::Source, "clear", "clear"},
    {Field::Source, "*", "startup"},
    {Field::EndReason, "exit", "exit"},
    {Field::EndReason, "exit", "prompt_input_exit"},
    {Field::EndReason, "clear", "clear"},
    {Field::EndReason, "logout", "logout"},
    {Field::EndReason, "*", "other"},
    {Field::NotificationType, "permission_prompt", "ToolPermission"},
});

/// Arguments whose names differ from the canonical ones. Names that are only read come from other versions of the
/// agent.
constexpr auto kGeminiSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kGeminiGlobArguments = std::to_array<ToolArgument>({{"path", "dir_path"}});
constexpr auto kGeminiGrepArguments = std::to_array<ToolArgument>({
    {"path", "dir_path"},
    {"glob", "include"},
    {.canonical = "glob", .wire = "include_pattern", .only_read = true},
});
constexpr auto kGeminiShellArguments = std::to_array<ToolArgument>({
    {"cwd", "dir_path"},
    {.canonical = "cwd", .wire = "directory", .only_read = true},
});
constexpr auto kGeminiReadArguments = std::to_array<ToolArgument>({
    {"offset", "start_line"},
    {.canonical = "file_path", .wire = "absolute_path", .only_read = true},
});
constexpr auto kGeminiEditArguments = std::to_array<ToolArgument>({{"replace_all", "allow_multiple"}});
constexpr auto kGeminiTaskArguments = std::to_array<ToolArgument>({{"subagent_type", "agent_name"}});
constexpr auto kGeminiTodoArguments = std::to_array<ToolArgument>({
    {.canonical = "content", .wire = "description", .in_each = "todos"},
});
constexpr auto kGeminiTools = std::to_array<ToolRow>({
    {"shell", "run_shell_command", kGeminiShellArguments},
    {"read", "read_file", kGeminiReadArguments},
    {"read", "read_many_files", kGeminiSameArguments},
    {"write", "write_file", kGeminiSameArguments},
    {"edit", "replace", kGeminiEditArguments},
    {"glob", "glob", kGeminiGlobArguments},
    {"grep", "grep_search", kGeminiGrepArguments},
    {"fetch", "web_fetch", kGeminiSameArguments},
    {"search", "google_web_search", kGeminiSameArguments},
    {"task", "invoke_agent", kGeminiTaskArguments},
    {"todo", "write_todos", kGeminiTodoArguments},
});
constexpr auto kGeminiPathKeys = std::to_array<std::string_view>({"file_path", "absolute_path", "dir_path", "path"});
constexpr auto kGeminiCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kGeminiCommandTools = std::to_array<std::string_view>({"run_shell_command"});

/// In the order of Gemini CLI, in which the administrator has defaults below and settings above everybody else. Grapnel
/// runs all managed hooks first (docs/deviations.md, gemini-2.1-layers).
constexpr auto kGeminiServerPlaces = std::to_array<ServerPlace>({
    {.file = {.scope = Scope::Managed,
              .base = PlaceBase::Root,
              .path = "etc/gemini-cli/system-defaults.json",
              .path_override = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"}},
    {.file = {.scope = Scope::User,
              .base = PlaceBase::Home,
              .path = ".gemini/settings.json",
              .home_override = "GEMINI_CLI_HOME"}},
    {.file = {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".gemini/settings.json"}},
    {.file = {.scope = Scope::Managed,
              .base = PlaceBase::Root,
              .path = "etc/gemini-cli/settings.json",
              .path_override = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"}},
});
constexpr auto kGeminiPlaces = std::to_array<HookFilePlace>({
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/gemini-cli/system-defaults.json",
     .path_override = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"},
    {.scope = Scope::User,
     .base = PlaceBase::Home,
     .path = ".gemini/settings.json",
     .home_override = "GEMINI_CLI_HOME"},
    {.scope = Scope::Extension,
     .base = PlaceBase::Home,
     .path = ".gemini/extensions",
     .home_override = "GEMINI_CLI_HOME",
     .format = PlaceFormat::Extensions},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".gemini/settings.json"},
    {.scope = Scope::Managed,
     .base = PlaceBase::Root,
     .path = "etc/gemini-cli/settings.json",
     .path_override = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"},
});
/// The ignored members are listed because they are inside `hooks`, where they would be taken for misspelt events.
constexpr auto kGeminiSettings = std::to_array<SettingRow>({
    {"/hooksConfig/enabled", Setting::Enabled},
    {"/hooksConfig/disabled", Setting::DisabledNames},
    {"/hooksConfig/notifications", Setting::Ignored},
    {"/hooks/enabled", Setting::Ignored},
    {"/hooks/disabled", Setting::Ignored},
    {"/hooks/notifications", Setting::Ignored},
});
constexpr auto kGeminiGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"sequential", GroupKey::Sequential},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kGeminiHandlerTypes = std::to_array<HandlerTypeRow>({{"command", HandlerType::Command}});
constexpr auto kGeminiHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"name", HookKey::Name},
    {"description", HookKey::Description},
    {"timeout", HookKey::Timeout},
    {"env", HookKey::Env},
});

// Gemini CLI takes any code from 2 up for a block if the hook printed plain text, and lets JSON decide otherwise.
// Grapnel is stricter about 2: it always blocks, so that a guard holds even if it prints nothing, or too much. With any
// other code the hook has failed, and a missing or broken script stops nothing: its text is a warning. Gemini CLI
// itself gets the answer that it would give.
constexpr auto kGeminiExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Warn},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Warn, .in_bridge = ExitMeaning::DenyText},
});
constexpr auto kGeminiShell = std::to_array<std::string_view>({"bash", "-c"});
/// Gemini CLI also sets Claude Code's variable, so that hooks written for Claude Code find the project.
constexpr auto kGeminiVariables = std::to_array<VariableRow>({
    {"GEMINI_PROJECT_DIR", Field::ProjectDir, true},
    {"GEMINI_CWD", Field::Cwd, true},
    {"CLAUDE_PROJECT_DIR", Field::ProjectDir, true},
    {"GEMINI_PLANS_DIR", Field::PlansDir, true},
    {"GEMINI_SESSION_ID", Field::SessionId, true},
});
/// How the agent names its project.
constexpr auto kGeminiProjectVariables = std::to_array<std::string_view>({"GEMINI_PROJECT_DIR"});

constexpr auto kGeminiExitCode =
    std::to_array<ExitPlace>({{.pointer = "/llmContent", .line = "Exit Code: ", .is_last = true}});

}  // namespace

const Dialect kGeminiDialect{
    .name = "gemini",
    .verified = "0.61.0",
    .files = {.places = kGeminiPlaces,
              .extensions = {.manifest = "gemini-extension.json",
                             .hooks = "hooks/hooks.json",
                             .settings = ".env",
                             .overrides = "extension-enablement.json",
                             .own_path = "extensionPath",
                             .project = "workspacePath"},
              .settings = kGeminiSettings,
              .expand_environment = true},
    .servers = {.places = kGeminiServerPlaces,
                .keys = gemini::kServerKeys,
                .only = "/mcp/allowed",
                .without = "/mcp/excluded",
                .expands = true,
                .expands_bare = true},
    .entries = {.group_keys = kGeminiGroupKeys, .hook_keys = kGeminiHookKeys, .handler_types = kGeminiHandlerTypes},
    .timeouts = {.unit = std::chrono::milliseconds{1}, .by_default = std::chrono::milliseconds{60000}},
    .running = {.sequential_spreads = true, .dedupe = true},
    .events = kGeminiEvents,
    .payload = {.common_inputs = kGeminiCommon, .values = kGeminiValues},
    .project = {.variables = kGeminiProjectVariables},
    .tools = {.rows = kGeminiTools,
              .mcp = {.prefix = "mcp_", .separator = "_", .keeps_dots = true},
              .input_keys = {.path_keys = kGeminiPathKeys,
                             .command_keys = kGeminiCommandKeys,
                             .command_tools = kGeminiCommandTools},
              .exit_code = kGeminiExitCode,
              .habits = {.refusal_ends_turn = true,
                         .context_begin = "<hook_context>",
                         .context_end = "</hook_context>"}},
    .process = {.shell = kGeminiShell, .variables = kGeminiVariables},
    .exit = {.codes = kGeminiExits, .json_on_any_exit = true, .stderr_stands_in = true},
    .answer = {.escape_markup = true,
               .tool_choice = {.mode_key = "mode",
                               .names_key = "allowedFunctionNames",
                               .auto_word = "AUTO",
                               .any_word = "ANY",
                               .none_word = "NONE"},
               .event_name_at = "/hookSpecificOutput/hookEventName",
               .default_reason = "No reason provided"},
    .session = {.model_at = "/model/name", .responses_in_pieces = true, .blocked_is_success = true},
};

}  // namespace grapnel
