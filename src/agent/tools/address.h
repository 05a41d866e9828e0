#pragma once

struct sockaddr;

namespace grapnel::agent {

/// Whether an address belongs to the public internet: not this machine, not a private or local network, not one that
/// only carries such an address in another form (IPv4 in IPv6). Thread: any.
bool is_public_address(const sockaddr& address);

}  // namespace grapnel::agent
