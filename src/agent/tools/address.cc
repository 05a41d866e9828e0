#include "agent/tools/address.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include <netinet/in.h>
#include <sys/socket.h>

namespace grapnel::agent {

namespace {

using Bytes = std::span<const uint8_t>;

/// A network whose addresses are not public: its first bits.
template <size_t N>
struct Network {
  std::array<uint8_t, N> prefix;
  unsigned bits;
};

constexpr auto kLocal4 = std::to_array<Network<4>>({
    {{0, 0, 0, 0}, 8},       // this network
    {{10, 0, 0, 0}, 8},      // private
    {{100, 64, 0, 0}, 10},   // carriers' own
    {{127, 0, 0, 0}, 8},     // loopback
    {{169, 254, 0, 0}, 16},  // link-local, cloud metadata
    {{172, 16, 0, 0}, 12},   // private
    {{192, 0, 0, 0}, 24},    // protocol assignments
    {{192, 168, 0, 0}, 16},  // private
    {{198, 18, 0, 0}, 15},   // benchmarks
    {{224, 0, 0, 0}, 3},     // multicast, reserved, broadcast
});
constexpr auto kLocal6 = std::to_array<Network<16>>({
    {{0xfc, 0}, 7},      // unique local
    {{0xfe, 0x80}, 10},  // link-local
    {{0xfe, 0xc0}, 10},  // site-local
    {{0xff, 0}, 8},      // multicast
});

/// IPv6 networks whose addresses hold an IPv4 one, and where.
struct Carrier {
  Network<16> network;
  size_t at;
};
constexpr auto kCarriers = std::to_array<Carrier>({
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96}, 12},  // mapped
    {{{0}, 96}, 12},                                         // compatible; with it `::` and `::1`
    {{{0x00, 0x64, 0xff, 0x9b}, 96}, 12},                    // NAT64
    {{{0x20, 0x02}, 16}, 2},                                 // 6to4
});

template <size_t N>
bool lies_in(Bytes address, const Network<N>& network) {
  for (unsigned bit = 0; bit < network.bits; ++bit) {
    const unsigned mask = 0x80U >> (bit % 8);
    if (((address[bit / 8] ^ network.prefix[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

template <size_t N, size_t Count>
bool lies_in_any(Bytes address, const std::array<Network<N>, Count>& networks) {
  return std::ranges::any_of(networks, [&](const Network<N>& network) { return lies_in(address, network); });
}

bool is_public4(Bytes address) {
  return !lies_in_any(address, kLocal4);
}

bool is_public6(Bytes address) {
  if (lies_in_any(address, kLocal6)) return false;
  return std::ranges::all_of(kCarriers, [&](const Carrier& carrier) {
    return !lies_in(address, carrier.network) || is_public4(address.subspan(carrier.at, 4));
  });
}

}  // namespace

bool is_public_address(const sockaddr& address) {
  // Copied, since nothing promises that what stands behind the reference is aligned for its real type.
  if (address.sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    std::array<uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return is_public4(bytes);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);
    return is_public6(v6.sin6_addr.s6_addr);
  }
  return false;
}

}  // namespace grapnel::agent
