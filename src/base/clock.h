#pragma once

#include <chrono>
#include <string>

namespace grapnel {

/// Deadlines use the steady clock, which nobody can set back.
using SteadyClock = std::chrono::steady_clock;
using Deadline = SteadyClock::time_point;

/// Where wall-clock time comes from, so that tests can fix it. Thread: any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::system_clock::time_point now() const = 0;
};

/// The system's clock.
const Clock& system_clock();

/// ISO-8601 in UTC with milliseconds: `2026-01-02T03:04:05.678Z`.
std::string format_timestamp(std::chrono::system_clock::time_point t);

}  // namespace grapnel
