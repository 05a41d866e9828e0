#pragma once

#include <array>

#include "dialect/dialect.h"

/// The canonical names of tools, and of the arguments that name a file or a command. Hooks of rule files see them, too.
namespace grapnel::canonical {

inline constexpr std::array<ToolArgument, 0> kSameArguments{};
inline constexpr auto kTools = std::to_array<ToolRow>({
    {"shell", "Bash", kSameArguments},
    {"read", "Read", kSameArguments},
    {"write", "Write", kSameArguments},
    {"edit", "Edit", kSameArguments},
    {"glob", "Glob", kSameArguments},
    {"grep", "Grep", kSameArguments},
    {"fetch", "WebFetch", kSameArguments},
    {"search", "WebSearch", kSameArguments},
    {"task", "Task", kSameArguments},
    {"todo", "TodoWrite", kSameArguments},
});

/// Events that are about a file or a directory, and no tool calls, have a member for it.
inline constexpr auto kPathIn = std::to_array<FieldRow>({{Field::ToolPath, "path"}});

inline constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "notebook_path"});
inline constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
inline constexpr InputKeys kInputKeys{.path_keys = kPathKeys, .command_keys = kCommandKeys};

}  // namespace grapnel::canonical
