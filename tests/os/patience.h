#pragma once

#include <chrono>
#include <thread>

namespace grapnel::testing {

/// Never reached by what works, however busy the machine is, and however long it stands still. What would take longer,
/// if it were waited for, sleeps 600.
constexpr std::chrono::milliseconds kLong = std::chrono::seconds(200);

/// Whether it comes true, for which it gets `kLong`.
template <typename Condition>
bool becomes_true(Condition condition) {
  for (const auto end = std::chrono::steady_clock::now() + kLong; !condition();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace grapnel::testing
