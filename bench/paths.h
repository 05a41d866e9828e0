#pragma once

#include <functional>
#include <span>

/// The in-process paths: what one event, or one stage of it, costs. `stage_bench` times them, `count_bench` counts
/// their instructions. Both use these definitions, so that they measure the same.
namespace grapnel::bench {

struct Path {
  const char* name;  ///< `stage/variant`
  /// Does everything that happens only once, and returns the function to measure.
  std::function<std::function<void()>()> prepare;
  /// Whether every run takes the same number of instructions, so that it can be compared with `baseline.json`.
  bool is_counted = true;
};

std::span<const Path> paths();

}  // namespace grapnel::bench
