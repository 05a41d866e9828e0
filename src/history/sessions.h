#pragma once

#include <string>
#include <vector>

#include "history/journal_query.h"

/// The sessions on record.
namespace grapnel {

class Database;
class JournalReader;

/// A subagent of a session.
struct SubagentSummary {
  std::string id;
  std::string type;
  std::string parent;  ///< the session or the agent that started it; "" if the agent does not tell it
  int64_t events = 0;
};

/// One session of one agent, over all its records that are kept. Events without a session are one session with the id
/// "" for each agent.
struct SessionSummary {
  int64_t number = 0;  ///< in this database; never reused
  std::string session;
  std::string agent;
  std::string project;  ///< of its newest event
  int64_t first = 0;    ///< the time of its first and of its last event, in milliseconds since 1970
  int64_t last = 0;
  int64_t events = 0;
  int64_t deny = 0;
  int64_t ask = 0;
  int64_t failed = 0;  ///< events at which a hook failed
  int64_t turns = 0;   ///< prompts of the user
  std::vector<SubagentSummary> subagents = {};
};

/// The sessions with events in the span, those with the newest events first; at most `limit` (0: all).
/// Fails: System, BadInput.
Result<std::vector<SessionSummary>> read_sessions(JournalReader& journal, const TimeSpan& span, size_t limit = 0);

/// The sessions with this id, one for each agent that used it.
Result<std::vector<SessionSummary>> find_sessions(JournalReader& journal, const std::string& id);
/// The span of all events on record; {0, 0} if there is none. Fails: System, BadInput.
Result<TimeSpan> whole_span(Database& database);

/// The sessions with these numbers, those with the newest events first.
Result<std::vector<SessionSummary>> find_sessions(JournalReader& journal, const std::vector<int64_t>& numbers);

}  // namespace grapnel
