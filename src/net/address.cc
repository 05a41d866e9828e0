#include "net/address.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include <netinet/in.h>
#include <sys/socket.h>

/// An address is public unless a table says otherwise. The ranges come from IANA's registries of special-purpose
/// addresses; a new range is a new row. No two rows of a table overlap, so their order does not matter.
///
/// IPv6 needs a second step: several transition mechanisms put an IPv4 address inside an IPv6 address, and a router
/// would deliver the packet to that IPv4 address. Such an address is as private as the IPv4 address in it.
namespace grapnel::net {

namespace {

using Bytes = std::span<const uint8_t>;

/// A range of addresses that are not public, given by its first bits.
template <size_t N>
struct Network {
  std::array<uint8_t, N> prefix;
  unsigned bits;
  AddressKind kind = AddressKind::Reserved;
};

constexpr auto kLocal4 = std::to_array<Network<4>>({
    {{0, 0, 0, 0}, 8},  // this network
    {{10, 0, 0, 0}, 8, AddressKind::Private},
    {{100, 64, 0, 0}, 10, AddressKind::Private},  // carrier-grade NAT
    {{127, 0, 0, 0}, 8, AddressKind::Loopback},
    {{169, 254, 0, 0}, 16, AddressKind::LinkLocal},  // includes the metadata services of clouds
    {{172, 16, 0, 0}, 12, AddressKind::Private},
    {{192, 0, 0, 0}, 24},  // protocol assignments
    {{192, 168, 0, 0}, 16, AddressKind::Private},
    {{198, 18, 0, 0}, 15},  // benchmarks
    {{224, 0, 0, 0}, 3},    // multicast, reserved, broadcast
});
constexpr auto kLocal6 = std::to_array<Network<16>>({
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressKind::Loopback},
    {{0xfc, 0}, 7, AddressKind::Private},  // unique local
    {{0xfe, 0x80}, 10, AddressKind::LinkLocal},
    {{0xfe, 0xc0}, 10, AddressKind::Private},                          // site-local
    {{0x20, 0x01, 0, 0}, 32},                                          // Teredo: contains an obfuscated IPv4 address
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, AddressKind::Private},  // NAT64 within one network
    {{0xff, 0}, 8},                                                    // multicast
});

/// IPv6 ranges whose addresses contain an IPv4 address, and the position of its first byte.
struct Carrier {
  Network<16> network;
  size_t at;
};
constexpr auto kCarriers = std::to_array<Carrier>({
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96}, 12},  // mapped
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96}, 12},        // translated
    {{{0}, 96}, 12},                                         // compatible; includes `::`
    {{{0x00, 0x64, 0xff, 0x9b}, 96}, 12},                    // NAT64
    {{{0x20, 0x02}, 16}, 2},                                 // 6to4
});

/// Compares bit by bit: prefixes need not end at a byte.
template <size_t N>
bool lies_in(Bytes address, const Network<N>& network) {
  for (unsigned bit = 0; bit < network.bits; ++bit) {
    const unsigned mask = 0x80U >> (bit % 8);
    if (((address[bit / 8] ^ network.prefix[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

/// The kind of the first range that contains the address; `Public` when none does.
template <size_t N, size_t Count>
AddressKind kind_in(Bytes address, const std::array<Network<N>, Count>& networks) {
  for (const Network<N>& network : networks) {
    if (lies_in(address, network)) return network.kind;
  }
  return AddressKind::Public;
}

/// The IPv6 table comes first, because `::1` would otherwise count as an IPv4-compatible address.
AddressKind kind_of_6(Bytes address) {
  if (const AddressKind kind = kind_in(address, kLocal6); kind != AddressKind::Public) return kind;
  for (const Carrier& carrier : kCarriers) {
    if (lies_in(address, carrier.network)) return kind_in(address.subspan(carrier.at, 4), kLocal4);
  }
  return AddressKind::Public;
}

}  // namespace

AddressKind kind_of_address(const sockaddr& address) {
  // Copied, because the reference need not be aligned for the address's real type.
  if (address.sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    std::array<uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return kind_in(Bytes(bytes), kLocal4);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);
    return kind_of_6(v6.sin6_addr.s6_addr);
  }
  return AddressKind::Reserved;
}

bool is_public_address(const sockaddr& address) {
  return kind_of_address(address) == AddressKind::Public;
}

}  // namespace grapnel::net
