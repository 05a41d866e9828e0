#include "agent/http_hook_client.h"

#include "grapnel_agent/http_hook_client.h"
#include "net/address.h"

namespace grapnel::agent {

namespace {

/// The transfer's limit includes the headers of the reply, the hook's limit does not: this is the allowance for them.
constexpr size_t kMaxHead = size_t{64} << 10;

/// Whether a hook may connect to this kind of address. Reserved ranges (multicast and the like) are never allowed.
bool may_reach(net::AddressKind kind, bool loopback, bool private_networks) {
  switch (kind) {
    case net::AddressKind::Public:
      return true;
    case net::AddressKind::Loopback:
      return loopback;
    case net::AddressKind::Private:
    case net::AddressKind::LinkLocal:
      return private_networks;
    case net::AddressKind::Reserved:
      return false;
  }
  return false;
}

/// Translates a transfer error into one that the hook's outcome can show.
Error error_of(const net::HttpError& error, size_t max_reply) {
  switch (error.kind) {
    case net::HttpFailure::RefusedAddress:
      return {Errc::Refused, "hooks may not post to this machine or to private networks", std::nullopt, 0};
    case net::HttpFailure::BadRequest:
      return {Errc::BadInput, error.message, std::nullopt, 0};
    case net::HttpFailure::TooLarge:
      return {Errc::LimitExceeded, "the answer is larger than " + std::to_string(max_reply) + " bytes", std::nullopt,
              0};
    case net::HttpFailure::Cancelled:
      return {Errc::Cancelled, error.message, std::nullopt, 0};
    default:
      return {Errc::Unavailable, error.message, std::nullopt, 0};
  }
}

}  // namespace

Result<HttpHookReply> NetHookClient::send(const HttpHookRequest& request, std::stop_token cancel) {
  net::HttpRequest sent = base_;
  sent.method = "POST";
  sent.url = request.url;
  sent.body = request.body;
  sent.timeouts.total = request.timeout;
  sent.max_response_bytes = request.max_reply + kMaxHead;
  for (const auto& [name, value] : request.headers) sent.headers.push_back({name, value});
  // The engine decides per hook which networks are allowed. The check runs here, on the resolved address.
  sent.allow_address = [loopback = request.loopback_addresses,
                        nets = request.private_addresses](const sockaddr& address) {
    return may_reach(net::kind_of_address(address), loopback, nets);
  };
  auto response = client_.send(sent, {}, std::move(cancel));
  // Small headers leave part of the allowance unused, so a body slightly over the hook's limit can still arrive.
  if (response && response->body.size() > request.max_reply) {
    response = std::unexpected(net::HttpError{.kind = net::HttpFailure::TooLarge});
  }
  if (!response) return std::unexpected(error_of(response.error(), request.max_reply));
  return HttpHookReply{response->status, std::string(response->header("content-type")), std::move(response->body)};
}

/// The public factory: embedders use it without seeing `net/`.
std::shared_ptr<HttpHookClient> make_http_hook_client() {
  return std::make_shared<NetHookClient>();
}

}  // namespace grapnel::agent
