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
  const Registry& registry;
  const std::vector<std::string>& named_files;
};

/// Every file and directory that decides what hooks do: the hook files of all agents at every level, whether they exist
/// or not, files that were named, scripts of hooks that run, and Grapnel's own configuration, state and session files.
std::vector<protect::Place> protected_places(const ProtectionInput& in);

}  // namespace grapnel
