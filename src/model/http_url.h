#pragma once

#include <string>
#include <string_view>

#include "grapnel/error.h"

/// The address to which an `http` hook posts. The grammar is so strict that no two programs can disagree about the
/// host:
///
///   url  = ("http" | "https") "://" host [":" port] [("/" | "?") anything]
///   host = letters, digits, "-", "." and "_", or an IPv6 address in brackets
///
/// It has no user, no white space, no backslash and no fragment.
///
/// In patterns `*` stands for any characters. A dot at the end of a host and the case of a host do not matter.
///   of hosts  `policy.example.com`, `*.example.com`
///   of URLs   `https://policy.example.com/hooks/*`; a `*` in the host never reaches into the path
namespace grapnel {

/// A URL in parts.
struct HttpUrl {
  bool is_secure = false;
  std::string host;  ///< in lower case, without a dot at its end; IPv6 in brackets
  std::string port;  ///< "" for the default port
  std::string rest;  ///< path and query, as written

  /// Fails: BadInput. The message is the end of a sentence, "must …", so that the caller can put the name of the option
  /// first.
  static Result<HttpUrl> parse(std::string_view text);
};

/// The URL for people, without the query, which may contain secrets. A text that is no such URL is not shown at all.
std::string shown_url(std::string_view url);

bool matches_host(std::string_view pattern, const HttpUrl& url);
bool matches_url(std::string_view pattern, const HttpUrl& url);
/// Whether a URL pattern names exactly one host.
bool names_one_host(std::string_view url_pattern);

}  // namespace grapnel
