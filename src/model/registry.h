#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

namespace grapnel {

/// All configured hooks, in the order in which they run, and all mistakes in their files. Immutable once it is built;
/// all events share it until files change.
struct Registry {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  std::string digest;  ///< over all definitions, switches and problems, in order
};

}  // namespace grapnel
