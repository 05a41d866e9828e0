#pragma once

#include "grapnel/hook.h"

#include "net/http_client.h"

namespace grapnel::agent {

/// One request for each post; which addresses it may reach is asked of every one that is really connected to, after
/// the name was looked up, so that a name which leads elsewhere a moment later gains nothing.
class HttpPoster final : public HookPoster {
 public:
  /// `base` has what all posts share: certificates, names, timeouts for connecting.
  explicit HttpPoster(net::HttpRequest base = {}) : base_(std::move(base)) {}

  Result<HookReply> post(const HookPost& post, std::stop_token cancel) override;

 private:
  net::HttpRequest base_;
  net::HttpClient client_;
};

}  // namespace grapnel::agent
