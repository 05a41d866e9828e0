#pragma once

#include <array>
#include <string>
#include <vector>

#include "grapnel/decision.h"

#include "history/journal_query.h"
#include "history/sessions.h"

/// What a timeline shows: how many events there were when, and one lane of marks for each session.
namespace grapnel {

class JournalReader;

inline constexpr size_t kVerdicts = 4;

/// How many events had which verdict, in equal steps of time.
struct Overview {
  int64_t from = 0;                                         ///< milliseconds since 1970
  int64_t step = 0;                                         ///< milliseconds
  std::array<std::vector<int64_t>, kVerdicts> counts = {};  ///< by `Verdict`
};

/// One sign in a lane: an event, or several that are too near to each other to be told apart.
struct Mark {
  enum class Kind : uint8_t { Rewrite, Inject, Verdict, Failed, Tool };
  int64_t at = 0;  ///< milliseconds since 1970
  int64_t to = 0;  ///< for a tool: when it had run; 0 if that is not known
  int64_t count = 1;
  Verdict verdict = Verdict::Pass;  ///< the strictest of them
  int64_t strictest = 1;            ///< how many of them have that verdict
  Kind kind = Kind::Verdict;
  std::string id = {};     ///< of the event; of the strictest one, or else the first
  std::string label = {};  ///< the subject, for deny, ask and rewrite
};
/// `rewrite`, `inject`, `verdict`, `failed`, `tool`.
std::string_view to_string(Mark::Kind kind);
/// The row of a lane: 1 for what hooks changed, 2 for verdicts and tools, 3 for hooks that failed.
int row_of(Mark::Kind kind);

/// The lane of a subagent.
struct SubagentLane {
  SubagentSummary subagent;
  int64_t shown = 0;
  std::vector<Mark> marks = {};
};

struct Lane {
  SessionSummary session;  ///< over all its records, not only those in the span
  int64_t shown = 0;       ///< how many events the marks stand for
  /// Of the main agent, and of subagents that have no lane of their own.
  std::vector<Mark> marks = {};
  std::vector<SubagentLane> subagents = {};  ///< those with events in the span, in the order in which they began
};

struct TimelineRequest {
  TimeSpan span = {};       ///< {0, 0}: everything
  JournalQuery query = {};  ///< its times are ignored
  int64_t step = 0;         ///< marks nearer than this many milliseconds are one
  int64_t steps = 0;        ///< if more than 0, instead of `step`: so many fill the span, however long it is
  size_t max_lanes = 60;
  size_t max_subagents = 8;  ///< of one session; the marks of others are those of the session
  size_t max_marks = 5000;
  size_t overview_steps = 300;  ///< at most
};

struct Timeline {
  TimeSpan span = {};
  int64_t first = 0;  ///< the times of the first and the last event on record; 0 if there is none
  int64_t last = 0;
  int64_t total = 0;             ///< how many events fit the query, in the whole journal
  Overview overview = {};        ///< of the whole journal, of the events that fit the query
  std::vector<Lane> lanes = {};  ///< those with the newest events first
  int64_t quiet_sessions = 0;    ///< sessions without an event in the span
  bool truncated = false;        ///< there are more lanes or marks than the request allows
};

/// Fails: System, BadInput.
Result<Timeline> read_timeline(JournalReader& journal, const TimelineRequest& request);

/// The overview of a span alone; of everything if the span is {0, 0}. Events in the same hour are told apart if the
/// span is shorter than a week. Fails: System, BadInput.
Result<Overview> read_overview(JournalReader& journal, const TimeSpan& span, const JournalQuery& query, size_t steps);

}  // namespace grapnel
