#pragma once

#include <cstdint>

struct sockaddr;

namespace grapnel::net {

/// Whose an address is. IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) counts as what it carries.
enum class AddressKind : uint8_t {
  Public,
  Loopback,   ///< this machine
  Private,    ///< networks of homes, companies and carriers
  LinkLocal,  ///< neighbours, and the metadata services of clouds
  Reserved,   ///< unspecified, multicast, broadcast, benchmarks: nobody's to talk to
};

/// Thread: any.
AddressKind kind_of_address(const sockaddr& address);
bool is_public_address(const sockaddr& address);

}  // namespace grapnel::net
