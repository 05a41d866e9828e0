#pragma once

#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "engine/weakenings.h"

namespace grapnel::cli {

/// Keeps a record that guards were made weaker, or that an agent tried it: what was done, and who did it.
void record_weakening(const Environment& env, const std::string& what, const std::string& who, Weakening how);

/// The same, with a notice for the next session. Fails: Refused, System, if there is no notice.
Result<void> note_weakening(const Environment& env, const std::string& what, const std::string& who, Weakening how);

}  // namespace grapnel::cli
