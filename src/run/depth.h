#pragma once

#include <charconv>
#include <string>

#include "base/environment.h"

namespace grapnel {

/// Says a hook how many hooks it is inside of, itself included. One that hands its event back to us would never end.
inline constexpr std::string_view kDepthVariable = "GRAPNEL_DEPTH";
/// A hook may fire events, and so may an agent that a hook starts; below that nobody does so on purpose.
inline constexpr int kDeepest = 3;

/// How many hooks a process with this environment is inside of.
inline int depth_of(const Environment& env) {
  const std::string_view text = env.get(kDepthVariable);
  int depth = 0;
  std::from_chars(text.data(), text.data() + text.size(), depth);
  return depth;
}

}  // namespace grapnel
