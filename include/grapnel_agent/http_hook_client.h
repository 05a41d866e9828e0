#pragma once

#include <memory>

#include "grapnel/hook.h"

namespace grapnel::agent {

/// Sends the posts of `http` hooks: over TLS with certificates verified, to no proxy, following no redirect, and to
/// addresses of the public internet only, where a post does not say otherwise. For `EngineOptions::host.http_client`;
/// sessions that make their own engine have one. Thread: any.
std::shared_ptr<HttpHookClient> make_http_hook_client();

}  // namespace grapnel::agent
