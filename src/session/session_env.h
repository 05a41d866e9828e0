#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grapnel/decision.h"

/// Variables that hooks of a session's start set for all later hooks of the session.
namespace grapnel {

/// Removes variables that a hook must not set for a whole session: invalid names, names that change how programs start
/// (`LD_*`, `BASH_ENV`) or how Grapnel works (`GRAPNEL_*`), and values with NUL bytes. Adds a message for each.
void keep_safe_env(Effects& effects);

/// Both lists in one, sorted by name. Later values win.
std::vector<std::pair<std::string, std::string>> merged_env(
    std::vector<std::pair<std::string, std::string>> earlier,
    const std::vector<std::pair<std::string, std::string>>& later);

}  // namespace grapnel
