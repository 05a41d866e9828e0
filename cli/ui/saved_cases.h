#pragma once

#include "grapnel/json.h"

#include "base/environment.h"
#include "cli/ui/replay.h"

namespace grapnel::cli {

/// Tries rules on the tests that are saved (docs/testing-hooks.md): those beside this person's own rules, and those of
/// the project. `changed` names the steps whose expected verdict would not hold any more if the rules were added to the
/// hooks that are there; `tried` and `cannot` count steps that expect a verdict. Tests that bring hooks of their own
/// do not count: no other rule has a part in them. Nothing that a test or a hook says is started.
Result<Json> try_saved_cases(const Environment& env, RuleTrial& trial);

}  // namespace grapnel::cli
