#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

namespace grapnel::llm {

/// How often a call is tried again, and after which pause: twice as long each time, or as long as the server asks for.
struct RetryPolicy {
  int retries = 3;
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{30'000};
};

/// The pause before try number `tries + 1`; nothing when there is to be none: too many tries, or the server asks for
/// more patience than we have. Pure.
std::optional<std::chrono::milliseconds> pause_before_retry(const RetryPolicy& policy, int tries,
                                                            std::optional<std::chrono::seconds> asked_for);

/// Waits; false when stopped before. Tests put their own in its place.
using Sleep = std::function<bool(std::chrono::milliseconds, const std::stop_token&)>;
bool sleep_for(std::chrono::milliseconds pause, const std::stop_token& stop);

}  // namespace grapnel::llm
