#pragma once

#include "grapnel/record.h"

#include "engine/event_run.h"

/// Makes records from events and decisions, and events from records.
namespace grapnel {

/// A record with everything that is known about an event before a hook ran.
Record record_of(const Event& event, const Snapshot& snapshot, const LineContext& context, std::string id);

/// Adds the decision.
void add_decision(Record& record, const Decision& decision);

/// The last step of the line. Records the event, its decision, and the planned hooks whose condition did not hold. Does
/// nothing without a sink, or if no hook was concerned and the host does not want such events recorded.
void record_event(const EventRun& run, const Plan& plan, const Decision& decision);

/// Records an event that came while all hooks were switched off, so that the record later explains why none ran.
void record_switched_off(const Event& event, const Snapshot& snapshot, const LineContext& context);

/// The event of a record, as far as the record has it: with its payload, or else with only the values that matchers are
/// compared with. Returns nullopt when the record names no event kind, or a dialect that this build does not know.
std::optional<Event> event_of(const Json& record);

}  // namespace grapnel
