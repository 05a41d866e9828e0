#include "history/series.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "grapnel/decision.h"

#include "history/journal_reader.h"
#include "history/record_scan.h"
#include "history/schema.h"
#include "history/sessions.h"
#include "history/time_histogram.h"

namespace grapnel {

namespace {

constexpr int64_t kDayMs = 24 * kHourMs;
constexpr size_t kWeek = 7;
/// 1970 began on a Thursday; weeks are counted from Monday.
constexpr int64_t kFirstWeekday = 3;

/// What hooks did in one step of time.
struct Steps {
  int64_t from = 0;
  int64_t step = 0;
  size_t count = 0;
  std::map<std::string, std::vector<int64_t>> denies;
  std::map<size_t, TimeHistogram> times;

  size_t step_of(int64_t time) const {
    return static_cast<size_t>(std::clamp<int64_t>((time - from) / step, 0, static_cast<int64_t>(count) - 1));
  }
  void add_denies(const std::string& hook, int64_t time, int64_t number) {
    if (number == 0) return;
    auto& counts = denies[hook];
    counts.resize(count);
    counts[step_of(time)] += number;
  }
};

class SeriesReader {
 public:
  SeriesReader(Database& database, const RecordScan& scan, int64_t offset)
      : database_(database), scan_(scan), offset_(offset) {}

  Result<void> read_events(JournalSeries& series) {
    if (!scan_.is_of_hours()) return read_event_records(series);
    auto select = database_.prepare(
        "SELECT h.hour, sum(h.events), sum(h.rewrites), sum(h.injects), sum(h.fail_open), sum(h.degraded), sum(h.lost) "
        "FROM hours h WHERE 1" +
        scan_.hour_conditions("h") + scan_.hour_span("h") + " GROUP BY h.hour");
    if (!select) return std::unexpected(select.error());
    for (;;) {
      const auto row = select->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) return {};
      add_heat(series, select->number(0) * kHourMs, select->number(1));
      int next = 1;
      for (int64_t* count :
           {&series.events, &series.rewrites, &series.injects, &series.fail_open, &series.degraded, &series.lost}) {
        *count += select->number(next++);
      }
    }
  }

  Result<void> read_hooks(Steps& steps) {
    if (!scan_.is_of_hooks()) return read_hook_records(steps);
    auto select = database_.prepare(
        "SELECT CASE h.denials WHEN 0 THEN '' ELSE (SELECT n.text FROM names n WHERE n.number = h.hook) END, h.hour, "
        "h.denials, h.times FROM hook_hours h WHERE 1" +
        scan_.hook_conditions("h") + scan_.hour_span("h"));
    if (!select) return std::unexpected(select.error());
    for (;;) {
      const auto row = select->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) return {};
      const int64_t time = select->number(1) * kHourMs;
      steps.add_denies(select->text(0), time, select->number(2));
      if (const std::string times = select->text(3); !times.empty()) steps.times[steps.step_of(time)].add_bytes(times);
    }
  }

 private:
  void add_heat(JournalSeries& series, int64_t time, int64_t events) const {
    const int64_t there = time + offset_;
    const auto day = static_cast<size_t>((there / kDayMs + kFirstWeekday) % static_cast<int64_t>(kWeek));
    series.heat[day][static_cast<size_t>(there % kDayMs / kHourMs)] += events;
  }

  Result<void> read_event_records(JournalSeries& series) {
    return scan_.run("r.time, r.flags", [&](const Statement& row) -> Result<bool> {
      const int64_t flags = row.number(1);
      if ((flags & kBackground) != 0) return true;
      add_heat(series, row.number(0), 1);
      ++series.events;
      series.rewrites += (flags & kRewritten) != 0 ? 1 : 0;
      series.injects += (flags & kInjected) != 0 ? 1 : 0;
      series.fail_open += (flags & kFailOpen) != 0 ? 1 : 0;
      series.degraded += (flags & kDegraded) != 0 ? 1 : 0;
      return true;
    });
  }

  Result<void> read_hook_records(Steps& steps) {
    const std::string columns = "(SELECT n.text FROM names n WHERE n.number = x.hook), r.time, x.verdict, x.us, x.fate";
    return scan_.run_hooks(columns, [&](const Statement& row) -> Result<bool> {
      const int64_t fate = row.number(4);
      if (fate == static_cast<int64_t>(HookFate::Kind::Skipped)) return true;
      if (fate == static_cast<int64_t>(HookFate::Kind::Detached)) return true;
      const bool is_deny = row.number(2) == static_cast<int64_t>(Verdict::Deny);
      steps.add_denies(row.text(0), row.number(1), is_deny ? 1 : 0);
      steps.times[steps.step_of(row.number(1))].add(std::chrono::microseconds(row.number(3)));
      return true;
    });
  }

  Database& database_;
  const RecordScan& scan_;
  int64_t offset_;
};

Result<JournalSeries> series_of(Database& database, TimeSpan span, JournalQuery query, int64_t offset) {
  const auto whole = span == TimeSpan{} ? whole_span(database) : Result<TimeSpan>(span);
  if (!whole) return std::unexpected(whole.error());
  span = *whole;
  JournalSeries series;
  if (span.to <= span.from) return series;
  query.since = time_of(span.from);
  query.until = time_of(span.to);
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  series.step = span.to - span.from < 3 * kDayMs ? kHourMs : kDayMs;
  series.from = (span.from + offset) / series.step * series.step - offset;
  Steps steps{.from = series.from,
              .step = series.step,
              .count = static_cast<size_t>((span.to - series.from + series.step - 1) / series.step)};
  SeriesReader reader(database, *scan, offset);
  if (auto done = reader.read_events(series); !done) return std::unexpected(done.error());
  if (auto done = reader.read_hooks(steps); !done) return std::unexpected(done.error());
  for (auto& [name, counts] : steps.denies) series.denies.push_back({name, std::move(counts)});
  const auto sum = [](const HookSeries& hook) {
    return std::accumulate(hook.counts.begin(), hook.counts.end(), int64_t{0});
  };
  std::ranges::stable_sort(series.denies, std::greater(), sum);
  for (const auto& [step, times] : steps.times) {
    series.latency.push_back({series.from + static_cast<int64_t>(step) * series.step, times.percentile(50).count(),
                              times.percentile(95).count(), times.percentile(99).count()});
  }
  return series;
}

}  // namespace

Result<JournalSeries> read_series(JournalReader& journal, const TimeSpan& span, const JournalQuery& query,
                                  std::chrono::minutes utc_offset) {
  const int64_t offset = std::chrono::milliseconds(utc_offset).count();
  return journal.query([&](Database& database) { return series_of(database, span, query, offset); });
}

}  // namespace grapnel
