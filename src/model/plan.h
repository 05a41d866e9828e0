#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace grapnel {

/// Hooks that start together.
struct Stage {
  std::vector<uint32_t> hooks;  ///< indices into the registry, in configured order
  size_t max_parallel = 0;      ///< 0: all at once
};

/// What an event will run, and what later steps have to know of the other hooks, so that nobody plans a second time. A
/// value: planning runs nothing.
struct Plan {
  std::vector<Stage> stages;
  std::vector<uint32_t> background;  ///< start after the stages, unless these denied; nobody waits for them
  std::vector<uint32_t> untrusted;   ///< would take part if they were trusted
  /// Rules of this kind of event that deny or ask, whatever tool they are about: when hooks rewrite the event, these
  /// are asked about the result. Borrowed from the planner.
  std::span<const uint32_t> guards;
  /// Whether nothing is to be run.
  bool empty() const { return stages.empty() && background.empty(); }
};

/// Why a hook takes part in an event, or does not.
enum class Reason : uint8_t { Planned, OtherEvent, Disabled, Untrusted, NoMatch, Duplicate };
std::string_view to_string(Reason reason);

/// One hook's share in a plan, for people.
struct Explanation {
  uint32_t hook = 0;
  Reason reason = Reason::Planned;
  std::string detail;  ///< `tool_name "Bash" does not match names Edit, Write`
};

}  // namespace grapnel
