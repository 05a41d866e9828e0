#pragma once

#include <chrono>
#include <cstddef>
#include <string>

/// Fires many events of all kinds at once for a while, and measures how many processes are started per second, how long
/// the slowest events take, and whether all threads get their share. For comparison, a bare loop starts the same
/// processes.
namespace grapnel::bench {

/// Kept: the bare loop starts processes with what Grapnel guarantees for every hook, and the engine handles the other
/// events.
enum class LoadBy { Floor, Kept, Grapnel };

/// Returns a JSON object: processes per second, median and p99 of shell hooks in nanoseconds, and how many events the
/// slowest and the fastest thread handled.
std::string run_load(LoadBy by, size_t threads, std::chrono::milliseconds time);

}  // namespace grapnel::bench
