#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/error.h"

namespace grapnel::conformance {

/// A server in a case's own words: the first post gets the first of `replies` and so on, further ones the last.
/// `{"status": 200, "body": …}` is a reply, an object or list as its body is written as JSON; `{"refused": "why"}` and
/// `{"unavailable": "why"}` are none.
class ScriptedHttpClient final : public HttpHookClient {
 public:
  explicit ScriptedHttpClient(Json replies) : replies_(std::move(replies)) {}

  Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, Json>> headers;
    for (const auto& [name, value] : request.headers) headers.emplace_back(name, Json::string(value));
    posts_.push_back(Json::object({{"url", Json::string(request.url)},
                                   {"headers", Json::object(headers)},
                                   {"body", Json::parse(request.body).value_or(Json())},
                                   {"loopback", Json::boolean(request.loopback_addresses)},
                                   {"private", Json::boolean(request.private_addresses)},
                                   {"max_reply", Json::number(static_cast<int64_t>(request.max_reply))}}));
    const Json reply = replies_.at(std::min(posts_.size(), replies_.size()) - 1);
    if (const auto why = reply["refused"].as_string()) return fail(Errc::Refused, *why);
    if (const auto why = reply["unavailable"].as_string()) return fail(Errc::Unavailable, *why);
    const Json body = reply["body"];
    return HttpHookReply{static_cast<int>(reply["status"].as_integer().value_or(200)), "",
                         body ? body.as_string().value_or(body.dump()) : ""};
  }

  /// What was sent, and from now on nothing.
  std::vector<Json> take_posts() {
    const std::lock_guard lock(mutex_);
    return std::exchange(posts_, {});
  }

 private:
  std::mutex mutex_;
  Json replies_;
  std::vector<Json> posts_;
};

}  // namespace grapnel::conformance
