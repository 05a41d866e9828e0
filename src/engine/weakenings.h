#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grapnel/error.h"

#include "engine/off_guards.h"

/// What was done to make guards weaker: `grapnel disable`, `untrust`, `uninstall`; and what an agent tried. People are
/// told in the next session, so that nobody else can do it unnoticed. The list is a private file, one JSON object in
/// each line.
namespace grapnel {

/// Whether it happened, or was refused.
enum class Weakening : uint8_t { Done, Refused };

/// Adds to the list what was done or tried just now, as a command line. The same attempt is there once. Fails: Refused,
/// System.
Result<void> add_weakening(const std::string& path, const std::string& what, Weakening how);

/// What people have to be told. A list that cannot be read is itself worth telling.
std::vector<GuardOff> weakenings(const std::string& path);

/// Empties the list, after a session has begun in which it was told.
void forget_weakenings(const std::string& path);

}  // namespace grapnel
