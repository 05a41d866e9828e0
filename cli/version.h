#pragma once

#include <string>
#include <string_view>

namespace grapnel::cli {

/// What `grapnel --version` prints: the version, and what this build cannot do.
std::string version_text(std::string_view version);

}  // namespace grapnel::cli
