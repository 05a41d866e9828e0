#pragma once

#include <memory>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// The delegated task `http`: the request of an `http` hook, and the reply to it, as JSON.
namespace grapnel::cli {

inline constexpr std::string_view kHttpTask = "http";

/// Both sides of the request: `grapnel` writes it, `grapnel-agent` reads it.
Json write_http_request(const HttpHookRequest& request);
/// Fails: BadInput.
Result<HttpHookRequest> read_http_request(const Json& json);

/// Both sides of the reply. Bytes that are not valid UTF-8 are replaced, because JSON cannot hold them.
Json write_reply(const HttpHookReply& reply);
HttpHookReply read_reply(const Json& json);

/// A client that starts `grapnel-agent` for each request.
std::shared_ptr<HttpHookClient> make_delegating_http_client(const Environment& env);

}  // namespace grapnel::cli
