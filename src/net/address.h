#pragma once

#include <cstdint>

struct sockaddr;

/// Which addresses a program may connect to is a question of safety: a URL from a model or from a settings file must
/// not reach services of this machine or of the local network by accident.
namespace grapnel::net {

/// The kind of network an address belongs to. An IPv6 address that contains an IPv4 address (mapped, compatible, NAT64,
/// 6to4) has the kind of that IPv4 address.
enum class AddressKind : uint8_t {
  Public,
  Loopback,   ///< this machine
  Private,    ///< home, company and carrier networks
  LinkLocal,  ///< the local link; cloud metadata services are here too
  Reserved,   ///< unspecified, multicast, broadcast, benchmarks: never valid targets
};

/// Returns `Reserved` for anything that is neither IPv4 nor IPv6. Thread: any.
AddressKind kind_of_address(const sockaddr& address);
bool is_public_address(const sockaddr& address);

}  // namespace grapnel::net
