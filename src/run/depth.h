#pragma once

#include <charconv>
#include <string>

#include "base/environment.h"

namespace grapnel {

/// Tells a hook how many hooks it is nested in, itself included. A hook that fires its own event again would otherwise
/// never end.
inline constexpr std::string_view kDepthVariable = "GRAPNEL_DEPTH";
/// A hook may fire events, and so may an agent that a hook starts. Nobody needs deeper nesting than this on purpose, so
/// `grapnel fire` refuses an event that is nested deeper.
inline constexpr int kDeepest = 3;

/// How many hooks a process with this environment is nested in: 0 outside of hooks, or if the variable is not a number.
inline int depth_of(const Environment& env) {
  const std::string_view text = env.get(kDepthVariable);
  int depth = 0;
  std::from_chars(text.data(), text.data() + text.size(), depth);
  return depth;
}

}  // namespace grapnel
