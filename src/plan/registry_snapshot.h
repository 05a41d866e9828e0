#pragma once

#include "grapnel/json.h"

#include "model/registry.h"

/// A registry on disk, kept once per digest so that old records stay explainable.
///
/// It has what planning needs, and what people want to know: name, place, dialect, events, conditions, switches and
/// definition of every hook, and the entries that could not be used. Read back it plans and explains events as the
/// registry did; it can run nothing.
namespace grapnel {

Json write_snapshot(const Registry& registry);

/// Fails: BadInput when that is no snapshot, or one of another version.
Result<Registry> read_snapshot(const Json& snapshot);

}  // namespace grapnel
