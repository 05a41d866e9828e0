#include "model/http_url.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace grapnel {

namespace {

constexpr std::string_view kSchemeEnd = "://";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHostCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-._";
constexpr std::string_view kAddressCharacters = "abcdef0123456789:.";

bool is_made_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

/// Lower case and without a dot at the end, so that two spellings of one host are equal.
std::string normal_host(std::string_view host) {
  std::string out = text::to_lower(host);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

/// The end of the host in `host`, `host:port` or `[address]:port`; npos if a bracket is not closed.
size_t end_of_host(std::string_view authority) {
  const size_t from = authority.starts_with('[') ? authority.find(']') : 0;
  return from == std::string_view::npos ? from : std::min(authority.find(':', from), authority.size());
}

/// IPv6 addresses have brackets; everything else is made of the few characters that host names have.
bool is_host(std::string_view host) {
  if (host.starts_with('[')) {
    return host.size() > 3 && host.ends_with(']') && is_made_of(host.substr(1, host.size() - 2), kAddressCharacters);
  }
  return !host.empty() && host != "." && is_made_of(host, kHostCharacters);
}

/// A URL pattern, split at the same places as a URL. Each part is compared with the same part of the URL, so that a `*`
/// cannot match across them. A pattern without a scheme has only empty parts.
struct UrlPattern {
  std::string scheme;
  std::string authority;
  std::string_view rest;

  explicit UrlPattern(std::string_view text) {
    const size_t end = text.find(kSchemeEnd);
    if (end == std::string_view::npos) return;
    scheme = text::to_lower(text.substr(0, end));
    text.remove_prefix(end + kSchemeEnd.size());
    const size_t path = std::min(text.find_first_of("/?"), text.size());
    const size_t host = std::min(end_of_host(text.substr(0, path)), path);
    authority = normal_host(text.substr(0, host)) + std::string(text.substr(host, path - host));
    rest = text.substr(path);
  }
};

}  // namespace

Result<HttpUrl> HttpUrl::parse(std::string_view text) {
  const size_t end = text.find(kSchemeEnd);
  const std::string scheme = text::to_lower(text.substr(0, std::min(end, text.size())));
  if (end == std::string_view::npos || (scheme != "http" && scheme != "https")) {
    return fail(Errc::BadInput, "must start with http:// or https://");
  }
  // Programs disagree about URLs with these characters, which would let a hook reach another host than the one that was
  // checked.
  const bool has_bad = std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f || c == '\\'; });
  if (has_bad || text.contains('#')) return fail(Errc::BadInput, "must not have spaces, backslashes or a fragment");
  text.remove_prefix(end + kSchemeEnd.size());
  const size_t path = std::min(text.find_first_of("/?"), text.size());
  const std::string_view authority = text.substr(0, path);
  if (authority.contains('@')) return fail(Errc::BadInput, "must not name a user; send credentials in a header");
  const size_t host_end = std::min(end_of_host(authority), authority.size());
  HttpUrl url{scheme == "https", normal_host(authority.substr(0, host_end)), "", std::string(text.substr(path))};
  if (host_end < authority.size()) url.port = authority.substr(host_end + 1);
  const bool is_port = host_end == authority.size() || (!url.port.empty() && url.port.size() <= 5);
  if (!is_host(url.host) || !is_port || !is_made_of(url.port, kDigits)) {
    return fail(Errc::BadInput, "must name a host, as in https://policy.example.com/hooks");
  }
  return url;
}

std::string shown_url(std::string_view text) {
  const auto url = HttpUrl::parse(text);
  if (!url) return "(no URL)";
  const size_t query = url->rest.find('?');
  return (url->is_secure ? "https://" : "http://") + url->host + (url->port.empty() ? "" : ":" + url->port) +
         url->rest.substr(0, query) + (query == std::string::npos ? "" : "?…");
}

bool matches_host(std::string_view pattern, const HttpUrl& url) {
  return text::fits_wild(url.host, normal_host(pattern));
}

/// Scheme, host with port, and path are compared separately; `*` alone matches every URL.
bool matches_url(std::string_view text, const HttpUrl& url) {
  if (text == "*") return true;
  const UrlPattern pattern(text);
  const std::string authority = url.host + (url.port.empty() ? "" : ":" + url.port);
  if (!text::fits_wild(url.is_secure ? "https" : "http", pattern.scheme)) return false;
  if (!text::fits_wild(authority, pattern.authority)) return false;
  // A pattern such as `https://*` has no path and means every path. Otherwise no path and `/` are the same.
  const bool is_open = pattern.rest.empty() && pattern.authority.ends_with('*');
  const bool is_same = pattern.rest == "/" && url.rest.empty();
  return is_open || is_same || text::fits_wild(url.rest, pattern.rest) || (pattern.rest.empty() && url.rest == "/");
}

bool names_one_host(std::string_view text) {
  const UrlPattern pattern(text);
  const std::string_view host = std::string_view(pattern.authority).substr(0, end_of_host(pattern.authority));
  return !host.empty() && !host.contains('*');
}

}  // namespace grapnel
