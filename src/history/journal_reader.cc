#include "history/journal_reader.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "history/importer.h"
#include "history/open_calls.h"
#include "history/record_scan.h"
#include "history/schema.h"
#include "os/files.h"
#include "record/lost_records.h"

namespace grapnel {

namespace {

constexpr size_t kShortId = 8;
constexpr size_t kMaxLike = 8;
constexpr size_t kMaxRegistry = size_t{64} << 20;

/// The number that a query without parameters returns; 0 without a row.
Result<int64_t> number_of(Database& database, const char* sql) {
  auto statement = database.prepare(sql);
  if (!statement) return std::unexpected(statement.error());
  const auto row = statement->step();
  if (!row) return std::unexpected(row.error());
  return *row ? statement->number(0) : 0;
}

/// Only the owner may read the database, like the records. SQLite would create it with the umask, so it is created
/// here.
Result<Database> open_private(const std::string& path) {
  if (const auto made = os::open_append(path, 0600); !made) return std::unexpected(made.error());
  return Database::open(path);
}

/// Readers can start at the same moment. So the version is read again once nobody else can write: otherwise the tables
/// of the faster one would be dropped with all that it has imported.
Result<void> create_tables(Database& database) {
  if (auto done = database.run("PRAGMA journal_mode = WAL"); !done) return done;
  return in_transaction(database, [&]() -> Result<void> {
    const auto version = number_of(database, "PRAGMA user_version");
    if (!version) return std::unexpected(version.error());
    return *version == kSchemaVersion ? Result<void>{} : database.run(kSchema);
  });
}

/// Creates the tables, unless a reader of this version has done so before.
Result<void> set_up(Database& database) {
  // In a write-ahead log, NORMAL keeps a database intact even if the power fails.
  if (auto done =
          database.run("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 8000;");
      !done)
    return done;
  const auto version = number_of(database, "PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  return *version == kSchemaVersion ? Result<void>{} : create_tables(database);
}

bool is_damage(const Error& error) {
  return error.code == Errc::BadInput;
}

/// Whether the id is the one that the query asks for. The scan compared only its first characters.
bool fits_id(const JournalQuery& query, const std::string& id) {
  if (!query.id.empty() && id != query.id) return false;
  bool is_asked = false;
  for (const QueryCondition& condition : query.where) {
    if (condition.key != QueryKey::Id || condition.is_negated) continue;
    if (id.starts_with(condition.value)) return true;
    is_asked = true;
  }
  return !is_asked;
}

Result<std::vector<JournalEntry>> select_entries(JournalReader& journal, Database& database,
                                                 const JournalQuery& query) {
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  std::vector<JournalEntry> entries;
  const auto done = scan->run(kEntryColumns, [&](const Statement& row) -> Result<bool> {
    auto entry = entry_of(journal, database, row);
    if (!entry) return std::unexpected(entry.error());
    if (fits_id(query, entry->record["id"].as_string().value_or(""))) entries.push_back(std::move(*entry));
    return true;
  });
  if (!done) return std::unexpected(done.error());
  // The newest rows were selected first because of the limit.
  std::ranges::reverse(entries);
  return entries;
}

Result<std::vector<int64_t>> select_numbers(Database& database, const JournalQuery& query) {
  const auto scan = RecordScan::plan(database, query);
  if (!scan) return std::unexpected(scan.error());
  std::vector<int64_t> numbers;
  const auto done = scan->run("r.number", [&](const Statement& row) -> Result<bool> {
    numbers.push_back(row.number(0));
    return true;
  });
  if (!done) return std::unexpected(done.error());
  std::ranges::reverse(numbers);
  return numbers;
}

/// Calls `take` with the ids whose keys are in the range, the newest first, until it returns false.
Result<void> each_id(JournalReader& journal, Database& database, std::pair<int64_t, int64_t> keys,
                     const std::function<bool(std::string id)>& take) {
  auto select =
      database.prepare(std::string("SELECT ") + kEntryColumns +
                       " FROM records r INDEXED BY records_id WHERE r.id BETWEEN ?1 AND ?2 ORDER BY r.number DESC");
  if (!select) return std::unexpected(select.error());
  select->bind(1, keys.first).bind(2, keys.second);
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row || !take(id_of(journal, database, *select))) return {};
  }
}

Result<std::vector<std::string>> select_ids(JournalReader& journal, Database& database, const std::string& beginning) {
  std::vector<std::string> found;
  bool is_whole = false;
  const int64_t key = id_key(beginning);
  auto done =
      each_id(journal, database, {key, key}, [&](const std::string& id) { return !(is_whole = id == beginning); });
  if (!done) return std::unexpected(done.error());
  if (is_whole) return std::vector{beginning};
  done = each_id(journal, database, id_keys(beginning), [&](std::string id) {
    if (id.starts_with(beginning) && std::ranges::find(found, id) == found.end()) found.push_back(std::move(id));
    return found.size() < kMaxLike;
  });
  if (!done) return std::unexpected(done.error());
  return found;
}

Result<std::vector<std::string>> select_sessions(Database& database, const std::string& beginning) {
  auto select = database.prepare(
      "SELECT s.id, max(f.last) AS newest FROM sessions s JOIN session_files f ON f.session = s.number "
      "WHERE s.id >= ?1 AND s.id < ?1 || char(1114111) GROUP BY s.id ORDER BY s.id = ?1 DESC, newest DESC, s.number "
      "DESC "
      "LIMIT ?2");
  if (!select) return std::unexpected(select.error());
  select->bind(1, beginning).bind(2, static_cast<int64_t>(kMaxLike));
  std::vector<std::string> found;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return found;
    found.push_back(select->text(0));
    if (found.back() == beginning) return found;
  }
}

/// How many characters two texts have in common at their start.
size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

Result<std::string> select_short_id(JournalReader& journal, Database& database, const std::string& id) {
  if (id.size() <= kShortId) return id;
  size_t length = kShortId;
  const auto keys = id_keys(std::string_view(id).substr(0, kShortId));
  const auto done = each_id(journal, database, keys, [&](const std::string& other) {
    if (other != id) length = std::max(length, common_length(id, other) + 1);
    return true;
  });
  if (!done) return std::unexpected(done.error());
  return id.substr(0, length);
}

/// The share of the hook in a record: the last one that is not only skipped.
HookRunEntry run_of(const Json& record, const std::string& hook) {
  const auto text = [](const Json& json) { return json.as_string().value_or(""); };
  HookRunEntry run{.time = text(record["time"]), .record_id = text(record["id"])};
  for (const Json& share : record["hooks"].elements()) {
    if (text(share["name"]) != hook || text(share["fate"]) == to_string(HookFate::Kind::Skipped)) continue;
    run.fate = text(share["fate"]);
    run.detail = text(share["detail"]);
    run.verdict = text(share["verdict"]);
    run.took = std::chrono::microseconds(share["us"].as_integer().value_or(0));
  }
  return run;
}

/// The number of the newest record in which the hook was started; 0 if there is none.
Result<int64_t> select_last_start(Database& database, const std::string& hook) {
  auto ranges = database.prepare(
      "SELECT h.hook, h.low, h.high FROM hook_hours h WHERE h.hook = (SELECT number FROM names WHERE text = ?1) "
      "AND (h.runs > 0 OR h.detached > 0) ORDER BY h.high DESC");
  if (!ranges) return std::unexpected(ranges.error());
  auto find = database.prepare(
      "SELECT record FROM runs WHERE record BETWEEN ?2 AND ?3 AND hook = ?1 AND fate <> ?4 ORDER BY record DESC LIMIT "
      "1");
  if (!find) return std::unexpected(find.error());
  ranges->bind(1, hook);
  for (;;) {
    const auto range = ranges->step();
    if (!range) return std::unexpected(range.error());
    if (!*range) return 0;
    find->bind(1, ranges->number(0)).bind(2, ranges->number(1)).bind(3, ranges->number(2));
    const auto row = find->bind(4, static_cast<int64_t>(HookFate::Kind::Skipped)).step();
    if (!row) return std::unexpected(row.error());
    if (*row) return find->number(0);
    find->reset();
  }
}

/// The row of one record.
Result<Statement> select_record(Database& database, int64_t number) {
  auto select = database.prepare(std::string("SELECT ") + kEntryColumns + " FROM records r WHERE r.number = ?1");
  if (!select) return select;
  const auto row = select->bind(1, number).step();
  if (!row) return std::unexpected(row.error());
  return select;
}

Result<std::optional<HookRunEntry>> select_last_run(JournalReader& journal, Database& database,
                                                    const std::string& hook) {
  const auto number = select_last_start(database, hook);
  if (!number) return std::unexpected(number.error());
  if (*number == 0) return std::nullopt;
  const auto row = select_record(database, *number);
  if (!row) return std::unexpected(row.error());
  const auto entry = entry_of(journal, database, *row);
  if (!entry) return std::unexpected(entry.error());
  return run_of(entry->record, hook);
}

Result<std::vector<EventCount>> select_kinds(JournalReader& journal, Database& database) {
  auto select = database.prepare(
      "SELECT g.text, e.text, sum(k.events), max(k.high) AS newest FROM kinds k JOIN names g ON g.number = k.registry "
      "JOIN names e ON e.number = k.event GROUP BY k.registry, k.event ORDER BY newest DESC");
  if (!select) return std::unexpected(select.error());
  std::vector<EventCount> counts;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return counts;
    const auto newest = select_record(database, select->number(3));
    if (!newest) return std::unexpected(newest.error());
    counts.push_back({select->text(0), select->text(1), select->number(2), id_of(journal, database, *newest)});
  }
}

}  // namespace

namespace {

LinePlace place_of(const Statement& row) {
  return {row.number(1), static_cast<size_t>(row.number(2)), static_cast<size_t>(row.number(3)), row.number(4)};
}

}  // namespace

Result<JournalEntry> entry_of(JournalReader& journal, Database& database, const Statement& row) {
  auto record = journal.lines().read(database, place_of(row));
  if (!record) return fail(Errc::NotFound, "a record is not in its file any more");
  const auto answer = static_cast<StoredAnswer>(row.number(5));
  if (answer != StoredAnswer::None) {
    record = record->with("answer", Json::string(answer == StoredAnswer::Approved ? kApproved : kNotRun));
  }
  return JournalEntry{row.number(0), std::move(*record)};
}

std::string id_of(JournalReader& journal, Database& database, const Statement& row) {
  return journal.lines().read_id(database, place_of(row));
}

std::string journal_path(const std::string& directory) {
  return directory + "/journal.db";
}

Result<JournalReader> JournalReader::open(std::string directory, std::string fallback_dir) {
  // Reading must not create a directory in which nobody has written records yet.
  bool can_keep = ::access(directory.c_str(), W_OK) == 0;
  auto database = can_keep ? open_private(journal_path(directory)) : Database::open(":memory:");
  if (!database && can_keep) {
    can_keep = false;
    database = Database::open(":memory:");
  }
  if (!database) return std::unexpected(database.error());
  JournalReader reader(std::move(directory), std::move(fallback_dir), std::move(*database));
  reader.in_memory_ = !can_keep;
  auto ready = set_up(reader.database_);
  if (!ready && is_damage(ready.error())) ready = reader.rebuild();
  // The file cannot be used, for instance because the disk is full. A database in memory still answers.
  if (!ready) ready = reader.move_to_memory();
  if (!ready) return std::unexpected(ready.error());
  return reader;
}

Result<void> JournalReader::move_to_memory() {
  auto memory = Database::open(":memory:");
  if (!memory) return std::unexpected(memory.error());
  database_ = std::move(*memory);
  lines_ = StoredLines();
  in_memory_ = true;
  return set_up(database_);
}

Result<void> JournalReader::rebuild() {
  const std::string path = journal_path(directory_);
  // SQLite's write-ahead log and index belong to the database.
  for (const char* part : {"", "-wal", "-shm"}) ::unlink((path + part).c_str());
  auto fresh = open_private(path);
  if (!fresh) return std::unexpected(fresh.error());
  database_ = std::move(*fresh);
  was_rebuilt_ = true;
  return set_up(database_);
}

Result<void> JournalReader::repair(const Error& error) {
  // The file was changed in place. What was read from it is forgotten, and it is read again.
  if (error.code == Errc::NotFound && lines_.stale_inode() != 0) {
    if (auto done = forget_file(database_, lines_.stale_inode()); !done) return done;
    return import({});
  }
  if (!is_damage(error)) return std::unexpected(error);
  if (auto ready = rebuild(); !ready) return ready;
  return import({});
}

Result<void> JournalReader::import(const OnProgress& on_progress) {
  std::vector<RecordFile> files = open_record_files(directory_);
  auto missing = find_missing_files(database_, files);
  if (missing && !missing->empty()) {
    // Perhaps another reader renamed the newest file just now. Then a second look finds it.
    files = open_record_files(directory_);
    missing = find_missing_files(database_, files);
  }
  if (!missing) return std::unexpected(missing.error());
  for (const int64_t inode : *missing) {
    if (auto done = forget_file(database_, inode); !done) return done;
  }
  lines_.set_files(std::move(files));
  return import_files(database_, lines_.files(), on_progress);
}

Result<void> JournalReader::refresh(const OnProgress& on_progress) {
  return query([&](Database&) { return import(on_progress); });
}

Result<std::vector<JournalEntry>> JournalReader::find(const JournalQuery& wanted) {
  return query([&](Database& database) { return select_entries(*this, database, wanted); });
}

Result<std::vector<int64_t>> JournalReader::find_numbers(const JournalQuery& wanted) {
  return query([&](Database& database) { return select_numbers(database, wanted); });
}

Result<std::vector<std::string>> JournalReader::ids_like(const std::string& beginning) {
  return query([&](Database& database) { return select_ids(*this, database, beginning); });
}

Result<std::vector<std::string>> JournalReader::sessions_like(const std::string& beginning) {
  return query([&](Database& database) { return select_sessions(database, beginning); });
}

Result<std::string> JournalReader::shorten(const std::string& id) {
  return query([&](Database& database) { return select_short_id(*this, database, id); });
}

Result<std::optional<HookRunEntry>> JournalReader::find_last_run(const std::string& hook) {
  return query([&](Database& database) { return select_last_run(*this, database, hook); });
}

Result<std::vector<EventCount>> JournalReader::count_events() {
  return query([&](Database& database) { return select_kinds(*this, database); });
}

Json JournalReader::registry(const std::string& digest) const {
  // The digest becomes part of a path, so anything but hex digits is refused.
  if (digest.empty() || digest.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const auto text = os::read_file(directory_ + "/registries/" + digest + ".json", kMaxRegistry);
  return text ? Json::parse(*text).value_or(Json()) : Json();
}

Result<JournalHealth> JournalReader::health() {
  auto told = database_.prepare(
      "SELECT coalesce(sum(records), 0), coalesce(sum(bad), 0), coalesce(sum(lost), 0), "
      "coalesce(min(nullif(lost_since, 0)), 0) FROM files");
  if (!told) return std::unexpected(told.error());
  if (const auto row = told->step(); !row) return std::unexpected(row.error());
  JournalHealth health{.records = told->number(0), .bad_lines = told->number(1), .lost = told->number(2)};
  if (told->number(3) > 0) health.lost_since = time_of(told->number(3));
  health.was_rebuilt = was_rebuilt_;
  health.in_memory = in_memory_;
  // Lost records are known from two sources: the numbers in later records, and the notes in `records.lost`.
  for (const std::string& directory : {directory_, fallback_dir_}) {
    if (directory.empty()) continue;
    const LostReport noted = read_lost(directory);
    if (noted.count == 0) continue;
    health.lost += static_cast<int64_t>(noted.count);
    if (health.lost_since.empty() || noted.since < health.lost_since) health.lost_since = noted.since;
    health.lost_why = noted.why;
  }
  return health;
}

}  // namespace grapnel
