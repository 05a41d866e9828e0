#include "grapnel_agent/tool.h"

#include <array>

#include "agent/tools/tools.h"

namespace grapnel::agent {

namespace {

/// In the order of `ToolFailure`. Hooks see these words as the error type.
constexpr auto kFailures = std::to_array<std::string_view>(
    {"none", "not_found", "invalid_input", "denied", "refused", "failed", "timed_out", "interrupted", "stopped"});
static_assert(kFailures.size() == static_cast<size_t>(ToolFailure::Stopped) + 1);

}  // namespace

std::string_view to_string(ToolFailure failure) {
  return kFailures[static_cast<size_t>(failure)];
}

/// The model sees the tools in this order.
std::vector<Tool> built_in_tools() {
  return {make_shell_tool(), make_read_tool(),  make_write_tool(), make_edit_tool(),    make_glob_tool(),
          make_grep_tool(),  make_fetch_tool(), make_todo_tool(),  make_subagent_tool()};
}

}  // namespace grapnel::agent
