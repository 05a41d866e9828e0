#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

namespace grapnel {

/// Every configured hook, in the order in which hooks run, and everything that could not be used.
///
/// Immutable once built; shared by all events until files change.
struct Registry {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  std::string digest;  ///< over all definitions, switches and problems, in order
};

}  // namespace grapnel
