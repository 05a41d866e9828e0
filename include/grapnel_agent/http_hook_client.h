#pragma once

#include <memory>

#include "grapnel/hook.h"

namespace grapnel::agent {

/// The client that sends the requests of `http` hooks, for `EngineOptions::host.http_client`:
///
///   options.host.http_client = agent::make_http_hook_client();
///
/// It verifies TLS certificates, uses no proxy, follows no redirects, and connects only to addresses of
/// the public internet unless the request allows others. Sessions of the agent that create their own engine already
/// have one. Thread: any.
std::shared_ptr<HttpHookClient> make_http_hook_client();

}  // namespace grapnel::agent
