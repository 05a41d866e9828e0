#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/event_run.h"

namespace grapnel {

/// Hooks of an event that nobody waits for, ready to start (background.h runs them).
struct BackgroundRun {
  std::string event_id;
  std::vector<uint32_t> hooks;  ///< of the children, then of the calls, then of the questions
  std::vector<ChildSpec> children;
  std::vector<TimedCall> calls;
  std::vector<WorkerRequest> questions;
};

/// Prepares the event's async hooks. They start only when the event goes on, see it as rewritten, and decide nothing.
/// Nothing when none is to start.
std::optional<BackgroundRun> detach_hooks(EventRun& run, const std::vector<uint32_t>& hooks);

}  // namespace grapnel
