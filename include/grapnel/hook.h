#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/event.h"
#include "grapnel/tool.h"

namespace grapnel {

/// A hook in the host's own process. Exceptions count as the hook's failure; `cancel` says when the answer no longer
/// matters.
/// Thread: called from the thread that fires, or from one of its own when the hook has a timeout.
using HookCallback = std::function<Effects(const Event& event, std::stop_token cancel)>;

/// A callback whose answer comes later: the event waits for it, as long as the hook's timeout allows.
using AsyncHookCallback = std::function<std::future<Effects>(const Event& event, std::stop_token cancel)>;
HookCallback wait_for(AsyncHookCallback call);

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
  bool last_in_first = false;  ///< runs before callbacks of its priority that were registered earlier
};

/// What a permission callback is told besides the call.
struct ToolUse {
  std::string name;  ///< as the host spells it
  Json input;
  std::string use_id;
  ToolAccess access = ToolAccess::Execute;
};

/// `Allow` and `Deny` are final; anything else leaves it to PermissionRequest hooks and then to a person.
struct PermissionAnswer {
  Verdict verdict = Verdict::Ask;
  std::string message = {};
};

/// Asked first whenever a tool call needs permission. Exceptions count as `Ask`.
using CanUseTool = std::function<PermissionAnswer(const ToolUse& use, std::stop_token cancel)>;

}  // namespace grapnel
