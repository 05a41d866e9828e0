#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grapnel/decision.h"

namespace grapnel {

/// Drops variables a hook must not set for a whole session: bad names, `LD_*`, values with NUL. Says so in the
/// messages.
void keep_safe_env(Effects& effects);

/// Later values win; sorted by name.
std::vector<std::pair<std::string, std::string>> merged_env(
    std::vector<std::pair<std::string, std::string>> earlier,
    const std::vector<std::pair<std::string, std::string>>& later);

}  // namespace grapnel
