#pragma once

#include "grapnel/record.h"

#include "engine/snapshot.h"

/// Events and decisions into records.
namespace grapnel {

/// What is known of an event before anything ran.
Record record_of(const Event& event, const Snapshot& snapshot, std::string id);

/// Adds what became of it.
void add_decision(Record& record, const Decision& decision);

/// The event of a record again, as far as the record has it: its payload, or what patterns are compared with.
/// Nothing when the record does not say what kind of event it was, or in words of a dialect that is not known here.
std::optional<Event> event_of(const Json& record);

}  // namespace grapnel
