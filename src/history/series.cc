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

/// What hooks did in the steps of time.
struct Steps {
  int64_t from = 0;
  int64_t step = 0;
  size_t count = 0;
  std::map<int64_t, HookSeries> hooks;  ///< by the number of the name
  std::map<size_t, TimeHistogram> times;

  size_t step_of(int64_t time) const {
    return static_cast<size_t>(std::clamp<int64_t>((time - from) / step, 0, static_cast<int64_t>(count) - 1));
  }
  HookSeries& hook(int64_t number) {
    const auto [at, is_new] = hooks.try_emplace(number);
    if (is_new) {
      for (auto* counts :
           {&at->second.runs, &at->second.failures, &at->second.denials, &at->second.asks, &at->second.skipped}) {
        counts->resize(count);
      }
    }
    return at->second;
  }
};

class SeriesReader {
 public:
  SeriesReader(Database& database, const RecordScan& scan, int64_t offset)
      : database_(database), scan_(scan), offset_(offset) {}

  Result<void> read_events(JournalSeries& series) {
    if (!scan_.is_of_hours()) return read_event_records(series);
    const std::string conditions = scan_.hour_conditions("h");
    auto select = database_.prepare(
        "SELECT h.hour, sum(h.events), sum(h.rewrites), sum(h.injects), sum(h.fail_open), sum(h.degraded), sum(h.lost) "
        "FROM " +
        std::string(conditions.empty() ? "hour_sums" : "hours") + " h WHERE 1" + conditions + scan_.hour_span("h") +
        " GROUP BY h.hour");
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
        "SELECT h.hook, h.hour, h.runs, h.failures, h.denials, h.asks, h.skipped, h.times FROM hook_hours h WHERE 1" +
        scan_.hook_conditions("h") + scan_.hour_span("h"));
    if (!select) return std::unexpected(select.error());
    for (;;) {
      const auto row = select->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) return {};
      const size_t step = steps.step_of(select->number(1) * kHourMs);
      HookSeries& hook = steps.hook(select->number(0));
      int next = 2;
      for (auto* counts : {&hook.runs, &hook.failures, &hook.denials, &hook.asks, &hook.skipped}) {
        (*counts)[step] += select->number(next++);
      }
      if (const std::string_view times = select->view(7); !times.empty()) steps.times[step].add_bytes(times);
    }
  }

  /// The series with their names, those with most runs first.
  Result<std::vector<HookSeries>> named(std::map<int64_t, HookSeries> hooks) {
    auto name = database_.prepare("SELECT text FROM names WHERE number = ?1");
    if (!name) return std::unexpected(name.error());
    std::vector<HookSeries> all;
    for (auto& [number, series] : hooks) {
      if (const auto row = name->bind(1, number).step(); !row) return std::unexpected(row.error());
      series.name = name->text(0);
      name->reset();
      all.push_back(std::move(series));
    }
    const auto runs = [](const HookSeries& hook) {
      return std::accumulate(hook.runs.begin(), hook.runs.end(), int64_t{0});
    };
    std::ranges::sort(all, {}, &HookSeries::name);
    std::ranges::stable_sort(all, std::greater(), runs);
    return all;
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
    return scan_.run_hooks("x.hook, r.time, x.verdict, x.us, x.fate", [&](const Statement& row) -> Result<bool> {
      const auto is = [&](int column, auto value) { return row.number(column) == static_cast<int64_t>(value); };
      // It has only started. Its end is recorded separately, and counted then.
      if (is(4, HookFate::Kind::Detached)) return true;
      const size_t step = steps.step_of(row.number(1));
      HookSeries& hook = steps.hook(row.number(0));
      if (is(4, HookFate::Kind::Skipped)) {
        ++hook.skipped[step];
        return true;
      }
      ++hook.runs[step];
      hook.failures[step] += is(4, HookFate::Kind::Failed) ? 1 : 0;
      hook.denials[step] += is(2, Verdict::Deny) ? 1 : 0;
      hook.asks[step] += is(2, Verdict::Ask) ? 1 : 0;
      steps.times[step].add(std::chrono::microseconds(row.number(3)));
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
  if (scan->is_empty()) return series;
  series.step = span.to - span.from < 3 * kDayMs ? kHourMs : kDayMs;
  series.from = (span.from + offset) / series.step * series.step - offset;
  Steps steps{.from = series.from,
              .step = series.step,
              .count = static_cast<size_t>((span.to - series.from + series.step - 1) / series.step)};
  SeriesReader reader(database, *scan, offset);
  if (auto done = reader.read_events(series); !done) return std::unexpected(done.error());
  if (auto done = reader.read_hooks(steps); !done) return std::unexpected(done.error());
  auto hooks = reader.named(std::move(steps.hooks));
  if (!hooks) return std::unexpected(hooks.error());
  series.hooks = std::move(*hooks);
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
