#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

namespace grapnel::cli {

/// The version of the server at `tls://HOST:PORT`, which it says to everybody who connects, before anything else.
/// Fails: Unavailable, also when it does not say it within two seconds.
Result<std::string> server_version(const std::string& url);

/// The addresses of a list with commas.
std::vector<std::string> urls_of(const std::string& list);

}  // namespace grapnel::cli
