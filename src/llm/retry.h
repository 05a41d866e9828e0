#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

namespace grapnel::llm {

/// How often a call is repeated, and after which pause. The pause doubles each time, unless the server asks for its
/// own.
struct RetryPolicy {
  int retries = 3;
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{30'000};
};

/// The pause before attempt `tries + 1`. Nothing means: do not try again, because there were too many attempts or the
/// server asks for a longer pause than the policy allows. Pure.
std::optional<std::chrono::milliseconds> pause_before_retry(const RetryPolicy& policy, int tries,
                                                            std::optional<std::chrono::seconds> asked_for);

/// Waits. Returns false when it was stopped early. Tests replace it.
using Sleep = std::function<bool(std::chrono::milliseconds, const std::stop_token&)>;
bool sleep_for(std::chrono::milliseconds pause, const std::stop_token& stop);

}  // namespace grapnel::llm
