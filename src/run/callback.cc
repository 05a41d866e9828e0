#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "run/runner.h"

namespace grapnel {

namespace {

/// How often a waiting thread looks whether the host gave up.
constexpr std::chrono::milliseconds kCancelPoll{10};

Ending call_safely(const HookCallback& call, const Event& event, const std::stop_token& stop) {
  try {
    return Returned{call(event, stop)};
  } catch (const std::exception& e) {
    return Threw{e.what()};
  } catch (...) {
    return Threw{"something that is no std::exception"};
  }
}

/// Shared with the callback's thread, which may outlive the wait.
struct Pending {
  std::mutex mutex;
  std::condition_variable done;
  std::optional<Ending> ending;
};

Ending call_with_timeout(const HookSpec& hook, const HookCallback& call, const Event& event,
                         const os::CancelToken& cancel) {
  auto pending = std::make_shared<Pending>();
  std::stop_source stop;
  std::thread([pending, call, event, token = stop.get_token()] {
    Ending ending = call_safely(call, event, token);
    const std::lock_guard lock(pending->mutex);
    pending->ending = std::move(ending);
    pending->done.notify_all();
  }).detach();

  const Deadline deadline = SteadyClock::now() + hook.timeout;
  std::unique_lock lock(pending->mutex);
  while (!pending->ending) {
    const Deadline now = SteadyClock::now();
    if (cancel.cancelled() || now >= deadline) {
      stop.request_stop();
      if (cancel.cancelled()) return Cancelled{};
      return TimedOut{hook.timeout};
    }
    pending->done.wait_until(lock, cancel.can_cancel() ? std::min(deadline, now + kCancelPoll) : deadline);
  }
  return std::move(*pending->ending);
}

}  // namespace

HookCallback wait_for(AsyncHookCallback call) {
  return [call = std::move(call)](const Event& event, std::stop_token cancel) {
    return call(event, std::move(cancel)).get();
  };
}

RunOutcome run_callback(const HookSpec& hook, const Event& event, const RunContext& context) {
  const HookCallback& call = std::get<CallbackHandler>(hook.handler).call;
  const Deadline started = SteadyClock::now();
  RunOutcome outcome;
  if (context.cancel.cancelled()) {
    outcome.ending = Cancelled{};
  } else if (hook.timeout.count() > 0) {
    outcome.ending = call_with_timeout(hook, call, event, context.cancel);
  } else {
    outcome.ending = call_safely(call, event, context.stop);
  }
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
  return outcome;
}

}  // namespace grapnel
