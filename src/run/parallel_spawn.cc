#include "run/parallel_spawn.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <system_error>
#include <thread>

#include "os/signals_blocked.h"

namespace grapnel {
namespace {

/// For fewer a thread takes as long to start as it saves.
constexpr size_t kLeastShare = 2;
constexpr size_t kMaxShares = 4;

size_t count_shares(size_t children) {
  const size_t most = std::min(children / kLeastShare, kMaxShares);
  return most < 2 ? 1 : std::clamp<size_t>(std::thread::hardware_concurrency(), 1, most);
}

/// What one thread runs.
struct Share {
  std::span<const ChildSpec> specs;
  std::vector<RunOutcome> outcomes = {};
  std::jthread thread = {};
};

/// False where there is no thread to be had.
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
    share.specs = specs.last(size);
    if (!start(share, run)) break;
    specs = specs.first(specs.size() - size);
  }
  std::vector<RunOutcome> outcomes = run_children(specs, 0, limits, cancel, {.calls = calls}, others);
  for (Share& share : std::views::reverse(given)) {
    if (share.thread.joinable()) share.thread.join();
    std::ranges::move(share.outcomes, std::back_inserter(outcomes));
  }
  return outcomes;
}

}  // namespace grapnel
