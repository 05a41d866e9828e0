#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "net/waiting.h"

namespace grapnel::net {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr& generic() const { return reinterpret_cast<const sockaddr&>(storage); }
};

/// The addresses of a host, best first. Names are asked as /etc/hosts, /etc/resolv.conf and the order in
/// /etc/nsswitch.conf say, without the C library: a static program has no other modules of it, and a lookup of it
/// cannot be cancelled. `resolve` has entries `host:port:address` that come before. Fails: NotConnected, and as
/// `waiting`.
std::expected<std::vector<SocketAddress>, HttpError> look_up(const std::string& host, uint16_t port,
                                                             const std::vector<std::string>& resolve, Waiting& waiting);

}  // namespace grapnel::net
