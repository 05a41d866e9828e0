#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "history/journal_query.h"

/// Numbers over time, for charts.
namespace grapnel {

class JournalReader;

/// What became of one hook, in each step: how often it ran, and of these runs how often it failed, denied and asked;
/// how often it was skipped.
struct HookSeries {
  std::string name = {};
  std::vector<int64_t> runs, failures, denials, asks, skipped;
};

/// Percentiles of how long hooks took, in one step of time. Only steps in which hooks ran are listed.
struct LatencyPoint {
  int64_t at = 0;  ///< milliseconds since 1970
  int64_t p50_us = 0;
  int64_t p95_us = 0;
  int64_t p99_us = 0;
};

struct JournalSeries {
  int64_t from = 0;                    ///< milliseconds since 1970
  int64_t step = 0;                    ///< a day, or an hour if the span is shorter than three days
  std::vector<HookSeries> hooks = {};  ///< those with most runs first
  std::vector<LatencyPoint> latency = {};
  std::array<std::array<int64_t, 24>, 7> heat =
      {};  ///< events per weekday (Monday first) and hour, in UTC plus the offset
  int64_t events = 0;
  int64_t rewrites = 0;   ///< events that hooks rewrote
  int64_t injects = 0;    ///< events at which hooks gave the agent context
  int64_t fail_open = 0;  ///< events that passed because a hook failed
  int64_t degraded = 0;   ///< events at which the agent could not be told everything
  int64_t lost = 0;       ///< records that could not be written, as later records tell
};

/// Of the span; of everything if it is {0, 0}. Of the query, the conditions on verdict, tool, event, agent, project and
/// hook apply. `utc_offset` is added to times before days and hours are taken from them. Fails: System, BadInput.
Result<JournalSeries> read_series(JournalReader& journal, const TimeSpan& span, const JournalQuery& query,
                                  std::chrono::minutes utc_offset = {});

}  // namespace grapnel
