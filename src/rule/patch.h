#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel::rule {

/// The files a patch is about, as it writes them: `*** Update File:` and its like, headers of unified diffs without
/// `a/` and `b/`, renames of git's. Empty for other text.
std::vector<std::string> files_of_patch(std::string_view text);

}  // namespace grapnel::rule
