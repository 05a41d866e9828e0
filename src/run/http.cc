#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/text.h"
#include "base/variables.h"
#include "model/http_url.h"
#include "run/runner.h"

/// Hooks that are a POST to a URL.
///
/// Everything that can be checked without the network is checked before the call starts (`prepare`): the rules about
/// hosts and URLs, and the headers. The addresses behind a host name are checked by the client when it connects, since
/// only then are they known. `send` then runs in a thread of its own and owns everything it uses.
namespace grapnel {

namespace {

using std::chrono::milliseconds;

/// Between two tries. The pause doubles after each try.
constexpr milliseconds kFirstPause{200};
constexpr milliseconds kLongestPause{5000};
/// How long the client may take to end a transfer after it was asked to stop.
constexpr milliseconds kStopGrace{500};

/// The POST of one hook, with everything that its thread needs. The event may be over before the thread is.
struct Posting {
  std::shared_ptr<HttpHookClient> http_client;
  HttpHookRequest request;
  std::string from;  ///< the URL as people may see it, for messages
  uint32_t retries = 0;
  milliseconds timeout{0};
};

/// Whether the text behind a `$` can be the name of a variable: `$5` in a header is a price.
bool is_name(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front());
}

/// The value of a header with its variables filled in. Only variables that the settings of the hook list are filled in,
/// so that a header cannot leak secrets. All others become empty, or stay as they are written if the dialect says so.
std::string header_value(const std::string& text, const HttpHandler& handler, const Dialect& dialect,
                         const Environment& env) {
  return expand_variables(text, [&](std::string_view name) -> std::optional<std::string> {
    const bool is_allowed = std::ranges::find(handler.allowed_env, name) != handler.allowed_env.end();
    const bool is_known = is_allowed && env.has(name);
    if (is_known) return std::string(env.get(name));
    return is_name(name) && !dialect.http.keeps_unknown_variables ? std::optional<std::string>("") : std::nullopt;
  });
}

/// A line break in a header would let its value add further headers to the request.
bool breaks_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

bool has_header(const HttpHookRequest& post, std::string_view name) {
  return std::ranges::any_of(post.headers, [&](const auto& header) { return text::to_lower(header.first) == name; });
}

/// Why the settings forbid this POST, or "" if they do not.
std::string reason_to_refuse(const HttpHandler& handler) {
  const auto url = HttpUrl::parse(handler.url);
  if (!url) return "its url " + url.error().message;
  const auto is_in = [](const std::vector<std::string>& patterns, const auto& matches) {
    return std::ranges::any_of(patterns, matches);
  };
  if (handler.needs_tls && !url->is_secure) return "only https URLs are allowed";
  if (!handler.allowed_hosts.empty() &&
      !is_in(handler.allowed_hosts, [&](const std::string& p) { return matches_host(p, *url); })) {
    return url->host + " is not among the allowed hosts";
  }
  if (handler.allowed_urls &&
      !is_in(*handler.allowed_urls, [&](const std::string& p) { return matches_url(p, *url); })) {
    return shown_url(handler.url) + " is not among the allowed URLs";
  }
  return "";
}

/// Fills in the request. Returns the ending of the hook if the request must not or cannot be sent.
std::optional<Ending> prepare(const HookSpec& hook, const RunContext& context, HttpHookRequest& post) {
  const auto& handler = std::get<HttpHandler>(hook.handler);
  if (!context.http_client) return NotStarted{"this host has no HTTP client for http hooks", 0};
  if (std::string why = reason_to_refuse(handler); !why.empty()) return NotAllowed{std::move(why)};
  for (const auto& [name, text] : handler.headers) {
    std::string value = header_value(text, handler, *hook.dialect, context.env);
    if (breaks_line(name) || breaks_line(value))
      return NotStarted{"its header '" + name + "' has a line break in it", 0};
    post.headers.emplace_back(name, std::move(value));
  }
  if (!has_header(post, "content-type")) post.headers.emplace_back("Content-Type", "application/json");
  post.url = handler.url;
  post.loopback_addresses = handler.loopback_addresses;
  post.private_addresses = handler.private_addresses;
  post.max_reply = handler.max_reply > 0 ? handler.max_reply : context.limits.max_output;
  return std::nullopt;
}

/// Whether a retry may help: there was no reply, or the server itself failed. A refusal would be the same again.
bool is_worth_another(const Result<HttpHookReply>& reply) {
  return reply ? reply->status >= 500 : reply.error().code == Errc::Unavailable;
}

/// Translates the reply, or the error of the client, into the outcome of the hook.
RunOutcome outcome_of(Result<HttpHookReply> reply, const Posting& posting) {
  RunOutcome outcome;
  if (reply) {
    const size_t kept = std::min(reply->body.size(), posting.request.max_reply);
    outcome.ending = Replied{reply->status, reply->body.size(), posting.from};
    outcome.out.dropped = reply->body.size() - kept;
    outcome.out.bytes = std::move(reply->body);
    outcome.out.bytes.resize(kept);
  } else if (reply.error().code == Errc::Refused) {
    outcome.ending = NotAllowed{posting.from + ": " + reply.error().message};
  } else {
    outcome.ending = NoReply{posting.from + ": " + reply.error().message, reply.error().code == Errc::LimitExceeded};
  }
  return outcome;
}

/// Waits before the next try. False if the hook was asked to stop in the meantime.
bool pause(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any told;
  std::unique_lock lock(mutex);
  told.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

/// Sends the POST, and repeats it while that is worth it. All tries together share the timeout of the hook.
RunOutcome send(Posting posting, const std::stop_token& stop) {
  const Deadline deadline = SteadyClock::now() + posting.timeout;
  milliseconds wait = kFirstPause;
  for (uint32_t tries = 0;; ++tries, wait = std::min(wait * 2, kLongestPause)) {
    posting.request.timeout = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
    Result<HttpHookReply> reply = posting.http_client->send(posting.request, stop);
    if (!reply && SteadyClock::now() >= deadline) {
      RunOutcome late;
      late.ending = TimedOut{posting.timeout};
      return late;
    }
    // If the deadline would pass during the pause, the reply of this try is the better answer than a timeout.
    const bool is_last = tries == posting.retries || SteadyClock::now() + wait >= deadline;
    if (is_last || !is_worth_another(reply) || !pause(wait, stop)) return outcome_of(std::move(reply), posting);
  }
}

}  // namespace

TimedCall post_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads) {
  const auto& handler = std::get<HttpHandler>(hook.handler);
  Posting posting{context.http_client, {}, shown_url(handler.url), handler.retries, hook.timeout};
  if (auto ending = prepare(hook, context, posting.request)) {
    // Even a POST that is refused is a call, so that its outcome takes the same way as all others.
    return {[ending = std::move(*ending)](const std::stop_token&) {
              RunOutcome outcome;
              outcome.ending = ending;
              return outcome;
            },
            hook.timeout, kStopGrace};
  }
  posting.request.body = *payloads.get(event, hook, context);
  return {[posting = std::move(posting)](const std::stop_token& stop) { return send(posting, stop); }, hook.timeout,
          kStopGrace};
}

}  // namespace grapnel
