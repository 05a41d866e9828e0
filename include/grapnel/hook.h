#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/event.h"

namespace grapnel {

/// A hook in the host's own process. Exceptions count as the hook's failure; `cancel` says when the answer no longer
/// matters.
/// Thread: called from the thread that fires, or from one of its own when the hook has a timeout.
using HookCallback = std::function<Effects(const Event& event, std::stop_token cancel)>;

/// What a verdict becomes when a hook fails instead of answering.
enum class OnFailure : uint8_t { Open, Ask, Closed };
std::string_view to_string(OnFailure policy);

/// How to register a callback.
struct CallbackHook {
  std::string name;  ///< must be unique among callbacks of the engine
  std::vector<EventKind> events;
  HookCallback call;
  std::string tools = {};                ///< names separated by `|`, or a regex over the canonical tool name; "" is all
  std::chrono::milliseconds timeout{0};  ///< 0: none, and the callback runs in the calling thread
  int priority = 100;
  OnFailure on_failure = OnFailure::Open;
};

}  // namespace grapnel
