#include "run/parallel_spawn.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <system_error>
#include <thread>

#include "os/signals_blocked.h"

namespace grapnel {
namespace {

/// With fewer children per thread, starting the thread takes as long as it saves.
constexpr size_t kLeastShare = 2;
constexpr size_t kMaxShares = 4;

/// How many threads run the children, the calling thread included. 1 means: no further thread.
size_t count_shares(size_t children) {
  const size_t most = std::min(children / kLeastShare, kMaxShares);
  return most < 2 ? 1 : std::clamp<size_t>(std::thread::hardware_concurrency(), 1, most);
}

/// The children that one thread runs, and their outcomes.
struct Share {
  std::span<const ChildSpec> specs;
  std::vector<RunOutcome> outcomes = {};
  std::jthread thread = {};
};

/// Starts the thread of a share. False if the system has no thread left. Signals are blocked meanwhile, and the new
/// thread inherits that: signals of the host must not be delivered to our threads.
template <typename Run>
bool start(Share& share, const Run& run) {
  const os::SignalsBlocked blocked;
  try {
    share.thread = std::jthread([&share, &run] { share.outcomes = run(share.specs); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace

std::vector<RunOutcome> run_in_shares(std::span<const ChildSpec> specs, const ChildLimits& limits,
                                      const os::CancelToken& cancel, const os::Calls& calls,
                                      std::span<const std::unique_ptr<Pollable>> others) {
  const auto run = [&](std::span<const ChildSpec> share) {
    return run_children(share, 0, limits, cancel, {.calls = calls});
  };
  std::vector<Share> given(count_shares(specs.size()) - 1);
  const size_t size = specs.size() / (given.size() + 1);
  for (Share& share : given) {
    // Shares are taken from the end, so that the calling thread keeps the first children, and everything that found no
    // thread.
    share.specs = specs.last(size);
    if (!start(share, run)) break;
    specs = specs.first(specs.size() - size);
  }
  std::vector<RunOutcome> outcomes = run_children(specs, 0, limits, cancel, {.calls = calls}, others);
  // The first share given away holds the last children: going backwards restores their order.
  for (Share& share : std::views::reverse(given)) {
    if (share.thread.joinable()) share.thread.join();
    std::ranges::move(share.outcomes, std::back_inserter(outcomes));
  }
  return outcomes;
}

}  // namespace grapnel
