#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/text.h"
#include "model/http_url.h"
#include "run/runner.h"
#include "run/variables.h"

namespace grapnel {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{200};
constexpr milliseconds kLongestPause{5000};
/// For a http_client to end what it was told to end.
constexpr milliseconds kStopGrace{500};

/// One hook's post, with all that its thread needs when everything else is gone.
struct Posting {
  std::shared_ptr<HttpHookClient> http_client;
  HttpHookRequest request;
  std::string from;
  uint32_t retries = 0;
  milliseconds timeout{0};
};

bool is_name(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front());
}

/// A header's value with the variables that it may name. What it may not name is empty, or stays as it is written.
std::string header_value(const std::string& text, const HttpHandler& handler, const Dialect& dialect,
                         const Environment& env) {
  return expand_variables(text, [&](std::string_view name) -> std::optional<std::string> {
    const bool is_allowed = std::ranges::find(handler.allowed_env, name) != handler.allowed_env.end();
    const bool is_known = is_allowed && env.has(name);
    if (is_known) return std::string(env.get(name));
    return is_name(name) && !dialect.http.keeps_unknown_variables ? std::optional<std::string>("") : std::nullopt;
  });
}

bool breaks_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

bool has_header(const HttpHookRequest& post, std::string_view name) {
  return std::ranges::any_of(post.headers, [&](const auto& header) { return text::to_lower(header.first) == name; });
}

/// Why a rule forbids the post, or "".
std::string reason_to_refuse(const HttpHandler& handler) {
  const auto url = HttpUrl::parse(handler.url);
  if (!url) return "its url " + url.error().message;
  const auto is_in = [](const std::vector<std::string>& patterns, const auto& matches) {
    return std::ranges::any_of(patterns, matches);
  };
  if (handler.needs_tls && !url->is_secure) return "only https may be posted to";
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

/// Why it cannot be sent, or nothing with the post filled in.
std::optional<Ending> prepare(const HookSpec& hook, const RunContext& context, HttpHookRequest& post) {
  const auto& handler = std::get<HttpHandler>(hook.handler);
  if (!context.http_client) return NotStarted{"nobody sends the posts of http hooks here", 0};
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

bool is_worth_another(const Result<HttpHookReply>& reply) {
  return reply ? reply->status >= 500 : reply.error().code == Errc::Unavailable;
}

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

/// False when it was stopped.
bool pause(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any told;
  std::unique_lock lock(mutex);
  told.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

/// All tries share the hook's time.
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
    const bool is_last = tries == posting.retries || SteadyClock::now() + wait >= deadline;
    if (is_last || !is_worth_another(reply) || !pause(wait, stop)) return outcome_of(std::move(reply), posting);
  }
}

}  // namespace

TimedCall post_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads) {
  const auto& handler = std::get<HttpHandler>(hook.handler);
  Posting posting{context.http_client, {}, shown_url(handler.url), handler.retries, hook.timeout};
  if (auto ending = prepare(hook, context, posting.request)) {
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
