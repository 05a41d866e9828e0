#include "history/sessions.h"

#include <limits>

#include "history/journal_reader.h"

namespace grapnel {

namespace {

constexpr const char* kSubagents =
    "SELECT id, max(type), max(parent), sum(events) FROM subagents WHERE session = ?1 GROUP BY id ORDER BY min(file), "
    "id";

Result<std::vector<SubagentSummary>> subagents_of(Statement& select, int64_t session) {
  select.bind(1, session);
  std::vector<SubagentSummary> all;
  for (;;) {
    const auto row = select.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    all.push_back({select.text(0), select.text(1), select.text(2), select.number(3)});
  }
  select.reset();
  return all;
}

/// The sessions that a condition on `s`, a row of `sessions`, selects.
Result<std::vector<SessionSummary>> select_sessions(Database& database, const std::string& condition,
                                                    const std::function<void(Statement&)>& bind, size_t limit) {
  auto select = database.prepare(
      "SELECT s.number, s.id, a.text, (SELECT n.text FROM session_files g JOIN names n ON n.number = g.project "
      "WHERE g.session = s.number ORDER BY g.last DESC LIMIT 1), min(f.first), max(f.last) AS newest, sum(f.events), "
      "sum(f.deny), sum(f.ask), sum(f.failed), sum(f.turns) FROM sessions s JOIN session_files f ON f.session = "
      "s.number "
      "JOIN names a ON a.number = s.agent WHERE " +
      condition + " GROUP BY s.number HAVING sum(f.events) > 0 ORDER BY newest DESC, s.number DESC LIMIT " +
      std::to_string(limit == 0 ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(limit)));
  if (!select) return std::unexpected(select.error());
  bind(*select);
  auto find_subagents = database.prepare(kSubagents);
  if (!find_subagents) return std::unexpected(find_subagents.error());
  std::vector<SessionSummary> all;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return all;
    auto subagents = subagents_of(*find_subagents, select->number(0));
    if (!subagents) return std::unexpected(subagents.error());
    all.push_back({select->number(0), select->text(1), select->text(2), select->text(3), select->number(4),
                   select->number(5), select->number(6), select->number(7), select->number(8), select->number(9),
                   select->number(10), std::move(*subagents)});
  }
}

}  // namespace

Result<TimeSpan> whole_span(Database& database) {
  auto select = database.prepare("SELECT coalesce(min(first), 0), coalesce(max(last) + 1, 0) FROM session_files");
  if (!select) return std::unexpected(select.error());
  if (const auto row = select->step(); !row) return std::unexpected(row.error());
  return TimeSpan{select->number(0), select->number(1)};
}

Result<std::vector<SessionSummary>> read_sessions(JournalReader& journal, const TimeSpan& span, size_t limit) {
  return journal.query([&](Database& database) {
    return select_sessions(
        database, "s.number IN (SELECT session FROM session_files WHERE last >= ?1 AND first < ?2)",
        [&](Statement& select) { select.bind(1, span.from).bind(2, span.to); }, limit);
  });
}

Result<std::vector<SessionSummary>> find_sessions(JournalReader& journal, const std::string& id) {
  return journal.query([&](Database& database) {
    return select_sessions(database, "s.id = ?1", [&](Statement& select) { select.bind(1, id); }, 0);
  });
}

Result<std::vector<SessionSummary>> find_sessions(JournalReader& journal, const std::vector<int64_t>& numbers) {
  std::string list;
  for (const int64_t number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
  return journal.query([&](Database& database) {
    return select_sessions(database, "s.number IN (" + list + ")", [](Statement&) {}, 0);
  });
}

}  // namespace grapnel
