#pragma once

#include "grapnel/hook.h"

#include "net/http_client.h"

namespace grapnel::agent {

/// One request for each post; which addresses it may reach is asked of every one that is really connected to, after
/// the name was looked up, so that a name which leads elsewhere a moment later gains nothing.
class NetHookClient final : public HttpHookClient {
 public:
  /// `base` has what all posts share: certificates, names, timeouts for connecting.
  explicit NetHookClient(net::HttpRequest base = {}) : base_(std::move(base)) {}

  Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token cancel) override;

 private:
  net::HttpRequest base_;
  net::HttpClient client_;
};

}  // namespace grapnel::agent
