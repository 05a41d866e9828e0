#pragma once

#include <string>

#include "cli/pack/source.h"

namespace grapnel::cli {

/// The files of one commit of a repository, read as objects from a temporary repository. `address` and `at` are
/// checked (source.h). Fails: Unavailable with git's own words; Refused when the commit contains links or submodules;
/// LimitExceeded.
Result<FetchedPack> fetch_objects(const std::string& address, const std::string& at, const Environment& env);

}  // namespace grapnel::cli
