#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace grapnel {

/// Hooks that start at the same time. Stages run one after the other.
struct Stage {
  std::vector<uint32_t> hooks;  ///< indices into the registry, in configured order
  size_t max_parallel = 0;      ///< 0: all at the same time
};

/// The plan for one event: which hooks run, and what later steps must know about the others, so that nobody plans a
/// second time. It is a value: planning runs nothing.
struct Plan {
  std::vector<Stage> stages;
  std::vector<uint32_t> background;  ///< started after the stages unless these denied; nobody waits for them
  std::vector<uint32_t> untrusted;   ///< would run if they were trusted
  /// Rules for this kind of event that deny or ask, whatever tool they are about. If hooks rewrite the event, these
  /// rules are asked about the result. Borrowed from the planner.
  std::span<const uint32_t> guards;
  /// Hooks with `debounce` that run at this event for what they collected before. Borrowed from the planner.
  std::span<const uint32_t> settling;
  /// Whether there is nothing to run.
  bool empty() const { return stages.empty() && background.empty(); }
};

/// Why a hook runs for an event or does not.
enum class Reason : uint8_t { Planned, OtherEvent, Disabled, Untrusted, NoMatch, Duplicate };
std::string_view to_string(Reason reason);

/// Why one hook runs or does not, for people.
struct Explanation {
  uint32_t hook = 0;
  Reason reason = Reason::Planned;
  std::string detail;  ///< `tool_name "Bash" does not match names Edit, Write`
};

}  // namespace grapnel
