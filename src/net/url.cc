#include "net/url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include <arpa/inet.h>

#include "base/text.h"

namespace grapnel::net {

namespace {

/// Spaces and control characters could end the request line, and other bytes need an encoding that only the caller
/// knows.
bool is_printable(std::string_view s) {
  return std::ranges::all_of(s, [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_host(std::string_view s) {
  return !s.empty() && s.find_first_of("@/?#\\\"<>^`{|}") == std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Decodes `%40`; what is no escape stays.
std::string decode(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    const bool is_escape = s[i] == '%' && i + 2 < s.size() && hex_digit(s[i + 1]) >= 0 && hex_digit(s[i + 2]) >= 0;
    out += is_escape ? static_cast<char>(hex_digit(s[i + 1]) * 16 + hex_digit(s[i + 2])) : s[i];
    if (is_escape) i += 2;
  }
  return out;
}

std::optional<uint16_t> read_port(std::string_view s) {
  uint16_t port = 0;
  const auto [end, failed] = std::from_chars(s.data(), s.data() + s.size(), port);
  if (failed != std::errc() || end != s.data() + s.size() || port == 0) return std::nullopt;
  return port;
}

/// The host in brackets if it is an IPv6 address.
std::string bracketed(const std::string& host) {
  return host.contains(':') ? "[" + host + "]" : host;
}

/// `127.1`, `0x7f.1` and `2130706433` are `127.0.0.1`, as every resolver reads them. Everything else stays.
std::string with_plain_address(std::string host) {
  in_addr address{};
  std::array<char, INET_ADDRSTRLEN> plain{};
  if (::inet_aton(host.c_str(), &address) == 0) return host;
  ::inet_ntop(AF_INET, &address, plain.data(), plain.size());
  return plain.data();
}

struct IpAddress {
  int family = 0;
  std::array<unsigned char, 16> bytes{};
};

std::optional<IpAddress> read_address(std::string_view s) {
  IpAddress address;
  const std::string text(s);
  for (const int family : {AF_INET, AF_INET6}) {
    address.family = family;
    if (::inet_pton(family, text.c_str(), address.bytes.data()) == 1) return address;
  }
  return std::nullopt;
}

/// `network` is an address with or without a number of bits: `10.0.0.0/8`.
bool is_in_network(const IpAddress& address, std::string_view network) {
  const size_t slash = network.find('/');
  const auto base = read_address(network.substr(0, slash));
  if (!base || base->family != address.family) return false;
  unsigned bits = address.family == AF_INET ? 32 : 128;
  if (slash != std::string_view::npos) {
    const std::string_view given = network.substr(slash + 1);
    unsigned wanted = 0;
    const auto [end, failed] = std::from_chars(given.data(), given.data() + given.size(), wanted);
    if (failed != std::errc() || end != given.data() + given.size() || wanted > bits) return false;
    bits = wanted;
  }
  if (std::memcmp(base->bytes.data(), address.bytes.data(), bits / 8) != 0) return false;
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<unsigned char>(0xff << (8 - bits % 8));
  return ((base->bytes[bits / 8] ^ address.bytes[bits / 8]) & mask) == 0;
}

bool is_listed(std::string_view host, const std::optional<IpAddress>& address, std::string_view entry) {
  if (entry == "*") return true;
  if (entry.starts_with('[') && entry.ends_with(']')) entry = entry.substr(1, entry.size() - 2);
  if (address) return is_in_network(*address, entry);
  while (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

}  // namespace

std::string Url::authority() const {
  return port == (is_secure ? 443 : 80) ? bracketed(host) : host_and_port();
}

std::string Url::host_and_port() const {
  return bracketed(host) + ":" + std::to_string(port);
}

std::expected<Url, std::string> parse_url(std::string_view text, std::string_view default_scheme) {
  if (!is_printable(text)) return std::unexpected("the URL has a space or a character that must be encoded");
  Url url;
  const size_t scheme_end = text.find("://");
  const std::string scheme =
      text::to_lower(std::string(scheme_end == std::string_view::npos ? default_scheme : text.substr(0, scheme_end)));
  if (scheme != "http" && scheme != "https") return std::unexpected("the URL does not begin with http:// or https://");
  url.is_secure = scheme == "https";
  url.port = url.is_secure ? 443 : 80;
  std::string_view rest = scheme_end == std::string_view::npos ? text : text.substr(scheme_end + 3);

  const size_t path = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view place = rest.substr(0, path);
  rest = rest.substr(path);
  rest = rest.substr(0, rest.find('#'));
  url.target = (rest.starts_with('/') ? "" : "/") + std::string(rest);

  if (const size_t at = place.rfind('@'); at != std::string_view::npos) {
    url.login = decode(place.substr(0, at));
    place = place.substr(at + 1);
  }
  const size_t host_end = place.starts_with('[') ? place.find(']') : place.find(':');
  std::string_view after = host_end == std::string_view::npos ? std::string_view() : place.substr(host_end);
  std::string_view host = place.substr(0, host_end);
  if (place.starts_with('[')) {
    if (after.empty()) return std::unexpected("the URL has a bracket that is not closed");
    host = host.substr(1);
    after = after.substr(1);
    if (!read_address(host)) return std::unexpected("the URL has brackets without an IPv6 address");
  }
  if (!is_host(host)) return std::unexpected("the URL names no host");
  url.host = with_plain_address(text::to_lower(std::string(host)));
  if (after == ":") after = "";
  if (after.empty()) return url;
  const auto port = after.starts_with(':') ? read_port(after.substr(1)) : std::nullopt;
  if (!port) return std::unexpected("the URL has a port that is not a number from 1 to 65535");
  url.port = *port;
  return url;
}

bool is_in_no_proxy(std::string_view host, std::string_view list) {
  const std::string name = text::to_lower(std::string(host));
  const std::string entries = text::to_lower(std::string(list));
  const auto address = read_address(name);
  size_t start = 0;
  while (start < entries.size()) {
    const size_t end = std::min(entries.find_first_of(", \t", start), entries.size());
    const std::string_view entry = std::string_view(entries).substr(start, end - start);
    if (!entry.empty() && is_listed(name, address, entry)) return true;
    start = end + 1;
  }
  return false;
}

}  // namespace grapnel::net
