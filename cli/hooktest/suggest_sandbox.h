#pragma once

#include <string>
#include <vector>

#include "cli/hooktest/run_case.h"

/// Finds the narrowest sandbox with which the tests of hooks still pass (`grapnel test --suggest-sandbox`).
///
/// The kernel itself is asked: for each hook that runs a program, the tests run again and again, each time with a
/// little less allowed to that hook, and what they do not miss stays away. So what is printed is known to pass, on this
/// machine and with these tests. What no test shows is not known.
namespace grapnel::cli {

struct SandboxSuggestion {
  std::string hook;
  std::string sandbox;  ///< as in `sandbox:` of a rule
};

/// Fails: BadInput if the tests do not pass as they are.
Result<std::vector<SandboxSuggestion>> suggest_sandboxes(const std::vector<CaseToRun>& runs, const Environment& env,
                                                         size_t threads);

}  // namespace grapnel::cli
