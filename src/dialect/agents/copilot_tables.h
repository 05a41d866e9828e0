#pragma once

#include <array>

#include "dialect/dialect.h"

/// What the two dialects of GitHub Copilot have in common. They share one set of hook files: the spelling of an event's
/// name in the file decides which of the two dialects its hooks use.
namespace grapnel::copilot {

inline constexpr auto kPreToolWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"ask", Verdict::Ask},
    {"allow", Verdict::Allow},
});
inline constexpr auto kPermissionWords = std::to_array<WordRow>({
    {"deny", Verdict::Deny},
    {"allow", Verdict::Allow},
    {"ask", Verdict::Ask, true},
});
inline constexpr auto kStopWords = std::to_array<WordRow>({
    {"block", Verdict::Deny},
    {"deny", Verdict::Deny, true},
    {"allow", Verdict::Pass, true},
    {"approve", Verdict::Pass, true},
});

inline constexpr OutputRow kTopContext{"/additionalContext", Effect::Context};
inline constexpr auto kPermissionOut = std::to_array<OutputRow>({
    {"/behavior", Effect::Verdict},
    {"/message", Effect::Reason},
    {"/interrupt", Effect::StopIfTrue, "", true},
});
inline constexpr auto kResultConstants = std::to_array<ConstantRow>({{"/modifiedResult/resultType", "\"success\""}});

/// Before a tool, any exit code but 0 denies. At permission requests only 2 does, and at all other events 2 is a
/// warning.
inline constexpr auto kPreToolExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 255, .meaning = ExitMeaning::Deny},
});
inline constexpr auto kPermissionExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Deny},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});
inline constexpr auto kExits = std::to_array<ExitRow>({
    {.from = 0, .to = 0, .meaning = ExitMeaning::Success},
    {.from = 1, .to = 1, .meaning = ExitMeaning::Failure},
    {.from = 2, .to = 2, .meaning = ExitMeaning::Warn},
    {.from = 3, .to = 255, .meaning = ExitMeaning::Failure},
});

inline constexpr auto kValues = std::to_array<ValueRow>({
    {Field::Source, "startup", "startup"},
    {Field::Source, "startup", "new"},
    {Field::Source, "resume", "resume"},
    {Field::Source, "*", "startup"},
    {Field::EndReason, "exit", "user_exit"},
    {Field::EndReason, "exit", "complete"},
    {Field::EndReason, "*", "complete"},
});

/// Copilot also runs the hooks that a project has for Claude Code.
inline constexpr auto kClaudeScopes = std::to_array<Scope>({Scope::Project, Scope::Local});
inline constexpr auto kRunsItself = std::to_array<ForeignFiles>({{"claude", kClaudeScopes}});

inline constexpr auto kFileConstants = std::to_array<ConstantRow>({{"/version", "1"}});
inline constexpr auto kSettings = std::to_array<SettingRow>({
    {"/version", Setting::Ignored},
    {"/disableAllHooks", Setting::DisableAll},
});
inline constexpr auto kHandlerTypes = std::to_array<HandlerTypeRow>({
    {"command", HandlerType::Command},
    {"http", HandlerType::Http},
});
/// An entry may have one command for each shell. Grapnel runs the one for bash.
inline constexpr auto kHookKeys = std::to_array<HookKeyRow>({
    {"type", HookKey::Type},
    {"bash", HookKey::Command},
    {"command", HookKey::Command},
    {"exec", HookKey::Command},
    {"args", HookKey::Args},
    {"powershell", HookKey::Ignored},
    {"matcher", HookKey::Matcher},
    {"timeoutSec", HookKey::Timeout},
    {"timeout", HookKey::Timeout},
    {"env", HookKey::Env},
    {"url", HookKey::Url},
    {"headers", HookKey::Headers},
    {"allowedEnvVars", HookKey::AllowedEnv},
});
inline constexpr auto kGroupKeys = std::to_array<GroupKeyRow>({
    {"matcher", GroupKey::Matcher},
    {"hooks", GroupKey::Hooks},
});
inline constexpr auto kShell = std::to_array<std::string_view>({"bash", "-c"});

inline constexpr auto kSameArguments = std::array<ToolArgument, 0>{};
inline constexpr auto kReadArguments = std::to_array<ToolArgument>({{"file_path", "path"}});
inline constexpr auto kWriteArguments = std::to_array<ToolArgument>({
    {"file_path", "path"},
    {"content", "file_text"},
});
inline constexpr auto kEditArguments = std::to_array<ToolArgument>({
    {"file_path", "path"},
    {"old_string", "old_str"},
    {"new_string", "new_str"},
});
inline constexpr auto kPathKeys = std::to_array<std::string_view>({"path", "filePath", "file_path"});
inline constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});

/// Before a tool any exit code but 0 is a block, and an error of Grapnel must not block. So the exit code is 0, and the
/// error is printed as a line that Copilot shows in its timeline.
inline constexpr OwnError kOwnError{.exit_code = 0, .object = R"({"type":"progress"})", .message_at = "/message"};

}  // namespace grapnel::copilot
