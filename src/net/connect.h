#pragma once

#include <functional>
#include <span>

#include "base/unique_fd.h"
#include "net/name_lookup.h"

namespace grapnel::net {

/// A connected, non-blocking socket to the first of the addresses that answers. The next one is tried when one fails,
/// or is silent for a quarter of a second. Fails: RefusedAddress, NotConnected, and as `waiting`.
std::expected<UniqueFd, HttpError> connect_to(std::span<const SocketAddress> addresses,
                                              const std::function<bool(const sockaddr&)>& allow_address,
                                              Waiting& waiting);

}  // namespace grapnel::net
