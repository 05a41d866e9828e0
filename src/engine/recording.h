#pragma once

#include "grapnel/record.h"

#include "engine/event_run.h"

/// Events and decisions into records.
namespace grapnel {

/// What is known of an event before anything ran.
Record record_of(const Event& event, const Snapshot& snapshot, std::string id);

/// Adds what became of it.
void add_decision(Record& record, const Decision& decision);

/// The line's last step: records the event, its decision, and the planned hooks whose condition did not hold. Nothing
/// without a sink, or when nothing happened and the host does not want to know.
void record_event(const EventRun& run, const Plan& plan, const Decision& decision);

/// Records an event that came while all hooks were switched off, so that nobody wonders later why none ran.
void record_switched_off(const Event& event, const Snapshot& snapshot, const LineContext& context);

/// The event of a record again, as far as the record has it: its payload, or what patterns are compared with.
/// Nothing when the record does not say what kind of event it was, or in words of a dialect that is not known here.
std::optional<Event> event_of(const Json& record);

}  // namespace grapnel
