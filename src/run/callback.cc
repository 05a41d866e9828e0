#include <exception>

#include "base/clock.h"
#include "run/runner.h"

namespace grapnel {

namespace {

RunOutcome outcome_of(const HookCallback& call, const Event& event, std::stop_token stop) {
  RunOutcome outcome;
  outcome.ending = Returned{call(event, std::move(stop))};
  return outcome;
}

}  // namespace

RunOutcome run_callback(const HookSpec& hook, const Event& event, const RunContext& context) {
  const HookCallback& call = std::get<CallbackHandler>(hook.handler).call;
  if (hook.timeout.count() > 0) {
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
  }
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
  return outcome;
}

}  // namespace grapnel
