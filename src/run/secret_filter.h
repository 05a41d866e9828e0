#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"

/// Keeps the secrets of the host away from its hooks. The engine uses this if `safety.filter_secrets` is set. Variables
/// that the settings of a hook set explicitly are added later, so they are not filtered.
namespace grapnel {

/// Which variables hooks may see.
struct SecretFilter {
  bool strict = false;               ///< drop every variable that is not known to be harmless
  std::vector<std::string> allowed;  ///< names to keep even if they look secret
  std::vector<std::string> blocked;  ///< names to drop even if they look harmless
};

/// The environment without the variables whose name or value looks like a secret. Names are compared without regard to
/// case.
Environment without_secrets(const Environment& env, const SecretFilter& filter = {});

}  // namespace grapnel
