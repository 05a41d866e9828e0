#include "history/events.h"

#include <array>

#include "grapnel/decision.h"
#include "grapnel/event.h"

#include "history/importer.h"
#include "history/journal_reader.h"
#include "history/record_scan.h"
#include "history/schema.h"

namespace grapnel {

namespace {

/// The columns of an entry, and the flags.
std::string event_columns() {
  return std::string(kEntryColumns) + ", r.flags";
}
bool is_background(const Statement& row) {
  return (row.number(6) & kBackground) != 0;
}

Result<EventPage> select_page(JournalReader& journal, Database& database, const JournalQuery& query, size_t limit) {
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  EventPage page;
  const auto done = scan->run(event_columns(), [&](const Statement& row) -> Result<bool> {
    if (is_background(row)) return true;
    if (page.entries.size() == limit) {
      page.next = page.entries.back().number;
      return false;
    }
    auto entry = entry_of(journal, database, row);
    if (!entry) return std::unexpected(entry.error());
    page.entries.push_back(std::move(*entry));
    return true;
  });
  if (!done) return std::unexpected(done.error());
  return page;
}

/// Where an event is among the others.
struct Place {
  int64_t number = 0;
  int64_t session = 0;
  int64_t time = 0;
};

Result<Place> find_place(JournalReader& journal, Database& database, const std::string& id) {
  const auto scan = RecordScan::plan(database, {.id = id});
  if (!scan) return std::unexpected(scan.error());
  Place place;
  const auto done = scan->run(event_columns() + ", r.session, r.time", [&](const Statement& row) -> Result<bool> {
    if (is_background(row) || id_of(journal, database, row) != id) return true;
    place = {row.number(0), row.number(7), row.number(8)};
    return false;
  });
  if (!done) return std::unexpected(done.error());
  if (place.number == 0) return fail(Errc::NotFound, "no event on record has the id '" + id + "'");
  return place;
}

/// The id of the first event that fits; "" if there is none.
Result<std::string> first_id(JournalReader& journal, Database& database, const JournalQuery& query,
                             RecordScan::Order order) {
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  std::string id;
  const auto take = [&](const Statement& row) -> Result<bool> {
    if (is_background(row)) return true;
    id = id_of(journal, database, row);
    return false;
  };
  if (auto done = scan->run(event_columns(), take, order); !done) return std::unexpected(done.error());
  return id;
}

Result<Neighbours> select_neighbours(JournalReader& journal, Database& database, const std::string& id,
                                     const JournalQuery& query) {
  const auto place = find_place(journal, database, id);
  if (!place) return std::unexpected(place.error());
  Neighbours found;
  struct Way {
    std::string Neighbours::* to;
    bool is_back;
    bool stops;
  };
  constexpr auto kWays = std::to_array<Way>({{&Neighbours::previous, true, false},
                                             {&Neighbours::next, false, false},
                                             {&Neighbours::previous_stop, true, true},
                                             {&Neighbours::next_stop, false, true}});
  for (const Way& way : kWays) {
    JournalQuery there = query;
    there.stops |= way.stops;
    there.before = way.is_back ? place->number : 0;
    there.after = way.is_back ? 0 : place->number;
    const auto order = way.is_back ? RecordScan::Order::NewestFirst : RecordScan::Order::OldestFirst;
    auto next = first_id(journal, database, there, order);
    if (!next) return std::unexpected(next.error());
    found.*way.to = std::move(*next);
  }
  return found;
}

Result<std::optional<AfterCall>> select_after_call(JournalReader& journal, Database& database, const std::string& id) {
  const auto place = find_place(journal, database, id);
  if (!place) return std::unexpected(place.error());
  auto select = database.prepare(std::string("SELECT ") + kEntryColumns +
                                 ", r.time FROM records r INDEXED BY records_session WHERE r.session = ?1 AND "
                                 "r.time >= ?2 AND r.call_start = ?3 ORDER BY r.time LIMIT 1");
  if (!select) return std::unexpected(select.error());
  const auto row = select->bind(1, place->session).bind(2, place->time).bind(3, place->number).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  return AfterCall{id_of(journal, database, *select), select->number(6) - place->time};
}

/// The member unless it is empty.
Json text_or_missing(const Json& value) {
  return value.equals_string("") ? Json() : value;
}

/// The name of the first hook that failed.
Json failed_hook(const Json& record) {
  for (const Json& hook : record["hooks"].elements()) {
    if (hook["fate"].equals_string(to_string(HookFate::Kind::Failed))) return hook["name"];
  }
  return {};
}

/// The tool alone for a call that is about to run, which most events are; otherwise the event, and its tool.
Json what_of(const Json& record) {
  const std::string event = record["event"].as_string().value_or("");
  const std::string tool = record["tool"].as_string().value_or("");
  if (event == to_string(EventKind::PreToolUse) && !tool.empty()) return Json::string(tool);
  return event.empty() ? Json() : Json::string(tool.empty() ? event : event + " " + tool);
}

}  // namespace

Result<EventPage> read_events(JournalReader& journal, JournalQuery query, size_t limit) {
  query.limit = 0;
  return journal.query([&](Database& database) { return select_page(journal, database, query, limit); });
}

Json event_row(const JournalEntry& entry) {
  const Json& record = entry.record;
  const Json by = text_or_missing(record["decided_by"]);
  const Json reason = text_or_missing(record["reason"]);
  return Json::object({{"id", record["id"]},
                       {"number", Json::number(entry.number)},
                       {"time", record["time"]},
                       {"event", record["event"]},
                       {"agent", record["dialect"]},
                       {"session", record["session"]},
                       {"subagent", text_or_missing(record["agent_id"])},
                       {"subagent_type", text_or_missing(record["agent_type"])},
                       {"project", record["project"]},
                       {"tool", record["tool"]},
                       {"what", what_of(record)},
                       {"subject", record["subject"]},
                       {"rewritten", record["rewritten_subject"]},
                       {"verdict", record["verdict"]},
                       {"would", record["would"]["verdict"]},
                       {"by", by ? by : record["would"]["decided_by"]},
                       {"reason", reason ? reason : record["would"]["reason"]},
                       {"failed", failed_hook(record)},
                       {"answer", record["answer"]}});
}

Result<Neighbours> find_neighbours(JournalReader& journal, const std::string& id, const JournalQuery& query) {
  return journal.query([&](Database& database) { return select_neighbours(journal, database, id, query); });
}

Result<std::optional<AfterCall>> find_after_call(JournalReader& journal, const std::string& id) {
  return journal.query([&](Database& database) { return select_after_call(journal, database, id); });
}

}  // namespace grapnel
