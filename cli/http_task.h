#pragma once

#include <memory>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// The delegated task `http`: an `http` hook's request as JSON, and the reply to it.
namespace grapnel::cli {

inline constexpr std::string_view kHttpTask = "http";

Json write_http_request(const HttpHookRequest& request);
/// Fails: BadInput.
Result<HttpHookRequest> read_http_request(const Json& json);

/// A body that is no UTF-8 is made so.
Json write_reply(const HttpHookReply& reply);
HttpHookReply read_reply(const Json& json);

/// Has `grapnel-agent` send the requests, each in a process of its own.
std::shared_ptr<HttpHookClient> make_delegating_http_client(const Environment& env);

}  // namespace grapnel::cli
