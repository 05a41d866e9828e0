#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

namespace grapnel::conformance {

/// Whether a text is as wanted: exactly, or with anything where an ellipsis stands (`…limit…`).
bool text_fits(std::string_view want, std::string_view got);

/// How `got` differs from `want`, or "" when it fits. Of objects only the members that `want` names are compared, a
/// null member fits a missing one; arrays have the same length. A wanted string fits an object whose `text` fits.
std::string difference(const Json& want, const Json& got, const std::string& path = "");

}  // namespace grapnel::conformance
