#include "net/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace grapnel::net {
namespace {

AddressKind kind_of(const char* text) {
  sockaddr_storage storage{};
  auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
  if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
    storage.ss_family = AF_INET;
  } else {
    EXPECT_EQ(::inet_pton(AF_INET6, text, &v6->sin6_addr), 1) << text;
    storage.ss_family = AF_INET6;
  }
  return kind_of_address(reinterpret_cast<const sockaddr&>(storage));
}

TEST(Address, Kinds) {
  struct Case {
    const char* address;
    AddressKind want;
  };
  const Case cases[] = {
      {"93.184.216.34", AddressKind::Public},
      {"172.15.0.1", AddressKind::Public},
      {"172.32.0.1", AddressKind::Public},
      {"100.128.0.1", AddressKind::Public},
      {"127.0.0.1", AddressKind::Loopback},
      {"127.8.8.8", AddressKind::Loopback},
      {"0.0.0.0", AddressKind::Reserved},
      {"10.1.2.3", AddressKind::Private},
      {"172.16.0.1", AddressKind::Private},
      {"172.31.255.255", AddressKind::Private},
      {"192.168.1.1", AddressKind::Private},
      {"100.64.0.1", AddressKind::Private},
      {"169.254.169.254", AddressKind::LinkLocal},
      {"224.0.0.1", AddressKind::Reserved},
      {"255.255.255.255", AddressKind::Reserved},
      {"2606:4700::1111", AddressKind::Public},
      {"64:ff9b::101:101", AddressKind::Public},
      {"::ffff:1.1.1.1", AddressKind::Public},
      {"2002:101:101::", AddressKind::Public},
      {"::1", AddressKind::Loopback},
      {"::", AddressKind::Reserved},
      {"fe80::1", AddressKind::LinkLocal},
      {"fec0::1", AddressKind::Private},
      {"fd00::1", AddressKind::Private},
      {"ff02::1", AddressKind::Reserved},
      {"::127.0.0.1", AddressKind::Loopback},
      {"::ffff:127.0.0.1", AddressKind::Loopback},
      {"::ffff:10.0.0.1", AddressKind::Private},
      {"::ffff:0:169.254.169.254", AddressKind::LinkLocal},
      {"64:ff9b::7f00:1", AddressKind::Loopback},
      {"64:ff9b:1::a00:1", AddressKind::Private},
      {"2002:7f00:1::", AddressKind::Loopback},
      {"2002:c0a8:101::", AddressKind::Private},
      {"2001:0:53aa:64c::", AddressKind::Reserved},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.address);
    EXPECT_EQ(kind_of(c.address), c.want);
  }
}

TEST(Address, WhatIsNoAddressOfTheInternetIsNotPublic) {
  sockaddr local{};
  local.sa_family = AF_UNIX;
  EXPECT_FALSE(is_public_address(local));
}

}  // namespace
}  // namespace grapnel::net
