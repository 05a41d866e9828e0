#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"

namespace grapnel {

/// What a hook's environment may keep.
struct SecretFilter {
  bool strict = false;               ///< drop everything that is not known to be harmless
  std::vector<std::string> allowed;  ///< names to keep all the same
  std::vector<std::string> blocked;
};

/// The environment without variables that look secret, by name or by value.
Environment without_secrets(const Environment& env, const SecretFilter& filter = {});

}  // namespace grapnel
