#include <algorithm>

#include "history/journal_reader.h"
#include "history/record_scan.h"
#include "history/schema.h"
#include "history/timeline.h"

namespace grapnel {

namespace {

/// Records are only counted one by one if there are not too many of them.
constexpr int64_t kFewRecords = 100000;

void add_to(Overview& overview, int64_t time, int64_t verdict, int64_t count) {
  const auto step = static_cast<size_t>((time - overview.from) / overview.step);
  auto& counts = overview.counts[static_cast<size_t>(verdict)];
  if (time >= overview.from && step < counts.size()) counts[step] += count;
}

Result<void> add_hours(Database& database, const RecordScan& scan, Overview& overview) {
  auto select = database.prepare("SELECT h.hour, h.verdict, sum(h.events) FROM hours h WHERE 1" +
                                 scan.hour_conditions("h") + scan.hour_span("h") + " GROUP BY h.hour, h.verdict");
  if (!select) return std::unexpected(select.error());
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    add_to(overview, select->number(0) * kHourMs, select->number(1), select->number(2));
  }
}

Result<void> add_records(const RecordScan& scan, Overview& overview) {
  return scan.run("r.time, r.verdict, r.flags", [&](const Statement& row) -> Result<bool> {
    if ((row.number(2) & kBackground) == 0) add_to(overview, row.number(0), row.number(1), 1);
    return true;
  });
}

Result<Overview> overview_of(Database& database, TimeSpan span, JournalQuery query, size_t steps) {
  Overview overview;
  if (span == TimeSpan{}) {
    const auto whole = whole_span(database);
    if (!whole) return std::unexpected(whole.error());
    span = *whole;
  }
  if (span.to <= span.from || steps == 0) return overview;
  query.since = time_of(span.from);
  query.until = time_of(span.to);
  query.limit = 0;
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  overview.from = span.from;
  overview.step =
      std::max<int64_t>((span.to - span.from + static_cast<int64_t>(steps) - 1) / static_cast<int64_t>(steps), 1);
  // Whole hours are known from the roll-up.
  const bool by_hour = overview.step >= kHourMs / 2 || scan->size() > kFewRecords;
  if (by_hour) {
    overview.from = span.from / kHourMs * kHourMs;
    overview.step = (overview.step + kHourMs - 1) / kHourMs * kHourMs;
  }
  const auto count = static_cast<size_t>((span.to - overview.from + overview.step - 1) / overview.step);
  for (auto& counts : overview.counts) counts.resize(count);
  const auto done =
      by_hour && scan->is_of_hours() ? add_hours(database, *scan, overview) : add_records(*scan, overview);
  if (!done) return std::unexpected(done.error());
  return overview;
}

}  // namespace

Result<Overview> read_overview(JournalReader& journal, const TimeSpan& span, const JournalQuery& query, size_t steps) {
  return journal.query([&](Database& database) { return overview_of(database, span, query, steps); });
}

}  // namespace grapnel
