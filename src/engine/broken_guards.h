#pragma once

#include "engine/event_run.h"
#include "engine/snapshot.h"

/// Hook files that are broken, and of which no good version is known. Nobody knows what they guard, so the policy
/// `on_broken_config` decides about every tool call. Calls that only read or write the broken file itself are left
/// alone: otherwise nobody could repair it with the agent.
namespace grapnel {

/// The name of this check in lists of hooks and in records.
inline constexpr std::string_view kBrokenConfigName = "grapnel:broken-config";

/// The file because of which this call is asked about or refused, or null.
const BrokenFile* missing_guard(const Snapshot& snapshot, const Event& event, const LineContext& context);

/// Asks or denies, if a guard is missing.
void stand_in_for_guard(EventRun& run);

}  // namespace grapnel
