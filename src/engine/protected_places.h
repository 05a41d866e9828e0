#pragma once

#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "base/environment.h"
#include "discover/find/places.h"
#include "model/registry.h"
#include "protect/places.h"
#include "shell/parse.h"

/// Lists the files that self-protection guards. A model that could edit them could switch off its own hooks.
namespace grapnel {

/// Where an engine with these options looks for hook files. `env` must outlive the result.
PlaceRoots place_roots(const EngineOptions& options, const Environment& env);

/// What the lists depend on.
struct ProtectionInput {
  const EngineOptions& options;  ///< with the standard places filled in
  const Environment& env;
  const std::vector<std::string>& named_files;
};

/// The files that decide which hooks run: the hook files of all agents at every level, the files that the user named,
/// and Grapnel's own configuration, state and session files. Files that do not exist are listed, too: creating one
/// would also change the hooks.
std::vector<protect::ProtectedPlace> protected_places(const ProtectionInput& in);

/// Files that shells, sessions and schedulers read when they start. A variable or a command in them acts in the next
/// session, outside of the agent.
std::vector<protect::ProtectedPlace> start_files(const ProtectionInput& in);

/// Variables with which commands spell the names of places.
shell::Variables known_variables(const ProtectionInput& in);

/// The scripts of hooks that are enabled and trusted, as far as they exist.
std::vector<protect::ProtectedPlace> protected_scripts(const ProtectionInput& in, const Registry& registry);

}  // namespace grapnel
