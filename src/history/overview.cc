#include "history/overview.h"

#include <algorithm>

#include "history/journal_reader.h"
#include "history/record_scan.h"
#include "history/schema.h"
#include "history/sessions.h"

namespace grapnel {

namespace {

/// Records are only counted one by one if there are not too many of them.
constexpr int64_t kFewRecords = 100000;

Result<void> add_hours(Database& database, const RecordScan& scan, Overview& overview) {
  auto select = database.prepare("SELECT h.hour, h.verdict, h.events FROM hours h WHERE 1" + scan.hour_conditions("h") +
                                 scan.hour_span("h"));
  if (!select) return std::unexpected(select.error());
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    add_events(overview, select->number(0) * kHourMs, select->number(1), select->number(2));
  }
}

Result<void> add_records(const RecordScan& scan, Overview& overview) {
  return scan.run("r.time, r.verdict, r.flags", [&](const Statement& row) -> Result<bool> {
    if ((row.number(2) & kBackground) == 0) add_events(overview, row.number(0), row.number(1), 1);
    return true;
  });
}

Result<Overview> overview_of(Database& database, TimeSpan span, JournalQuery query, size_t steps) {
  if (span == TimeSpan{}) {
    const auto whole = whole_span(database);
    if (!whole) return std::unexpected(whole.error());
    span = *whole;
  }
  if (span.to <= span.from || steps == 0) return Overview{};
  query.since = time_of(span.from);
  query.until = time_of(span.to);
  query.limit = 0;
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  Overview overview = empty_overview(span, steps, false);
  // Whole hours are known from the roll-up. Steps of half an hour or more become hours, and so do shorter ones if there
  // are too many records to count them.
  const auto size = scan->is_of_hours() && overview.step < kHourMs / 2 ? scan->size() : kFewRecords + 1;
  if (!size) return std::unexpected(size.error());
  const bool by_hour = scan->is_of_hours() && *size > kFewRecords;
  if (by_hour) overview = empty_overview(span, steps, true);
  const auto done = by_hour ? add_hours(database, *scan, overview) : add_records(*scan, overview);
  if (!done) return std::unexpected(done.error());
  return overview;
}

}  // namespace

Overview empty_overview(const TimeSpan& span, size_t steps, bool by_hour) {
  Overview overview;
  const auto rounded_up = [](int64_t number, int64_t by) { return (number + by - 1) / by; };
  overview.from = by_hour ? span.from / kHourMs * kHourMs : span.from;
  overview.step = std::max<int64_t>(rounded_up(span.to - span.from, static_cast<int64_t>(steps)), 1);
  if (by_hour) overview.step = rounded_up(overview.step, kHourMs) * kHourMs;
  const auto count = static_cast<size_t>(rounded_up(span.to - overview.from, overview.step));
  for (auto& counts : overview.counts) counts.resize(count);
  return overview;
}

void add_events(Overview& overview, int64_t time, int64_t verdict, int64_t count) {
  if (time < overview.from || overview.step == 0) return;
  const auto step = static_cast<size_t>((time - overview.from) / overview.step);
  auto& counts = overview.counts[static_cast<size_t>(verdict)];
  if (step < counts.size()) counts[step] += count;
}

Result<Overview> read_overview(JournalReader& journal, const TimeSpan& span, const JournalQuery& query, size_t steps) {
  return journal.query([&](Database& database) { return overview_of(database, span, query, steps); });
}

}  // namespace grapnel
