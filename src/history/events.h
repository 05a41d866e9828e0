#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "history/journal_query.h"

/// Lists of events, and the way from one event to others.
namespace grapnel {

class JournalReader;
struct JournalEntry;

/// Some events, newest first.
struct EventPage {
  std::vector<JournalEntry> entries;  ///< without records of async hooks, which are no events
  int64_t next = 0;                   ///< `before` for the page that follows; 0 if there is none
};

/// The newest events that fit the query; `query.before` continues a page. Fails: System, BadInput.
Result<EventPage> read_events(JournalReader& journal, JournalQuery query, size_t limit);

/// The members of a record that a row of a list shows: id, time, event, agent, session, subagent, subagent_type,
/// project, tool, subject, rewritten, verdict, would, by, reason, failed, answer.
Json event_row(const JournalEntry& entry);

/// The ids of the events around one; "" if there is none.
struct Neighbours {
  std::string previous = {};
  std::string next = {};
  std::string previous_stop = {};  ///< the nearest that were denied or asked about
  std::string next_stop = {};
};
/// Among the events that fit the query. Fails: NotFound, System, BadInput.
Result<Neighbours> find_neighbours(JournalReader& journal, const std::string& id, const JournalQuery& query = {});

/// The event that tells how a call ended.
struct AfterCall {
  std::string id;
  int64_t after_ms = 0;  ///< how long after the event before the call
};
/// Of the call that the event is about; nothing if it is about none, or if nothing about its end is on record.
/// Fails: NotFound, System, BadInput.
Result<std::optional<AfterCall>> find_after_call(JournalReader& journal, const std::string& id);

}  // namespace grapnel
