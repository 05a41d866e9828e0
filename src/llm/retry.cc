#include "llm/retry.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

/// The pauses are 1, 2, 4, … times `first_pause`, up to `longest_pause`. A server that names a pause gets at least that
/// one, but a pause longer than the policy allows means giving up: the user should not wait that long without a word.
namespace grapnel::llm {

std::optional<std::chrono::milliseconds> pause_before_retry(const RetryPolicy& policy, int tries,
                                                            std::optional<std::chrono::seconds> asked_for) {
  if (tries > policy.retries) return std::nullopt;
  std::chrono::milliseconds pause = policy.first_pause;
  for (int i = 1; i < tries && pause < policy.longest_pause; ++i) pause *= 2;
  pause = std::min(pause, policy.longest_pause);
  if (!asked_for) return pause;
  if (*asked_for > policy.longest_pause) return std::nullopt;
  return std::max<std::chrono::milliseconds>(pause, *asked_for);
}

/// Nothing notifies the condition. The wait ends after the pause, or at once with the stop request.
bool sleep_for(std::chrono::milliseconds pause, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, pause, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace grapnel::llm
