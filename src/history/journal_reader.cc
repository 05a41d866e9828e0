#include "history/journal_reader.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "os/files.h"
#include "record/lost_records.h"

namespace grapnel {

namespace {

constexpr int64_t kSchemaVersion = 2;
constexpr size_t kShortId = 8;
constexpr size_t kMaxRegistry = size_t{64} << 20;
/// `files` says how far each file was read, `records` has one row per record with its whole line, `runs` one row per
/// hook of a record. AUTOINCREMENT makes sure that a number is never reused, since `after` relies on growing numbers.
/// The tables of another version are dropped: all that is in them will be read again from the files. Columns are
/// therefore never added to existing tables. Raise the version whenever this text changes.
constexpr const char* kSchema = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  BEGIN IMMEDIATE;
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS records;
  DROP TABLE IF EXISTS runs;
  CREATE TABLE files(inode INTEGER PRIMARY KEY, offset INTEGER, bad INTEGER, opening TEXT);
  CREATE TABLE records(number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, file INTEGER, id TEXT, time TEXT,
    event TEXT, agent TEXT, session TEXT, project TEXT, cwd TEXT, tool TEXT, call TEXT, subject TEXT, rewritten TEXT,
    verdict TEXT, would TEXT, asked INTEGER, answer TEXT DEFAULT '', registry TEXT, lost INTEGER, line TEXT);
  CREATE INDEX records_id ON records(id);
  CREATE INDEX records_time ON records(time);
  CREATE INDEX records_asked ON records(session) WHERE asked = 1;
  CREATE TABLE runs(record INTEGER, name TEXT, fate TEXT, detail TEXT, verdict TEXT, would TEXT, us INTEGER);
  CREATE INDEX runs_record ON runs(record);
  CREATE INDEX runs_name ON runs(name);
  PRAGMA user_version = 2;
  COMMIT;
)";

/// One condition of a query and the member that is bound to it. A condition applies if the member is not empty. To add
/// a filter, add a member to `JournalQuery` and a row here.
struct Filter {
  const char* condition;
  std::string JournalQuery::* value;
};
constexpr auto kFilters = std::to_array<Filter>({
    {"r.time >= ?", &JournalQuery::since},
    {"r.time < ?", &JournalQuery::until},
    {"r.session = ?", &JournalQuery::session},
    {"r.agent = ?", &JournalQuery::agent},
    {"(r.project = ? OR substr(r.project, 1, length(?) + 1) = ? || '/')", &JournalQuery::project},
    {"(r.cwd = ? OR substr(r.cwd, 1, length(?) + 1) = ? || '/')", &JournalQuery::cwd},
    {"(instr(lower(r.subject), lower(?)) > 0 OR instr(lower(r.rewritten), lower(?)) > 0)", &JournalQuery::text},
    {"r.would <> '' AND ? <> ''", &JournalQuery::would},
    {"r.event = ?", &JournalQuery::event},
    {"r.tool = ?", &JournalQuery::tool},
    {"r.verdict = ?", &JournalQuery::verdict},
    {"r.registry = ?", &JournalQuery::registry},
    {"EXISTS (SELECT 1 FROM runs WHERE runs.record = r.number AND runs.name = ?)", &JournalQuery::hook},
    {"r.id = ?", &JournalQuery::id},
});

/// The WHERE clause of a query. Each `?` of a condition gets the same number, so that a condition may use its value
/// twice. The numbers match the order in which `prepare` binds the values.
std::string conditions_of(const JournalQuery& query) {
  std::string sql = " WHERE r.number > ?1";
  int next = 2;
  for (const Filter& filter : kFilters) {
    if ((query.*filter.value).empty()) continue;
    std::string condition = filter.condition;
    const std::string name = "?" + std::to_string(next++);
    for (size_t at = 0; (at = condition.find('?', at)) != std::string::npos; at += name.size()) {
      condition.replace(at, 1, name);
    }
    sql += " AND " + condition;
  }
  return sql;
}

/// Prepares a query that contains `conditions_of(query)`, and binds its values.
Result<Statement> prepare(Database& database, const std::string& sql, const JournalQuery& query) {
  auto statement = database.prepare(sql);
  if (!statement) return statement;
  statement->bind(1, query.after);
  int next = 2;
  for (const Filter& filter : kFilters) {
    if (const std::string& value = query.*filter.value; !value.empty()) statement->bind(next++, value);
  }
  return statement;
}

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

/// Creates the tables, unless a reader of this version has done so before.
Result<void> set_up(Database& database) {
  const auto version = number_of(database, "PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  return *version == kSchemaVersion ? Result<void>{} : database.run(kSchema);
}

/// The only kind of error that a new database repairs.
bool is_damage(const Error& error) {
  return error.code == Errc::BadInput;
}

Result<std::vector<JournalEntry>> select_entries(Database& database, const JournalQuery& query) {
  // The newest rows are selected first because of the limit, and then reversed.
  std::string sql =
      "SELECT r.number, r.line, r.answer FROM records r" + conditions_of(query) + " ORDER BY r.number DESC";
  if (query.limit > 0) sql += " LIMIT " + std::to_string(query.limit);
  auto select = prepare(database, sql, query);
  if (!select) return std::unexpected(select.error());
  std::vector<JournalEntry> entries;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    Json record = Json::parse(select->text(1)).value_or(Json());
    if (const std::string answer = select->text(2); !answer.empty()) {
      record = record.with("answer", Json::string(answer));
    }
    entries.push_back({select->number(0), std::move(record)});
  }
  std::ranges::reverse(entries);
  return entries;
}

Result<size_t> select_count(Database& database, const JournalQuery& query) {
  auto select = prepare(database, "SELECT count(*) FROM records r" + conditions_of(query), query);
  if (!select) return std::unexpected(select.error());
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  return static_cast<size_t>(select->number(0));
}

constexpr size_t kMaxLike = 8;

/// The values of a column that begin with the text, the newest first; only the text itself if it is one of them.
Result<std::vector<std::string>> select_like(Database& database, const std::string& column, const std::string& text) {
  auto select = database.prepare("SELECT " + column + ", max(number) AS newest FROM records WHERE substr(" + column +
                                 ", 1, length(?1)) = ?1 GROUP BY " + column + " ORDER BY " + column +
                                 " = ?1 DESC, newest DESC LIMIT " + std::to_string(kMaxLike));
  if (!select) return std::unexpected(select.error());
  select->bind(1, text);
  std::vector<std::string> found;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return found;
    found.push_back(select->text(0));
    if (found.back() == text) return found;
  }
}

/// `g` sorts behind all hexadecimal digits and behind the hyphen, so the range contains all ids with this beginning.
Result<int64_t> count_ids(Database& database, const std::string& beginning) {
  auto select = database.prepare("SELECT count(DISTINCT id) FROM records WHERE id >= ?1 AND id < ?1 || 'g'");
  if (!select) return std::unexpected(select.error());
  const auto row = select->bind(1, beginning).step();
  if (!row) return std::unexpected(row.error());
  return select->number(0);
}

/// One row for each hook of the records that fit the query.
Result<std::vector<HookRunEntry>> select_runs(Database& database, const JournalQuery& query) {
  const std::string sql =
      "SELECT h.name, h.fate, h.detail, h.verdict, h.would, r.time, r.id, h.us FROM records r JOIN runs h ON h.record "
      "= "
      "r.number" +
      conditions_of(query) + " ORDER BY r.number, h.rowid";
  auto select = prepare(database, sql, query);
  if (!select) return std::unexpected(select.error());
  std::vector<HookRunEntry> runs;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return runs;
    // The filter selects records in which the hook took part. Other hooks of these records are left out here.
    if (!query.hook.empty() && select->text(0) != query.hook) continue;
    runs.push_back({select->text(0), select->text(1), select->text(2), select->text(3), select->text(4),
                    select->text(5), select->text(6), std::chrono::microseconds(select->number(7))});
  }
}

}  // namespace

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
  if (!ready) {
    auto memory = Database::open(":memory:");
    if (!memory) return std::unexpected(memory.error());
    reader.database_ = std::move(*memory);
    reader.in_memory_ = true;
    if (ready = set_up(reader.database_); !ready) return std::unexpected(ready.error());
  }
  return reader;
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

template <typename Work>
auto JournalReader::repaired(Work work) -> decltype(work()) {
  auto done = work();
  if (done || !is_damage(done.error())) return done;
  if (auto ready = rebuild(); !ready) return std::unexpected(ready.error());
  if (auto imported = import_records(database_, directory_); !imported) return std::unexpected(imported.error());
  return work();
}

Result<void> JournalReader::refresh(const OnProgress& on_progress) {
  static_cast<void>(on_progress);
  return repaired([&] { return import_records(database_, directory_); });
}

Result<std::vector<JournalEntry>> JournalReader::find(const JournalQuery& query) {
  return repaired([&] { return select_entries(database_, query); });
}

Result<size_t> JournalReader::count(const JournalQuery& query) {
  return repaired([&] { return select_count(database_, query); });
}

Result<std::vector<std::string>> JournalReader::ids_like(const std::string& beginning) {
  return repaired([&] { return select_like(database_, "id", beginning); });
}

Result<std::vector<std::string>> JournalReader::sessions_like(const std::string& beginning) {
  return repaired([&] { return select_like(database_, "session", beginning); });
}

Result<std::string> JournalReader::shorten(const std::string& id) {
  for (size_t length = kShortId; length < id.size(); ++length) {
    const auto count = count_ids(database_, id.substr(0, length));
    if (!count) return std::unexpected(count.error());
    if (*count <= 1) return id.substr(0, length);
  }
  return id;
}

Result<std::vector<HookRunEntry>> JournalReader::find_runs(const JournalQuery& query) {
  return repaired([&] { return select_runs(database_, query); });
}

Json JournalReader::registry(const std::string& digest) const {
  // The digest becomes part of a path, so anything but hex digits is refused.
  if (digest.empty() || digest.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const auto text = os::read_file(directory_ + "/registries/" + digest + ".json", kMaxRegistry);
  return text ? Json::parse(*text).value_or(Json()) : Json();
}

Result<std::vector<EventCount>> JournalReader::count_events() {
  auto select = database_.prepare(
      "SELECT registry, event, count(DISTINCT id), id, max(number) AS last FROM records GROUP BY registry, event "
      "ORDER BY last DESC");
  if (!select) return std::unexpected(select.error());
  std::vector<EventCount> counts;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return counts;
    counts.push_back({select->text(0), select->text(1), select->number(2), select->text(3)});
  }
}

Result<JournalHealth> JournalReader::health() {
  const auto records = number_of(database_, "SELECT count(*) FROM records");
  if (!records) return std::unexpected(records.error());
  const auto bad = number_of(database_, "SELECT total(bad) FROM files");
  JournalHealth health{.records = *records, .bad_lines = bad.value_or(0)};
  health.was_rebuilt = was_rebuilt_;
  health.in_memory = in_memory_;
  // Lost records are known from two sources: the numbers in later records, and the notes in `records.lost`.
  auto told = database_.prepare("SELECT coalesce(sum(lost), 0), coalesce(min(time), '') FROM records WHERE lost > 0");
  if (told && told->step().value_or(false)) {
    health.lost = told->number(0);
    health.lost_since = told->text(1);
  }
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
