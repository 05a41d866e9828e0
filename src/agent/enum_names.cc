#include <algorithm>
#include <array>

#include "grapnel_agent/agent.h"

namespace grapnel::agent {

namespace {

/// Both tables are in the order of their enums. Hooks, options and output use these words, so they must not change.
constexpr auto kModes = std::to_array<std::string_view>({"default", "auto-edit", "plan", "yolo"});
constexpr auto kEndings = std::to_array<std::string_view>(
    {"answered", "blocked", "stopped", "interrupted", "max_turns", "failed", "cancelled", "gate_opened"});

}  // namespace

std::string_view to_string(ApprovalMode mode) {
  return kModes[static_cast<size_t>(mode)];
}

std::optional<ApprovalMode> approval_mode_from(std::string_view name) {
  const auto* const found = std::ranges::find(kModes, name);
  return found == kModes.end() ? std::nullopt : std::optional(static_cast<ApprovalMode>(found - kModes.begin()));
}

std::string_view to_string(TurnResult::Ending ending) {
  return kEndings[static_cast<size_t>(ending)];
}

}  // namespace grapnel::agent
