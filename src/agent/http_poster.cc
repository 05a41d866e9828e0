#include "agent/http_poster.h"

#include "grapnel_agent/http_poster.h"
#include "net/address.h"

namespace grapnel::agent {

namespace {

/// The head of a reply counts too.
constexpr size_t kMaxHead = size_t{64} << 10;

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

Error error_of(const net::HttpError& error, size_t max_reply) {
  switch (error.kind) {
    case net::HttpFailure::RefusedAddress:
      return {Errc::Refused, "this machine and private networks may not be posted to", std::nullopt, 0};
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

Result<HookReply> HttpPoster::post(const HookPost& post, std::stop_token cancel) {
  net::HttpRequest request = base_;
  request.method = "POST";
  request.url = post.url;
  request.body = post.body;
  request.timeouts.total = post.timeout;
  request.max_response_bytes = post.max_reply + kMaxHead;
  for (const auto& [name, value] : post.headers) request.headers.push_back({name, value});
  request.allow_address = [loopback = post.loopback_addresses, nets = post.private_addresses](const sockaddr& address) {
    return may_reach(net::kind_of_address(address), loopback, nets);
  };
  auto response = client_.send(request, {}, std::move(cancel));
  if (response && response->body.size() > post.max_reply) {
    response = std::unexpected(net::HttpError{.kind = net::HttpFailure::TooLarge});
  }
  if (!response) return std::unexpected(error_of(response.error(), post.max_reply));
  return HookReply{response->status, std::string(response->header("content-type")), std::move(response->body)};
}

std::shared_ptr<HookPoster> make_http_poster() {
  return std::make_shared<HttpPoster>();
}

}  // namespace grapnel::agent
