#pragma once

#include <array>

#include "dialect/dialect.h"

/// The tools of Kimi CLI, which Agent Hooks calls by the same names.
namespace grapnel::kimi {

inline constexpr std::array<ToolArgument, 0> kSameArguments{};
inline constexpr auto kReadArguments = std::to_array<ToolArgument>({
    {"file_path", "path"},
    {"offset", "line_offset"},
    {"limit", "n_lines"},
});
inline constexpr auto kWriteArguments = std::to_array<ToolArgument>({{"file_path", "path"}});
// `edit` may also be a list of changes. No other agent has that, so a list stays as it is.
inline constexpr auto kEditArguments = std::to_array<ToolArgument>({
    {"file_path", "path"},
    {"old_string", "/edit/old"},
    {"new_string", "/edit/new"},
    {"replace_all", "/edit/replace_all"},
});
inline constexpr auto kGlobArguments = std::to_array<ToolArgument>({{"path", "directory"}});
/// Kimi counts seconds, the canonical unit is the millisecond.
inline constexpr auto kShellArguments = std::to_array<ToolArgument>({
    {.canonical = "timeout", .wire = "timeout", .unit = 1000},
});
inline constexpr auto kOldTaskArguments = std::to_array<ToolArgument>({{"subagent_type", "subagent_name"}});
inline constexpr auto kStatusWords = std::to_array<ToolWord>({{"completed", "done"}});
inline constexpr auto kTodoArguments = std::to_array<ToolArgument>({
    {.canonical = "content", .wire = "title", .in_each = "todos"},
    {.canonical = "status", .wire = "status", .in_each = "todos", .words = kStatusWords},
});

/// The first row of each kind is the name that calls of other agents are translated to.
inline constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Shell", kShellArguments},
    {"read", "ReadFile", kReadArguments},
    {"write", "WriteFile", kWriteArguments},
    {"edit", "StrReplaceFile", kEditArguments},
    {"glob", "Glob", kGlobArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "FetchURL", kSameArguments},
    {"search", "SearchWeb", kSameArguments},
    {"task", "Agent", kSameArguments},
    {"task", "Task", kOldTaskArguments},
    {"todo", "SetTodoList", kTodoArguments},
});

inline constexpr auto kPathKeys = std::to_array<std::string_view>({"path", "file_path", "directory"});
inline constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
inline constexpr InputKeys kInputKeys{.path_keys = kPathKeys, .command_keys = kCommandKeys};
inline constexpr CallHabits kHabits{.refusal_ends_turn = true};

}  // namespace grapnel::kimi
