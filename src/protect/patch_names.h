#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel::protect {

/// The files a patch changes, as it names them: headers of unified diffs (without their `a/` or `b/`) and of the form
/// in which models write patches (`*** Update File: x`). Empty for any other text.
std::vector<std::string> names_in_patch(std::string_view text);

}  // namespace grapnel::protect
