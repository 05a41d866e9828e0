#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "grapnel/error.h"

#include "discover/discover.h"
#include "model/registry.h"

/// Hooks a user switched off by name, for a while or for good: one small file in the state directory.
namespace grapnel {

/// Name → until when (seconds since the epoch), or nothing for good.
using Switches = std::map<std::string, std::optional<int64_t>>;

/// What is switched off now; what has run out is left out. A missing file switches nothing off. Fails: BadInput,
/// System.
Result<Switches> load_switches(const std::string& path);

/// Fails: System, BadInput when the file cannot be read; then it stays as it is.
Result<void> switch_off(const std::string& path, const std::string& name,
                        std::optional<std::chrono::seconds> for_how_long);
Result<void> switch_on(const std::string& path, const std::string& name);

/// Marks hooks disabled; managed ones stay on. Notes the file among those to watch, and when the first switch runs out;
/// an unreadable one is a problem. True: something is not as it was, and has to be arranged anew.
bool apply_switches(const std::string& path, Discovered& discovered);

}  // namespace grapnel
