#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace grapnel::net {

/// The parts of an `http:` or `https:` URL that a request needs.
struct Url {
  bool is_secure = false;
  std::string login;  ///< `user:password`, decoded; empty: none
  std::string host;   ///< lower case, an IPv6 address without brackets
  uint16_t port = 80;
  std::string target;  ///< path and query, never empty

  /// What the `Host` header has: the port only if it is not the usual one.
  std::string authority() const;
  /// Always with the port, as CONNECT wants it.
  std::string host_and_port() const;
};

/// Fails with what is wrong, without the URL itself: it may have a password. `default_scheme` is for texts without one.
/// Pure. Thread: any.
std::expected<Url, std::string> parse_url(std::string_view text, std::string_view default_scheme = "");

/// Whether a host is in a list as `no_proxy` has it: names and their subdomains, addresses, networks, `*`. Pure.
bool is_in_no_proxy(std::string_view host, std::string_view list);

}  // namespace grapnel::net
