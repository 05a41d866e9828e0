#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"
#include "model/hook_spec.h"

/// The second half of `grapnel bench`: what an agent waits for. The clock runs from the start of `grapnel fire` to its
/// end, with everything that the event runs in between.
namespace grapnel::cli {

/// What one event took, in the middle of all runs.
struct EventTimes {
  EventKind kind{};
  size_t hooks = 0;  ///< how many ran
  std::chrono::microseconds alone{0};
  std::chrono::microseconds served{0};  ///< with a server
};

/// An event that does nothing: a shell command `true`, a prompt `hello`.
Json harmless_payload(const std::string& project);

/// The middle one of some times. There must be one.
std::chrono::microseconds median(std::vector<std::chrono::microseconds> times);

/// After a hook that took that long when it was started for its event: how long the next process needs to come to its
/// input, or what a person or a model takes between two events if that is less.
std::chrono::microseconds pause_after(std::chrono::microseconds cold);

/// Fires each event that one of these hooks listens to, without a server and with one, which is started if none runs.
/// The hooks called `left_out` do not run. Fails: NotFound, System.
Result<std::vector<EventTimes>> measure_events(const std::vector<HookSpec>& hooks,
                                               const std::vector<std::string>& left_out, const std::string& project,
                                               const Environment& env, int runs);

}  // namespace grapnel::cli
