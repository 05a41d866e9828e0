#include "fleet/central_store.h"

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/error.h"
#include "fleet/record_rows.h"

namespace grapnel::fleet {

namespace {

// Only types and words that both databases have. `number` counts rows in the order of their commits.
constexpr std::string_view kTables[] = {
    "CREATE TABLE IF NOT EXISTS records(number BIGINT NOT NULL UNIQUE, machine TEXT NOT NULL, hash TEXT NOT NULL, "
    "id TEXT, time TEXT, event TEXT, agent TEXT, session TEXT, project TEXT, tool TEXT, subject TEXT, verdict TEXT, "
    "would TEXT, decided_by TEXT, origin TEXT, registry TEXT, background BIGINT, record TEXT NOT NULL, "
    "PRIMARY KEY(machine, hash))",
    "CREATE INDEX IF NOT EXISTS records_time ON records(time)",
    "CREATE INDEX IF NOT EXISTS records_id ON records(id)",
    "CREATE INDEX IF NOT EXISTS records_verdict ON records(verdict, time)",
    "CREATE TABLE IF NOT EXISTS runs(machine TEXT NOT NULL, hash TEXT NOT NULL, position BIGINT NOT NULL, hook TEXT, "
    "fate TEXT, verdict TEXT, would TEXT, us BIGINT, time TEXT, PRIMARY KEY(machine, hash, position))",
    "CREATE INDEX IF NOT EXISTS runs_hook ON runs(hook, time)",
    "CREATE TABLE IF NOT EXISTS registries(digest TEXT PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS marks(machine TEXT PRIMARY KEY, position TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS machines(name TEXT PRIMARY KEY, joined TEXT, public_key TEXT, seen TEXT, state TEXT)",
    // Denials are few, and the page asks for those of a day every few seconds.
    "CREATE INDEX IF NOT EXISTS runs_denials ON runs(verdict, time) WHERE verdict = 'deny'",
    "CREATE TABLE IF NOT EXISTS counts(machine TEXT PRIMARY KEY, records BIGINT NOT NULL)",
    "INSERT INTO counts SELECT machine, count(*) FROM records WHERE TRUE GROUP BY machine ON CONFLICT DO NOTHING",
};

int64_t to_number(const std::string& text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Json parsed(const std::string& text) {
  return Json::parse(text).value_or(Json());
}

/// Conditions and their values, joined with AND.
class Where {
 public:
  void add(const std::string& condition, SqlValue value) {
    values_.push_back(std::move(value));
    std::string text = condition;
    text.replace(text.find('?'), 1, "$" + std::to_string(values_.size()));
    text_ += (text_.empty() ? " WHERE " : " AND ") + text;
  }
  void add_if(const std::string& condition, const std::string& value) {
    if (!value.empty()) add(condition, value);
  }
  void add_plain(const std::string& condition) { text_ += (text_.empty() ? " WHERE " : " AND ") + condition; }
  const std::string& text() const { return text_; }
  const std::vector<SqlValue>& values() const { return values_; }

 private:
  std::string text_;
  std::vector<SqlValue> values_;
};

/// The text as a pattern of LIKE that finds it anywhere.
std::string anywhere(const std::string& text) {
  std::string out = "%";
  for (const char c : text) out += c == '%' || c == '_' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out + "%";
}

Where where_records(const RecordFilter& filter) {
  Where where;
  where.add_if("machine = ?", filter.machine);
  where.add_if("time >= ?", filter.since);
  where.add_if("time < ?", filter.until);
  where.add_if("verdict = ?", filter.verdict);
  where.add_if("event = ?", filter.event);
  where.add_if("tool = ?", filter.tool);
  where.add_if("agent = ?", filter.agent);
  where.add_if("hash IN (SELECT hash FROM runs WHERE hook = ?)", filter.hook);
  if (!filter.session.empty()) where.add("session LIKE ? ESCAPE '\\'", anywhere(filter.session).substr(1));
  if (!filter.text.empty()) where.add("lower(subject) LIKE lower(?) ESCAPE '\\'", anywhere(filter.text));
  if (!filter.id.empty()) where.add("id LIKE ? ESCAPE '\\'", anywhere(filter.id).substr(1));
  if (filter.would) where.add_plain("would <> ''");
  if (filter.before > 0) where.add("number < ?", filter.before);
  if (filter.after > 0) where.add("number > ?", filter.after);
  return where;
}

}  // namespace

Position advanced(const Position& mark, const Batch& batch) {
  if (batch.after == mark) return batch.upto;
  const bool is_in_file = batch.after.file == mark.file && batch.upto.file == mark.file;
  const bool is_reached = batch.after.offset <= mark.offset && mark.offset <= batch.upto.offset;
  return is_in_file && is_reached ? batch.upto : mark;
}

Result<CentralStore> CentralStore::open(const std::string& address) {
  auto sql = open_sql(address);
  if (!sql) return std::unexpected(sql.error());
  CentralStore store(std::move(*sql));
  // Making them needs the right to write, for which readers would have to wait.
  if (store.is_alive()) return store;
  if (auto done = store.make_tables(); !done) return std::unexpected(done.error());
  return store;
}

/// The last one that is made.
bool CentralStore::is_alive() {
  return sql_->run("SELECT machine FROM counts LIMIT 1").has_value();
}

// In a transaction, because several collectors may start at once.
Result<void> CentralStore::make_tables() {
  if (auto done = sql_->begin(); !done) return done;
  for (const std::string_view table : kTables) {
    if (auto done = sql_->run(std::string(table)); !done) {
      sql_->roll_back();
      return std::unexpected(done.error());
    }
  }
  return sql_->commit();
}

// The lines are read before the transaction, which takes longer than to write them.
Result<std::map<std::string, Position>> CentralStore::take(const std::vector<Arrival>& arrivals) {
  RecordRows rows;
  for (const Arrival& arrival : arrivals) {
    for (const std::string& line : arrival.batch.lines) rows.add(arrival.machine, line);
    for (const auto& [digest, body] : arrival.batch.registries) rows.add_registry(digest, body);
  }
  if (auto done = sql_->begin(); !done) return std::unexpected(done.error());
  auto marks = take_all(arrivals, rows);
  if (!marks) {
    sql_->roll_back();
    return marks;
  }
  if (auto done = sql_->commit(); !done) {
    sql_->roll_back();
    return std::unexpected(done.error());
  }
  return marks;
}

Result<std::map<std::string, Position>> CentralStore::take_all(const std::vector<Arrival>& arrivals, RecordRows& rows) {
  const auto next = next_number();
  if (!next) return std::unexpected(next.error());
  std::map<std::string, Position> marks;
  for (const Arrival& arrival : arrivals) {
    if (!marks.contains(arrival.machine)) {
      const auto mark = mark_of(arrival.machine);
      if (!mark) return std::unexpected(mark.error());
      marks[arrival.machine] = *mark;
    }
    marks[arrival.machine] = advanced(marks[arrival.machine], arrival.batch);
  }
  const auto added = rows.insert(*sql_, *next);
  if (!added) return std::unexpected(added.error());
  for (const auto& [machine, mark] : marks) {
    auto done = sql_->run(
        "INSERT INTO marks(machine, position) VALUES($1, $2) "
        "ON CONFLICT(machine) DO UPDATE SET position = excluded.position",
        {machine, mark.to_json().dump()});
    const auto count = added->find(machine);
    if (done && count != added->end()) {
      done = sql_->run(
          "INSERT INTO counts(machine, records) VALUES($1, $2) "
          "ON CONFLICT(machine) DO UPDATE SET records = counts.records + excluded.records",
          {machine, count->second});
    }
    if (!done) return std::unexpected(done.error());
  }
  return marks;
}

Result<Position> CentralStore::mark_of(const std::string& machine) {
  const auto rows = sql_->run("SELECT position FROM marks WHERE machine = $1", {machine});
  if (!rows) return std::unexpected(rows.error());
  return rows->empty() ? Position{} : Position::from_json(parsed(rows->front().front()));
}

Result<std::map<std::string, Position>> CentralStore::marks() {
  const auto rows = sql_->run("SELECT machine, position FROM marks");
  if (!rows) return std::unexpected(rows.error());
  std::map<std::string, Position> out;
  for (const SqlRow& row : *rows) out[row[0]] = Position::from_json(parsed(row[1]));
  return out;
}

Result<int64_t> CentralStore::next_number() {
  const auto rows = sql_->run("SELECT coalesce(max(number), 0) + 1 FROM records");
  if (!rows) return std::unexpected(rows.error());
  return to_number(rows->front().front());
}

Result<int64_t> CentralStore::count() {
  const auto rows = sql_->run("SELECT count(*) FROM records");
  if (!rows) return std::unexpected(rows.error());
  return to_number(rows->front().front());
}

Result<int64_t> CentralStore::count_arrived() {
  const auto rows = sql_->run("SELECT coalesce(sum(records), 0) FROM counts");
  if (!rows) return std::unexpected(rows.error());
  return to_number(rows->front().front());
}

Result<std::vector<CentralRecord>> CentralStore::find(const RecordFilter& filter) {
  const Where where = where_records(filter);
  const bool is_forward = filter.forward || filter.after > 0;
  const auto rows =
      sql_->run("SELECT number, machine, record, hash FROM records" + where.text() + " ORDER BY number" +
                    (is_forward ? "" : " DESC") + (filter.limit > 0 ? " LIMIT " + std::to_string(filter.limit) : ""),
                where.values());
  if (!rows) return std::unexpected(rows.error());
  std::vector<CentralRecord> out;
  for (const SqlRow& row : *rows) out.push_back({to_number(row[0]), row[1], parsed(row[2]), row[3]});
  if (!is_forward) std::ranges::reverse(out);
  return out;
}

Result<bool> CentralStore::goes_on_behind(int64_t number, const std::string& hash) {
  if (number == 0) return true;
  const auto row = sql_->run("SELECT hash FROM records WHERE number = $1", {number});
  if (!row) return std::unexpected(row.error());
  if (!row->empty()) return row->front().front() == hash;
  // Somebody may have removed old rows.
  const auto next = next_number();
  return next ? Result<bool>(number < *next) : std::unexpected(next.error());
}

Result<Json> CentralStore::registry(const std::string& digest) {
  const auto rows = sql_->run("SELECT body FROM registries WHERE digest = $1", {digest});
  if (!rows) return std::unexpected(rows.error());
  return rows->empty() ? Json() : parsed(rows->front().front());
}

Result<std::vector<HookCounts>> CentralStore::count_hooks(const RecordFilter& filter) {
  Where where;
  where.add_if("hook = ?", filter.hook);
  where.add_if("machine = ?", filter.machine);
  where.add_if("time >= ?", filter.since);
  where.add_if("time < ?", filter.until);
  if (filter.verdict == "deny") where.add_plain("verdict = 'deny'");  // as the index has it
  const auto count = [](const std::string& condition) {
    return ", sum(CASE WHEN " + condition + " THEN 1 ELSE 0 END)";
  };
  const auto rows = sql_->run(
      "SELECT hook" + count("fate IN ('ran', 'failed')") + count("fate = 'failed'") + count("verdict = 'deny'") +
          count("verdict = 'ask'") + count("would = 'deny'") + count("would = 'ask'") + count("fate = 'skipped'") +
          ", count(DISTINCT machine), max(time) FROM runs" + where.text() + " GROUP BY hook ORDER BY hook",
      where.values());
  if (!rows) return std::unexpected(rows.error());
  std::vector<HookCounts> out;
  for (const SqlRow& row : *rows) {
    out.push_back({row[0], to_number(row[1]), to_number(row[2]), to_number(row[3]), to_number(row[4]),
                   to_number(row[5]), to_number(row[6]), to_number(row[7]), to_number(row[8]), row[9]});
  }
  return out;
}

Result<void> CentralStore::note_machines(const std::map<std::string, Said>& said) {
  if (said.empty()) return {};
  if (auto done = sql_->begin(); !done) return done;
  for (const auto& [name, one] : said) {
    const auto done = sql_->run(
        "INSERT INTO machines(name, seen, state) VALUES($1, $2, $3) "
        "ON CONFLICT(name) DO UPDATE SET seen = excluded.seen, state = excluded.state",
        {name, one.time, one.state.dump()});
    if (done) continue;
    sql_->roll_back();
    return std::unexpected(done.error());
  }
  return sql_->commit();
}

Result<void> CentralStore::note_joined(const std::string& name, const std::string& public_key, const std::string& now) {
  const auto done = sql_->run(
      "INSERT INTO machines(name, joined, public_key) VALUES($1, $2, $3) "
      "ON CONFLICT(name) DO UPDATE SET joined = excluded.joined, public_key = excluded.public_key",
      {name, now, public_key});
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<std::string> CentralStore::key_of(const std::string& name) {
  const auto rows = sql_->run("SELECT public_key FROM machines WHERE name = $1", {name});
  if (!rows) return std::unexpected(rows.error());
  return rows->empty() ? std::string() : rows->front().front();
}

Result<std::vector<MachineRow>> CentralStore::machines(const std::string& after, int64_t limit) {
  const auto rows = sql_->run(
      "SELECT name, seen, joined, state, (SELECT records FROM counts WHERE machine = name) FROM machines "
      "WHERE name > $1 ORDER BY name LIMIT $2",
      {after, limit});
  if (!rows) return std::unexpected(rows.error());
  std::vector<MachineRow> out;
  for (const SqlRow& row : *rows) out.push_back({row[0], row[1], row[2], parsed(row[3]), to_number(row[4])});
  return out;
}

Result<void> CentralStore::forget_machine(const std::string& name) {
  const auto done = sql_->run("DELETE FROM machines WHERE name = $1", {name});
  return done ? Result<void>() : std::unexpected(done.error());
}

}  // namespace grapnel::fleet
