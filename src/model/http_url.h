#pragma once

#include <string>
#include <string_view>

#include "grapnel/error.h"

/// The address a hook posts to, taken apart so strictly that no two readers of it can disagree about the host:
///
///   url  = ("http" | "https") "://" host [":" port] [("/" | "?") anything]
///   host = letters, digits, "-", "." and "_", or an IPv6 address in brackets
///
/// There is no user in it, no white space, no backslash and no fragment.
///
/// Patterns: `*` stands for any characters, a dot at a host's end and the case of hosts do not count.
///   of hosts  `policy.example.com`, `*.example.com`
///   of URLs   `https://policy.example.com/hooks/*`; what stands for the host never reaches into the path
namespace grapnel {

struct HttpUrl {
  bool is_secure = false;
  std::string host;  ///< in lower case, without a dot at its end; IPv6 in brackets
  std::string port;  ///< "" for the usual one
  std::string rest;  ///< path and query, as written

  /// Fails: BadInput, with the end of a sentence: "must …".
  static Result<HttpUrl> parse(std::string_view text);
};

/// Without the query, where secrets are; one that is no such URL is not shown at all.
std::string shown_url(std::string_view url);

bool matches_host(std::string_view pattern, const HttpUrl& url);
bool matches_url(std::string_view pattern, const HttpUrl& url);
/// Whether a pattern of URLs says which host, rather than any or some.
bool names_one_host(std::string_view url_pattern);

}  // namespace grapnel
