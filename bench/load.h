#pragma once

#include <chrono>
#include <cstddef>
#include <string>

/// Many events at once, of all kinds of hooks, for a while: the rate at which processes are started, how long the
/// slowest events take, and whether all threads get their share. Beside it the same processes from a bare loop.
namespace grapnel::bench {

/// Kept: processes are started with what every hook is promised and nothing else; the engine has the other events.
enum class LoadBy { Floor, Kept, Grapnel };

/// One JSON object: processes per second, median and p99 of shell hooks in nanoseconds, events of the slowest and of
/// the fastest thread.
std::string run_load(LoadBy by, size_t threads, std::chrono::milliseconds time);

}  // namespace grapnel::bench
