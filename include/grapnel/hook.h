#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/error.h"
#include "grapnel/event.h"
#include "grapnel/tool.h"

namespace grapnel {

/// A hook in the host's own process. Exceptions count as the hook's failure; `cancel` says when the answer no longer
/// matters.
/// Thread: called from the thread that fires, or from one of its own when the hook has a timeout.
using HookCallback = std::function<Effects(const Event& event, std::stop_token cancel)>;

/// Makes a hook of a callback whose answer comes later, one that returns a `std::future<Effects>` for example. The
/// event waits for `get()`, as long as the hook's timeout allows.
template <class Call>
  requires requires(Call call, const Event& event, std::stop_token cancel) {
    { call(event, cancel).get() } -> std::convertible_to<Effects>;
  }
HookCallback wait_for(Call call) {
  return [call = std::move(call)](const Event& event, std::stop_token cancel) -> Effects {
    return call(event, std::move(cancel)).get();
  };
}

/// What a verdict becomes when a hook fails instead of answering.
enum class OnFailure : uint8_t { Open, Ask, Closed };
std::string_view to_string(OnFailure policy);

/// A question to a model about an event, from a `prompt` or `agent` hook.
struct Judgement {
  std::string prompt;       ///< with the event in it
  std::string model;        ///< "" for the judge's own
  bool with_tools = false;  ///< a sub-agent that may read files, rather than one call
  uint32_t max_turns = 0;   ///< 0: the judge's own limit
  uint32_t depth = 0;       ///< how many judges are above this one
  std::string directory;    ///< whose files it may read
  std::chrono::milliseconds timeout{0};
};

/// Who answers `prompt` and `agent` hooks. Thread: any.
class Judge {
 public:
  virtual ~Judge() = default;
  /// The model's last words. Fails: Unavailable when no model is configured or it cannot be reached.
  virtual Result<std::string> judge(const Judgement& question, std::stop_token cancel) = 0;
};

/// What an `http` hook sends.
struct HttpHookRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool loopback_addresses = false;  ///< this machine may be talked to…
  bool private_addresses = false;   ///< …and private and link-local networks, which by default may not
  size_t max_reply = 0;             ///< bytes
  std::chrono::milliseconds timeout{0};
};

struct HttpHookReply {
  int status = 0;
  std::string content_type;
  std::string body;
};

/// Who sends the posts of `http` hooks. Thread: any.
class HttpHookClient {
 public:
  virtual ~HttpHookClient() = default;
  /// One try: follows no redirect, and looks at the addresses that it really connects to. Whatever has a status is a
  /// reply. Fails: Unavailable when there was none or not all of it, LimitExceeded when it is too long, Refused when
  /// the address may not be talked to, Cancelled.
  virtual Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token cancel) = 0;
};

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
