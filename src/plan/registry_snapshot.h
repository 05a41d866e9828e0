#pragma once

#include "grapnel/json.h"

#include "model/registry.h"

/// A registry as JSON. The journal keeps one snapshot for each digest, so that old records can still be explained after
/// hook files have changed.
///
/// A snapshot has what planning needs and what people want to know: name, place, dialect, events, conditions, switches
/// and definition of every hook, and the entries that could not be used. A registry that is read back plans and
/// explains events as the original did, but it cannot run anything.
namespace grapnel {

Json write_snapshot(const Registry& registry);

/// Fails: BadInput if the JSON is not a snapshot, or has another version.
Result<Registry> read_snapshot(const Json& snapshot);

}  // namespace grapnel
