#pragma once

#include "grapnel/hook.h"

#include "net/http_client.h"

namespace grapnel::agent {

/// Sends http hooks. Each hook becomes one POST request.
///
/// The address check runs on every address that a connection is really opened to, after the name was resolved. A host
/// name that resolves to a public address first and to a private one later (DNS rebinding) therefore gains nothing.
class NetHookClient final : public HttpHookClient {
 public:
  /// `base` carries the settings that all requests share: certificates, name overrides, timeouts for connecting.
  explicit NetHookClient(net::HttpRequest base = {}) : base_(std::move(base)) {}

  Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token cancel) override;

 private:
  net::HttpRequest base_;
  net::HttpClient client_;
};

}  // namespace grapnel::agent
