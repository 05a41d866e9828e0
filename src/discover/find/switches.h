#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "grapnel/error.h"

#include "discover/discover.h"
#include "model/registry.h"

/// Hooks that the user switched off by name, for a while or for good. They are kept in one small file in the state
/// directory.
namespace grapnel {

/// Name → until when (seconds since the epoch), or nothing for good.
using Switches = std::map<std::string, std::optional<int64_t>>;

/// The hooks that are switched off now; expired switches are left out. A missing file switches nothing off. Fails:
/// BadInput, System.
Result<Switches> load_switches(const std::string& path);

/// Fails: System, BadInput when the file cannot be read; then it stays as it is.
Result<void> switch_off(const std::string& path, const std::string& name,
                        std::optional<std::chrono::seconds> for_how_long);
Result<void> switch_on(const std::string& path, const std::string& name);

/// Marks hooks as disabled; managed hooks stay on. Also watches the file and notes when the first switch expires; an
/// unreadable file becomes a problem. True when something changed and the registry must be arranged again.
bool apply_switches(const std::string& path, Discovered& discovered);

}  // namespace grapnel
