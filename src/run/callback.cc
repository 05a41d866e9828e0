#include <exception>

#include "base/clock.h"
#include "run/runner.h"

namespace grapnel {

namespace {

/// May throw, because the function belongs to the host. Both callers catch that with `make_safely`.
RunOutcome outcome_of(const HookCallback& call, const Event& event, std::stop_token stop) {
  RunOutcome outcome;
  outcome.ending = Returned{call(event, std::move(stop))};
  return outcome;
}

}  // namespace

RunOutcome run_callback(const HookSpec& hook, const Event& event, const RunContext& context) {
  const HookCallback& call = std::get<CallbackHandler>(hook.handler).call;
  if (hook.timeout.count() > 0) {
    // The thread may outlive this function, so it gets copies of the callback and of the event. There is no grace: a
    // callback that is late is asked to stop and left behind at once.
    const TimedCall timed{[call, event](std::stop_token stop) { return outcome_of(call, event, std::move(stop)); },
                          hook.timeout};
    return std::move(run_calls({timed}, 1, context.cancel).front());
  }
  const Deadline started = SteadyClock::now();
  RunOutcome outcome;
  if (context.cancel.cancelled()) {
    outcome.ending = Cancelled{};
  } else {
    outcome = make_safely([&] { return outcome_of(call, event, context.stop); });
    // As in timed_call.h, a cancel outweighs an answer: a callback that was asked to stop returns anything.
    if (context.cancel.cancelled()) outcome.ending = Cancelled{};
  }
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
  return outcome;
}

}  // namespace grapnel
