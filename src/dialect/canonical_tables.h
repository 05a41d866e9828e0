#pragma once

#include <array>

#include "dialect/dialect.h"
#include "model/field_names.h"

/// The canonical keys of payloads and names of tools, which hooks of rule files see too.
namespace grapnel::canonical {

inline constexpr auto kInputs = [] {
  constexpr size_t kDerived = 2;  // ToolPath and ToolCommand are read out of the tool input
  std::array<FieldRow, kFieldCount - kDerived> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<Field>(i), kFieldNames[i]};
  return rows;
}();

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

inline constexpr auto kPathKeys = std::to_array<std::string_view>({"file_path", "path", "notebook_path"});
inline constexpr auto kCommandKeys = std::to_array<std::string_view>({"command"});
inline constexpr InputKeys kInputKeys{.path_keys = kPathKeys, .command_keys = kCommandKeys};

}  // namespace grapnel::canonical
