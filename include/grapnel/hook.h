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

/// Hooks that are functions of the host, and what a host provides so that other hooks can run.
///
/// A callback is a hook like any other: it is listed, ordered, timed and recorded, and its verdict is combined with
/// those of commands and rules. The host writes a function, describes it in a `CallbackHook` and registers it:
///
///   const auto no_force_push = [](const Event& event, std::stop_token) -> Effects {
///     if (!event.text(Field::ToolCommand).contains("push --force")) return {};   // no opinion
///     return {.verdict = Verdict::Deny, .reasons = {{"no-force-push", "Force pushes need a human."}}};
///   };
///   engine->register_callback({"no-force-push", {EventKind::PreToolUse}, no_force_push});
///
/// `Judge` and `HttpHookClient` are interfaces that a host implements and passes in `EngineOptions::host`; the library
/// itself talks to no model and to no server. `grapnel_agent` has an implementation of each. `CanUseTool` is the host's
/// own permission callback.
namespace grapnel {

/// A hook in the host's own process. `return {};` means that it has no opinion. If it throws, the hook has failed, and
/// `CallbackHook::on_failure` applies. `cancel` is triggered when the answer no longer matters.
///
/// Thread: called in the thread that fires the event, or in a separate one if the hook has a timeout.
using HookCallback = std::function<Effects(const Event& event, std::stop_token cancel)>;

/// Turns a callback whose answer comes later, for example one that returns a `std::future<Effects>`, into a hook. The
/// event waits in `get()` for as long as the hook's timeout allows.
template <class Call>
  requires requires(Call call, const Event& event, std::stop_token cancel) {
    { call(event, cancel).get() } -> std::convertible_to<Effects>;
  }
HookCallback wait_for(Call call) {
  return [call = std::move(call)](const Event& event, std::stop_token cancel) -> Effects {
    return call(event, std::move(cancel)).get();
  };
}

/// The failure policy of a hook: what happens to the event if the hook fails instead of answering. `Open` lets it pass,
/// `Ask` asks a person, `Closed` denies it.
enum class OnFailure : uint8_t { Open, Ask, Closed };
/// `open`, `ask`, `closed`.
std::string_view to_string(OnFailure policy);

/// A question to a model about an event, from a `prompt` or `agent` hook.
struct Judgement {
  std::string prompt;  ///< the question, with the event in it
  std::string model;   ///< "" for the model that the judge uses by default
  /// False: one call of the model. True: a subagent that may read files before it answers.
  bool with_tools = false;
  uint32_t max_turns = 0;  ///< 0: the judge's own limit
  uint32_t depth = 0;      ///< how many judges are nested around this one
  std::string directory;   ///< the directory whose files it may read
  std::chrono::milliseconds timeout{0};
};

/// Answers the questions of `prompt` and `agent` hooks; the host implements it, or uses `make_judge` from
/// grapnel_agent/judge.h. Thread: any.
class Judge {
 public:
  virtual ~Judge() = default;
  /// The text of the model's final answer; the engine reads the verdict out of it. Fails: Unavailable if no model is
  /// configured or it cannot be reached.
  virtual Result<std::string> judge(const Judgement& question, std::stop_token cancel) = 0;
};

/// The POST request of an `http` hook.
struct HttpHookRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool loopback_addresses = false;  ///< allows requests to this machine
  bool private_addresses = false;   ///< allows requests to private and link-local networks
  size_t max_reply = 0;             ///< limit, in bytes
  std::chrono::milliseconds timeout{0};
};

/// The server's reply, whatever its status is.
struct HttpHookReply {
  int status = 0;
  std::string content_type;
  std::string body;
};

/// Sends the requests of `http` hooks; the host implements it, or uses `make_http_hook_client` from
/// grapnel_agent/http_hook_client.h. Thread: any.
class HttpHookClient {
 public:
  virtual ~HttpHookClient() = default;
  /// Sends the request once and follows no redirect. It must check the address that it really connects to, not only the
  /// name in the URL, because a name can point to a private network. A reply with any status is a success.
  ///
  /// Fails: Unavailable if there is no reply or only a part of it; LimitExceeded if it is too long; Refused if the
  /// address is not allowed; Cancelled.
  virtual Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token cancel) = 0;
};

/// The description of a callback, for `Engine::register_callback`.
struct CallbackHook {
  std::string name;  ///< must be unique among the callbacks of the engine
  std::vector<EventKind> events;
  HookCallback call;
  /// The tools that it is called for: names separated by `|`, or a regular expression over the canonical tool name; ""
  /// for all.
  std::string tools = {};
  /// 0: no limit, and the callback runs in the thread that fires the event.
  std::chrono::milliseconds timeout{0};
  /// Hooks with a higher priority run first.
  int priority = 100;
  OnFailure on_failure = OnFailure::Open;
  /// Whether it runs before the callbacks of the same priority that were registered earlier.
  bool last_in_first = false;
  /// Called when the callback has answered, failed or run out of time, before the next hook starts; may be empty. Gets
  /// what became of the callback, and the effects of all hooks so far. Exceptions are dropped. Thread: the one that
  /// fires the event.
  std::function<void(const HookFate& fate, const Effects& so_far)> ended = {};
};

/// A tool call, as the permission callback sees it.
struct ToolUse {
  std::string name;  ///< as the host spells it
  Json input;
  std::string use_id;
  /// What the call can do: only read, write files, execute something, or use an MCP server.
  ToolAccess access = ToolAccess::Execute;
};

/// The answer of a permission callback. `Deny` refuses the call. `Allow` runs it without a question, unless a rule of
/// the host forbids it. `Ask` wants a confirmation: PermissionRequest hooks are asked next, and then a person. `Pass`
/// is no opinion: the host goes on as if it had no callback.
struct PermissionAnswer {
  Verdict verdict = Verdict::Ask;
  std::string message = {};
};

/// The host's permission callback. It is called first, before rules, modes and PermissionRequest hooks, and for every
/// tool call, including those that would be allowed anyway. If it throws, that counts as `Ask`. It should return soon
/// if `cancel` is triggered.
using CanUseTool = std::function<PermissionAnswer(const ToolUse& use, std::stop_token cancel)>;

}  // namespace grapnel
