#include <array>

#include "dialect/universal.h"

/// Gemini CLI: `.gemini/settings.json`, milliseconds, unanchored regexes over tool names, JSON whatever the exit code.
namespace grapnel {

namespace {

using Names = std::string_view;

constexpr auto kSessionStartAliases = std::to_array<Names>({"session-startup", "session-start"});
constexpr auto kSessionEndAliases = std::to_array<Names>({"session-clear", "session-end"});
constexpr auto kBeforeAgentAliases = std::to_array<Names>({"before-agent"});
constexpr auto kAfterAgentAliases = std::to_array<Names>({"after-agent"});
constexpr auto kBeforeModelAliases = std::to_array<Names>({"before-model"});
constexpr auto kSelectionAliases = std::to_array<Names>({"before-tool-selection"});
constexpr auto kAfterModelAliases = std::to_array<Names>({"after-model"});
constexpr auto kBeforeToolAliases = std::to_array<Names>({"allow-tool", "block-tool", "before-tool"});
constexpr auto kAfterToolAliases = std::to_array<Names>({"after-tool"});
constexpr auto kNotificationAliases = std::to_array<Names>({"notification"});
constexpr auto kPreCompressAliases = std::to_array<Names>({"pre-compress"});

constexpr auto kCommon = std::to_array<FieldRow>({
    {Field::SessionId, "session_id"},
    {Field::TranscriptPath, "transcript_path"},
    {Field::Cwd, "cwd"},
    {Field::EventName, "hook_event_name"},
    {Field::Timestamp, "timestamp"},
});
constexpr auto kSessionStartIn = std::to_array<FieldRow>({{Field::Source, "source"}});
constexpr auto kSessionEndIn = std::to_array<FieldRow>({{Field::EndReason, "reason"}});
constexpr auto kBeforeAgentIn = std::to_array<FieldRow>({{Field::Prompt, "prompt"}});
constexpr auto kAfterAgentIn = std::to_array<FieldRow>({
    {Field::Prompt, "prompt"},
    {Field::FinalResponse, "prompt_response"},
    {Field::StopHookActive, "stop_hook_active"},
});
constexpr auto kRequestIn = std::to_array<FieldRow>({{Field::ModelRequest, "llm_request"}});
constexpr auto kAfterModelIn = std::to_array<FieldRow>({
    {Field::ModelRequest, "llm_request"},
    {Field::ModelResponse, "llm_response"},
});
constexpr auto kBeforeToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
constexpr auto kAfterToolIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_response"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
constexpr auto kToolFailureIn = std::to_array<FieldRow>({
    {Field::ToolName, "tool_name"},
    {Field::ToolInput, "tool_input"},
    {Field::ToolOutput, "tool_response"},
    {Field::Error, "/tool_response/error"},
    {Field::McpContext, "mcp_context"},
    {Field::OriginalRequestName, "original_request_name"},
});
constexpr auto kNotificationIn = std::to_array<FieldRow>({
    {Field::NotificationType, "notification_type"},
    {Field::Message, "message"},
    {Field::Details, "details"},
});
constexpr auto kPreCompressIn = std::to_array<FieldRow>({{Field::Trigger, "trigger"}});

// The first word of a verdict is the one we write. "allow" only means no objection here.
constexpr auto kWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"block", Verdict::Deny},
    {"allow", Verdict::Pass},
    {"approve", Verdict::Pass},
});
constexpr auto kWordsWithAsk = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"block", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Pass},
    {"approve", Verdict::Pass},
});

constexpr auto kSessionStartOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/hookSpecificOutput/env", Effect::Env, "", true},
}));
constexpr auto kBeforeAgentOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
}));
constexpr auto kAfterAgentOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/clearContext", Effect::ClearContext},
}));
constexpr auto kBeforeModelOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/llm_request", Effect::ModelRequest},
    {"/hookSpecificOutput/llm_response", Effect::ModelResponse},
}));
constexpr auto kSelectionOut = std::to_array<OutputRow>({
    {"/hookSpecificOutput/toolConfig", Effect::ToolChoice},
});
constexpr auto kAfterModelOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/llm_response", Effect::ModelResponse, "/candidates/0/content/parts"},
}));
constexpr auto kBeforeToolOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/tool_input", Effect::InputReplace},
}));
constexpr auto kAfterToolOut = with_universal(std::to_array<OutputRow>({
    {"/decision", Effect::Verdict},
    {"/reason", Effect::Reason},
    {"/hookSpecificOutput/additionalContext", Effect::Context},
    {"/hookSpecificOutput/tailToolCallRequest", Effect::TailCall},
}));
constexpr auto kNotificationOut = with_universal(std::to_array<OutputRow>({
    {"/hookSpecificOutput/message", Effect::Notification},
}));

constexpr auto kEvents = std::to_array<EventRow>({
    {.kind = EventKind::SessionStart,
     .wire_name = "SessionStart",
     .aliases = kSessionStartAliases,
     .inputs = kSessionStartIn,
     .match_on = Field::Source,
     .match_syntax = MatchSyntax::ExactOrAny,
     .outputs = kSessionStartOut,
     .text = TextMeaning::Message,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::SessionEnd,
     .wire_name = "SessionEnd",
     .aliases = kSessionEndAliases,
     .inputs = kSessionEndIn,
     .match_on = Field::EndReason,
     .match_syntax = MatchSyntax::ExactOrAny,
     .outputs = kUniversalOut,
     .text = TextMeaning::Message,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::UserPromptSubmit,
     .wire_name = "BeforeAgent",
     .aliases = kBeforeAgentAliases,
     .inputs = kBeforeAgentIn,
     .outputs = kBeforeAgentOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel,
     .context_joins_prompt = true},
    {.kind = EventKind::Stop,
     .wire_name = "AfterAgent",
     .aliases = kAfterAgentAliases,
     .inputs = kAfterAgentIn,
     .outputs = kAfterAgentOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::BeforeModel,
     .wire_name = "BeforeModel",
     .aliases = kBeforeModelAliases,
     .inputs = kRequestIn,
     .outputs = kBeforeModelOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::BeforeToolSelection,
     .wire_name = "BeforeToolSelection",
     .aliases = kSelectionAliases,
     .inputs = kRequestIn,
     .outputs = kSelectionOut,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::AfterModel,
     .wire_name = "AfterModel",
     .aliases = kAfterModelAliases,
     .inputs = kAfterModelIn,
     .outputs = kAfterModelOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreToolUse,
     .wire_name = "BeforeTool",
     .aliases = kBeforeToolAliases,
     .inputs = kBeforeToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::SearchRegex,
     .outputs = kBeforeToolOut,
     .words = kWordsWithAsk,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PostToolUse,
     .wire_name = "AfterTool",
     .aliases = kAfterToolAliases,
     .only_unless = "/tool_response/error",
     .inputs = kAfterToolIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::SearchRegex,
     .outputs = kAfterToolOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel,
     .deny_hides_output = true},
    {.kind = EventKind::PostToolUseFailure,
     .wire_name = "AfterTool",
     .aliases = kAfterToolAliases,
     .only_if = "/tool_response/error",
     .inputs = kToolFailureIn,
     .match_on = Field::ToolName,
     .match_syntax = MatchSyntax::SearchRegex,
     .outputs = kAfterToolOut,
     .words = kWords,
     .text = TextMeaning::Message,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::Notification,
     .wire_name = "Notification",
     .aliases = kNotificationAliases,
     .inputs = kNotificationIn,
     .outputs = kNotificationOut,
     .text = TextMeaning::Message,
     .can_deny = false,
     .strategy = Strategy::Parallel},
    {.kind = EventKind::PreCompact,
     .wire_name = "PreCompress",
     .aliases = kPreCompressAliases,
     .inputs = kPreCompressIn,
     .match_on = Field::Trigger,
     .match_syntax = MatchSyntax::ExactOrAny,
     .outputs = kUniversalOut,
     .text = TextMeaning::Message,
     .can_deny = false,
     .strategy = Strategy::Parallel},
});
static_assert(well_formed(kEvents));

constexpr auto kValues = std::to_array<ValueRow>({
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

constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
constexpr auto kGlobArguments = std::to_array<ToolArgument>({{"path", "dir_path"}});
constexpr auto kGrepArguments = std::to_array<ToolArgument>({
    {"path", "dir_path"},
    {"glob", "include"},
    {.canonical = "glob", .wire = "include_pattern", .only_read = true},
});
constexpr auto kShellArguments = std::to_array<ToolArgument>({
    {"cwd", "dir_path"},
    {.canonical = "cwd", .wire = "directory", .only_read = true},
});
constexpr auto kReadArguments = std::to_array<ToolArgument>({
    {"offset", "start_line"},
    {.canonical = "file_path", .wire = "absolute_path", .only_read = true},
});
constexpr auto kEditArguments = std::to_array<ToolArgument>({{"replace_all", "allow_multiple"}});
constexpr auto kTaskArguments = std::to_array<ToolArgument>({{"subagent_type", "agent_name"}});
constexpr auto kTodoArguments = std::to_array<ToolArgument>({
    {.canonical = "content", .wire = "description", .in_each = "todos"},
});
constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "run_shell_command", kShellArguments},
    {"read", "read_file", kReadArguments},
    {"read", "read_many_files", kSameArguments},
    {"write", "write_file", kSameArguments},
    {"edit", "replace", kEditArguments},
    {"glob", "glob", kGlobArguments},
    {"grep", "grep_search", kGrepArguments},
    {"fetch", "web_fetch", kSameArguments},
    {"search", "google_web_search", kSameArguments},
    {"task", "invoke_agent", kTaskArguments},
    {"todo", "write_todos", kTodoArguments},
});
constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "absolute_path", "dir_path", "path"});
constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
constexpr auto kCommandTools = std::to_array<std::string_view>({"run_shell_command"});

constexpr auto kPlaces = std::to_array<Place>({
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
constexpr auto kSettings = std::to_array<SettingRow>({
    {"/hooksConfig/enabled", Setting::Enabled},
    {"/hooksConfig/disabled", Setting::DisabledNames},
    {"/hooksConfig/notifications", Setting::Ignored},
    {"/hooks/enabled", Setting::Ignored},
    {"/hooks/disabled", Setting::Ignored},
    {"/hooks/notifications", Setting::Ignored},
});
constexpr auto kGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"sequential", GroupKey::Sequential},
    {"hooks", GroupKey::Hooks},
});
constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({{"command", HandlerType::Command}});
constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"command", HookKey::Command},
    {"name", HookKey::Name},
    {"description", HookKey::Description},
    {"timeout", HookKey::Timeout},
    {"env", HookKey::Env},
});

// Any code from 2 up blocks with its text; only 2 blocks whatever it prints, so that a silent or chatty guard still
// holds.
constexpr auto kExits = std::to_array<ExitRow>({
    {0, 0, ExitMeaning::Success},
    {1, 1, ExitMeaning::Warn},
    {2, 2, ExitMeaning::Deny},
    {3, 255, ExitMeaning::DenyText},
});
constexpr auto kShell = std::to_array<std::string_view>({"bash", "-c"});
constexpr auto kVariables = std::to_array<VariableRow>({
    {"GEMINI_PROJECT_DIR", Field::Cwd, true},
    {"GEMINI_CWD", Field::Cwd, true},
    {"CLAUDE_PROJECT_DIR", Field::Cwd, true},
    {"GEMINI_PLANS_DIR", Field::PlansDir, true},
    {"GEMINI_SESSION_ID", Field::SessionId, true},
});

}  // namespace

const Dialect kGeminiDialect{
    .name = "gemini",
    .verified = "0.61.0",
    .events = kEvents,
    .common_inputs = kCommon,
    .values = kValues,
    .tools = kTools,
    .mcp = {.prefix = "mcp_", .separator = "_"},
    .input_keys = {.path_keys = kPathKeys, .command_keys = kCommandKeys, .command_tools = kCommandTools},
    .places = kPlaces,
    .extensions = {.manifest = "gemini-extension.json",
                   .hooks = "hooks/hooks.json",
                   .settings = ".env",
                   .overrides = "extension-enablement.json",
                   .own_path = "extensionPath",
                   .project = "workspacePath"},
    .settings = kSettings,
    .group_keys = kGroupKeys,
    .hook_keys = kHookKeys,
    .handler_types = kHandlerTypes,
    .timeout_unit = std::chrono::milliseconds{1},
    .default_timeout = std::chrono::milliseconds{60000},
    .expand_environment = true,
    .sequential_spreads = true,
    .dedupe = true,
    .exits = kExits,
    .json_on_any_exit = true,
    .stderr_stands_in = true,
    .escape_markup = true,
    .tool_choice = {.mode_key = "mode",
                    .names_key = "allowedFunctionNames",
                    .auto_word = "AUTO",
                    .any_word = "ANY",
                    .none_word = "NONE"},
    .event_name_in_answer = "/hookSpecificOutput/hookEventName",
    .default_reason = "No reason provided",
    .shell = kShell,
    .variables = kVariables,
};

}  // namespace grapnel
