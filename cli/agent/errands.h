#pragma once

#include <span>

#include "cli/errand.h"

namespace grapnel::cli {

/// What this program does for `grapnel`.
std::span<const Errand> all_errands();

}  // namespace grapnel::cli
