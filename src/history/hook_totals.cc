#include "history/hook_totals.h"

#include <algorithm>
#include <map>

#include "grapnel/decision.h"

#include "history/journal_reader.h"
#include "history/record_scan.h"
#include "history/schema.h"

namespace grapnel {

namespace {

/// What is known of one hook so far. Either all times are kept, or only a histogram of them.
struct Tally {
  HookTotals totals;
  int64_t last = 0;
  int64_t total = 0;
  int64_t max = 0;
  std::vector<int64_t> times;
  TimeHistogram histogram;

  HookTotals finish(const std::string& name) {
    using std::chrono::microseconds;
    totals.name = name;
    totals.total = microseconds(total);
    totals.max = microseconds(max);
    if (last > 0) totals.last = time_of(last);
    const auto at = [&](size_t percent) {
      if (histogram.count() > 0) return std::min(histogram.percentile(percent), totals.max);
      if (times.empty()) return microseconds(0);
      const auto place = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) * percent / 100);
      std::ranges::nth_element(times, place);
      return microseconds(*place);
    };
    totals.p50 = at(50);
    totals.p95 = at(95);
    return totals;
  }
};
using Tallies = std::map<int64_t, Tally>;  ///< by the number of the hook's name

/// Adds one share of a hook in a record: the columns of `kRunColumns`.
constexpr const char* kRunColumns = "x.hook, x.fate, x.verdict, x.would, x.us, r.time";
void add_run(Tally& tally, const Statement& row, bool keeps_times) {
  const auto is = [&](int column, auto value) { return row.number(column) == static_cast<int64_t>(value); };
  if (is(1, HookFate::Kind::Skipped)) {
    ++tally.totals.skipped;
    return;
  }
  // It has only started. Its end is recorded separately, and counted then.
  if (is(1, HookFate::Kind::Detached)) return;
  ++tally.totals.runs;
  tally.totals.failures += is(1, HookFate::Kind::Failed) ? 1 : 0;
  tally.totals.denials += is(2, Verdict::Deny) ? 1 : 0;
  tally.totals.asks += is(2, Verdict::Ask) ? 1 : 0;
  tally.totals.would_deny += row.number(3) == static_cast<int64_t>(Verdict::Deny) + 1 ? 1 : 0;
  tally.totals.would_ask += row.number(3) == static_cast<int64_t>(Verdict::Ask) + 1 ? 1 : 0;
  const int64_t us = row.number(4);
  tally.total += us;
  tally.max = std::max(tally.max, us);
  tally.last = std::max(tally.last, row.number(5));
  if (keeps_times) {
    tally.times.push_back(us);
  } else {
    tally.histogram.add(std::chrono::microseconds(us));
  }
}

Result<void> add_records(Database& database, const JournalQuery& query, bool keeps_times, Tallies& tallies) {
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  return scan->run_hooks(kRunColumns, [&](const Statement& row) -> Result<bool> {
    add_run(tallies[row.number(0)], row, keeps_times);
    return true;
  });
}

/// The hours that lie completely in the span of the query: from the first to before the second.
std::pair<int64_t, int64_t> whole_hours(const RecordScan& scan) {
  const int64_t from = (scan.since() + kHourMs - 1) / kHourMs;
  const int64_t to = scan.until() == 0 ? std::numeric_limits<int64_t>::max() / kHourMs : scan.until() / kHourMs;
  return {from, std::max(from, to)};
}

std::string hours_text(const std::pair<int64_t, int64_t>& hours) {
  return " AND h.hour >= " + std::to_string(hours.first) + " AND h.hour < " + std::to_string(hours.second);
}

/// Whether so many runs fit that their times are not kept one by one. Reads no more hours than it needs to know.
Result<bool> has_many_runs(Database& database, const std::string& conditions) {
  auto select = database.prepare("SELECT h.runs FROM hook_hours h WHERE 1" + conditions);
  if (!select) return std::unexpected(select.error());
  for (int64_t runs = 0; runs <= kExactRuns; runs += select->number(0)) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return false;
  }
  return true;
}

Result<void> add_hours(Database& database, const std::string& conditions, Tallies& tallies) {
  auto select = database.prepare(
      "SELECT h.hook, h.runs, h.failures, h.denials, h.asks, h.would_deny, h.would_ask, h.skipped, h.total, h.max, "
      "h.last, h.times FROM hook_hours h WHERE 1" +
      conditions);
  if (!select) return std::unexpected(select.error());
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    Tally& tally = tallies[select->number(0)];
    int next = 1;
    for (int64_t* count : {&tally.totals.runs, &tally.totals.failures, &tally.totals.denials, &tally.totals.asks,
                           &tally.totals.would_deny, &tally.totals.would_ask, &tally.totals.skipped, &tally.total}) {
      *count += select->number(next++);
    }
    tally.max = std::max(tally.max, select->number(9));
    tally.last = std::max(tally.last, select->number(10));
    tally.histogram.add_bytes(select->view(11));
  }
}

/// The parts of hours at both ends of the span are counted record by record.
Result<void> add_ends(Database& database, const JournalQuery& query, const std::pair<int64_t, int64_t>& hours,
                      Tallies& tallies) {
  if (!query.since.empty()) {
    JournalQuery before = query;
    before.until = time_of(hours.first * kHourMs);
    if (auto done = add_records(database, before, false, tallies); !done) return done;
  }
  // Without an end, the last hour has none either, and no time.
  if (query.until.empty()) return {};
  JournalQuery behind = query;
  behind.since = time_of(hours.second * kHourMs);
  return add_records(database, behind, false, tallies);
}

Result<Tallies> tally_all(Database& database, const JournalQuery& query) {
  Tallies tallies;
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  if (scan->is_empty()) return tallies;
  const auto hours = whole_hours(*scan);
  const std::string conditions = scan->hook_conditions("h") + hours_text(hours);
  const auto has_many =
      scan->is_of_hooks() && hours.first < hours.second ? has_many_runs(database, conditions) : Result<bool>(false);
  if (!has_many) return std::unexpected(has_many.error());
  const auto done = *has_many ? add_hours(database, conditions, tallies) : add_records(database, query, true, tallies);
  if (!done) return std::unexpected(done.error());
  if (*has_many) {
    if (auto added = add_ends(database, query, hours, tallies); !added) return std::unexpected(added.error());
  }
  return tallies;
}

Result<std::string> name_of(Database& database, int64_t number) {
  auto select = database.prepare("SELECT text FROM names WHERE number = ?1");
  if (!select) return std::unexpected(select.error());
  if (const auto row = select->bind(1, number).step(); !row) return std::unexpected(row.error());
  return select->text(0);
}

Result<std::vector<HookTotals>> totals_of(Database& database, const JournalQuery& query) {
  auto tallies = tally_all(database, query);
  if (!tallies) return std::unexpected(tallies.error());
  std::vector<HookTotals> all;
  for (auto& [hook, tally] : *tallies) {
    const auto name = name_of(database, hook);
    if (!name) return std::unexpected(name.error());
    all.push_back(tally.finish(*name));
  }
  std::ranges::sort(all, {}, &HookTotals::name);
  std::ranges::stable_sort(all, std::greater(), &HookTotals::total);
  return all;
}

Result<std::vector<HookCount>> counts_of(Database& database) {
  auto select = database.prepare(
      "SELECT n.text, sum(h.runs), sum(h.skipped), max(h.last) FROM hook_hours h JOIN names n ON n.number = h.hook "
      "GROUP BY h.hook HAVING sum(h.runs) > 0 OR sum(h.skipped) > 0 OR sum(h.detached) > 0");
  if (!select) return std::unexpected(select.error());
  std::vector<HookCount> all;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return all;
    const int64_t last = select->number(3);
    all.push_back({select->text(0), select->number(1), select->number(2), last > 0 ? time_of(last) : ""});
  }
}

Result<std::vector<HookActivity>> activity_of(Database& database, const TimeSpan& span, size_t steps) {
  const int64_t step = std::max<int64_t>((span.to - span.from) / static_cast<int64_t>(std::max<size_t>(steps, 1)), 1);
  auto select = database.prepare(
      "SELECT n.text, min((h.hour * ?4 + ?4 / 2 - ?1) / ?2, ?5), sum(h.runs) FROM hook_hours h "
      "JOIN names n ON n.number = h.hook "
      "WHERE h.hour >= ?1 / ?4 AND h.hour * ?4 < ?3 GROUP BY 1, 2");
  if (!select) return std::unexpected(select.error());
  select->bind(1, span.from).bind(2, step).bind(3, span.to).bind(4, kHourMs).bind(5, static_cast<int64_t>(steps) - 1);
  std::vector<HookActivity> all;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return all;
    const std::string name = select->text(0);
    if (all.empty() || all.back().name != name) all.push_back({name, std::vector<int64_t>(steps)});
    all.back().runs[static_cast<size_t>(std::max<int64_t>(select->number(1), 0))] += select->number(2);
  }
}

}  // namespace

Result<std::vector<HookTotals>> read_hook_totals(JournalReader& journal, const JournalQuery& query) {
  return journal.query([&](Database& database) { return totals_of(database, query); });
}

Result<std::vector<HookCount>> count_hook_runs(JournalReader& journal) {
  return journal.query([](Database& database) { return counts_of(database); });
}

Result<std::vector<HookActivity>> read_hook_activity(JournalReader& journal, const TimeSpan& span, size_t steps) {
  if (steps == 0 || span.to <= span.from) return std::vector<HookActivity>{};
  return journal.query([&](Database& database) { return activity_of(database, span, steps); });
}

}  // namespace grapnel
