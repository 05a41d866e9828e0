#pragma once

#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "base/environment.h"
#include "model/registry.h"
#include "protect/places.h"

namespace grapnel {

struct ProtectionInput {
  const EngineOptions& options;  ///< with its standard places filled in
  const Environment& env;
  const std::vector<std::string>& named_files;
};

/// What decides what hooks do, there or not: the hook files of all agents at every level, files that were named, and
/// Grapnel's own configuration, state and session files.
std::vector<protect::ProtectedPlace> protected_places(const ProtectionInput& in);

/// The scripts of hooks that run, as far as they are there.
std::vector<protect::ProtectedPlace> protected_scripts(const ProtectionInput& in, const Registry& registry);

}  // namespace grapnel
