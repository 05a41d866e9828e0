#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "history/journal_query.h"
#include "history/time_histogram.h"

/// What each hook did, counted.
namespace grapnel {

class JournalReader;

/// The numbers of one hook, over all events that match.
struct HookTotals {
  std::string name;
  int64_t runs = 0;  ///< including those that failed; a detached hook counts when it has ended
  int64_t failures = 0;
  int64_t denials = 0;
  int64_t asks = 0;
  int64_t would_deny = 0;  ///< times that it only observed
  int64_t would_ask = 0;
  int64_t skipped = 0;
  std::chrono::microseconds p50{0};
  std::chrono::microseconds p95{0};
  std::chrono::microseconds max{0};
  std::chrono::microseconds total{0};
  std::string last;  ///< when it last ran, or ""
};

/// The totals of every hook that took part in a matching event, sorted by the total time that they took. The counts are
/// exact. The percentiles are exact, too, if at most `kExactRuns` runs match, or if the query has other conditions than
/// times and a hook; otherwise they come from a histogram and are at most 3 % off. Fails: System, BadInput.
Result<std::vector<HookTotals>> read_hook_totals(JournalReader& journal, const JournalQuery& query);
inline constexpr int64_t kExactRuns = 20000;

/// How often each hook ran, over all events, and when last: what `read_hook_totals` says without the times of runs,
/// which take most of its time. Fails: System, BadInput.
struct HookCount {
  std::string name;
  int64_t runs = 0;
  int64_t skipped = 0;
  std::string last;  ///< when it last ran, or ""
};
Result<std::vector<HookCount>> count_hook_runs(JournalReader& journal);

/// How often a hook ran, in equal steps of the span. Hours are not divided. Fails: System, BadInput.
struct HookActivity {
  std::string name;
  std::vector<int64_t> runs;
};
Result<std::vector<HookActivity>> read_hook_activity(JournalReader& journal, const TimeSpan& span, size_t steps);

}  // namespace grapnel
