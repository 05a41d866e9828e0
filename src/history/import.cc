#include <algorithm>
#include <array>
#include <utility>

#include "history/importer.h"
#include "history/schema.h"

namespace grapnel {

namespace {

constexpr size_t kPartLines = 20000;
constexpr size_t kKeySize = 8;
constexpr size_t kMaxCached = 100000;

int64_t key_of(std::string_view id, unsigned char filler) {
  uint64_t key = 0;
  for (size_t i = 0; i < kKeySize; ++i) key = key << 8 | (i < id.size() ? static_cast<unsigned char>(id[i]) : filler);
  // SQLite has only signed numbers.
  return static_cast<int64_t>(key ^ (uint64_t{1} << 63));
}

int64_t flags_of(const RecordFacts& record) {
  return (record.is_asked() ? kAsked : 0) | (record.in_background ? kBackground : 0) |
         (record.has_failed_hook() ? kHookFailed : 0) | (record.is_rewritten ? kRewritten : 0) |
         (record.is_injected ? kInjected : 0) | (record.is_degraded ? kDegraded : 0) |
         (record.origin == to_string(Origin::FailOpen) ? kFailOpen : 0);
}

/// The first column of the only row; 0 without a row.
Result<int64_t> query_number(Database& database, const char* sql) {
  auto select = database.prepare(sql);
  if (!select) return std::unexpected(select.error());
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  return *row ? select->number(0) : 0;
}

/// A file as the last import left it.
struct OldMark {
  size_t offset = 0;
  std::string opening;
};

bool is_same_file(const OldMark& mark, const RecordFile& file, const std::string& opening) {
  return opening.starts_with(mark.opening) && mark.offset <= file.size;
}

/// By inode.
Result<std::unordered_map<int64_t, OldMark>> read_marks(Database& database) {
  auto select = database.prepare("SELECT inode, offset, opening FROM files");
  if (!select) return std::unexpected(select.error());
  std::unordered_map<int64_t, OldMark> marks;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return marks;
    marks[select->number(0)] = {static_cast<size_t>(select->number(1)), select->text(2)};
  }
}

/// Another process may be at a long import. It releases the lock after each part, but for so short a time that those
/// who wait may never get it. As long as it makes progress, it does their work.
class OtherImports {
 public:
  explicit OtherImports(Database& database) : database_(database), known_(imported()) {}

  /// Whether something was imported since the last call.
  bool are_importing() {
    const int64_t now = imported();
    return std::exchange(known_, now) != now;
  }

 private:
  int64_t imported() { return query_number(database_, "SELECT sum(offset) FROM files").value_or(known_); }

  Database& database_;
  int64_t known_ = 0;
};

/// A large import writes to all parts of the indexes, so it gets more memory for them while it lasts.
class MoreCache {
 public:
  MoreCache(Database& database, size_t bytes) : database_(bytes > kLarge ? &database : nullptr) {
    if (database_ != nullptr) static_cast<void>(database_->run("PRAGMA cache_size = -32768"));
  }
  MoreCache(const MoreCache&) = delete;
  MoreCache& operator=(const MoreCache&) = delete;
  ~MoreCache() {
    if (database_ != nullptr) static_cast<void>(database_->run("PRAGMA cache_size = -8192; PRAGMA shrink_memory"));
  }

 private:
  static constexpr size_t kLarge = size_t{32} << 20;
  Database* database_;
};

Result<void> forget_rows(Database& database, int64_t inode) {
  auto find = database.prepare(
      "SELECT f.number, coalesce((SELECT min(low) FROM hours WHERE file = f.number), 0), "
      "coalesce((SELECT max(high) FROM hours WHERE file = f.number), 0) FROM files f WHERE f.inode = ?1");
  if (!find) return std::unexpected(find.error());
  const auto row = find->bind(1, inode).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return {};
  const int64_t file = find->number(0), low = find->number(1), high = find->number(2);
  find->reset();
  constexpr auto kOfRecords =
      std::to_array({"DELETE FROM runs WHERE record BETWEEN ?2 AND ?3 AND record IN "
                     "(SELECT number FROM records WHERE number BETWEEN ?2 AND ?3 AND file = ?1)",
                     "DELETE FROM subjects WHERE record BETWEEN ?2 AND ?3 AND record IN "
                     "(SELECT number FROM records WHERE number BETWEEN ?2 AND ?3 AND file = ?1)",
                     "DELETE FROM records WHERE number BETWEEN ?2 AND ?3 AND file = ?1"});
  for (const char* sql : kOfRecords) {
    auto statement = database.prepare(sql);
    if (!statement) return std::unexpected(statement.error());
    if (auto done = statement->run_with({file, low, high}); !done) return done;
  }
  constexpr auto kOfFile =
      std::to_array({"DELETE FROM hours WHERE file = ?1", "DELETE FROM hour_sums WHERE file = ?1",
                     "DELETE FROM hook_hours WHERE file = ?1", "DELETE FROM kinds WHERE file = ?1",
                     "DELETE FROM session_files WHERE file = ?1", "DELETE FROM subagents WHERE file = ?1",
                     "DELETE FROM files WHERE number = ?1"});
  for (const char* sql : kOfFile) {
    auto statement = database.prepare(sql);
    if (!statement) return std::unexpected(statement.error());
    if (auto done = statement->run_with({file}); !done) return done;
  }
  if (auto done = forget_text_blocks(database); !done) return done;
  return database.run("DELETE FROM sessions WHERE number NOT IN (SELECT session FROM session_files)");
}

}  // namespace

int64_t id_key(std::string_view id) {
  return key_of(id, 0);
}

std::pair<int64_t, int64_t> id_keys(std::string_view beginning) {
  return {key_of(beginning, 0), key_of(beginning, 0xff)};
}

Result<Importer> Importer::prepare(Database& database) {
  auto record = database.prepare(
      "INSERT INTO records VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 0, ?18, "
      "?19)");
  auto subject = database.prepare("INSERT INTO subjects VALUES(?1, ?2, ?3)");
  auto run = database.prepare("INSERT INTO runs VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  auto find_name = database.prepare("SELECT number FROM names WHERE text = ?1");
  auto add_name = database.prepare("INSERT INTO names(text) VALUES(?1) RETURNING number");
  auto find_session = database.prepare("SELECT number FROM sessions WHERE id = ?1 AND agent = ?2");
  auto add_session = database.prepare("INSERT INTO sessions(id, agent) VALUES(?1, ?2) RETURNING number");
  for (const auto* statement : {&record, &subject, &run, &find_name, &add_name, &find_session, &add_session}) {
    if (!*statement) return std::unexpected(statement->error());
  }
  auto calls = OpenCalls::prepare(database);
  if (!calls) return std::unexpected(calls.error());
  return Importer(database,
                  {std::move(*record), std::move(*subject), std::move(*run), std::move(*find_name),
                   std::move(*add_name), std::move(*find_session), std::move(*add_session)},
                  std::move(*calls));
}

/// If another process changed the database since the last part, what is remembered here may be wrong.
Result<void> Importer::check_others() {
  const auto version = query_number(*database_, "PRAGMA data_version");
  if (!version) return std::unexpected(version.error());
  if (*version != version_ || names_.size() > kMaxCached || sessions_.size() > kMaxCached) {
    names_.clear();
    sessions_.clear();
    calls_.forget();
  }
  version_ = *version;
  const auto next = query_number(*database_, "SELECT next FROM numbers");
  if (!next) return std::unexpected(next.error());
  next_ = *next;
  return {};
}

Result<Importer::Known> Importer::find_known(const RecordFile& file, const std::string& opening) {
  auto select =
      database_->prepare("SELECT number, offset, records, bad, lost, lost_since, opening FROM files WHERE inode = ?1");
  if (!select) return std::unexpected(select.error());
  const auto row = select->bind(1, file.inode).step();
  if (!row) return std::unexpected(row.error());
  if (*row) {
    const Known known{select->number(0), static_cast<size_t>(select->number(1)),
                      select->number(2), select->number(3),
                      select->number(4), select->number(5)};
    if (is_same_file({known.offset, select->text(6)}, file, opening)) return known;
    select->reset();
    if (auto done = forget_rows(*database_, file.inode); !done) return std::unexpected(done.error());
  }
  auto insert = database_->prepare("INSERT INTO files VALUES(NULL, ?1, 0, '', 0, 0, 0, 0) RETURNING number");
  if (!insert) return std::unexpected(insert.error());
  if (const auto added = insert->bind(1, file.inode).step(); !added) return std::unexpected(added.error());
  const Known known{.number = insert->number(0)};
  return known;
}

Result<Importer::Part> Importer::import_part(const RecordFile& file) {
  return in_transaction(*database_, [&] { return import_locked(file); });
}

Result<Importer::Part> Importer::import_locked(const RecordFile& file) {
  if (auto done = check_others(); !done) return std::unexpected(done.error());
  const std::string opening = opening_of(file);
  auto known = find_known(file, opening);
  if (!known) return std::unexpected(known.error());
  size_t lines = 0;
  const auto end = read_lines(file, known->offset, [&](std::string_view line, size_t offset) -> Result<bool> {
    if (auto done = take_line(*known, line, offset); !done) return std::unexpected(done.error());
    return ++lines < kPartLines;
  });
  if (!end) return std::unexpected(end.error());
  if (auto done = roll_ups_.store(*database_, known->number); !done) return std::unexpected(done.error());
  if (auto done = texts_.store(*database_); !done) return std::unexpected(done.error());
  auto mark = database_->prepare(
      "UPDATE files SET offset = ?2, records = ?3, bad = ?4, lost = ?5, lost_since = ?6, opening = ?7 "
      "WHERE number = ?1");
  if (!mark) return std::unexpected(mark.error());
  // At most `offset` bytes of the opening are kept: the bytes behind it may still be half a line.
  mark->bind(7, std::string_view(opening).substr(0, *end));
  if (auto done = mark->run_with(
          {known->number, static_cast<int64_t>(*end), known->records, known->bad, known->lost, known->lost_since});
      !done) {
    return std::unexpected(done.error());
  }
  auto next = database_->prepare("UPDATE numbers SET next = ?1");
  if (!next) return std::unexpected(next.error());
  if (auto done = next->run_with({next_}); !done) return std::unexpected(done.error());
  return Part{*end - known->offset, lines < kPartLines};
}

Result<void> Importer::take_line(Known& known, std::string_view line, size_t offset) {
  if (line.empty()) return {};
  const auto record = read_facts(std::string(line));
  if (!record) {
    ++known.bad;
    return {};
  }
  ++known.records;
  known.lost += record->lost;
  if (record->lost > 0 && known.lost_since == 0) known.lost_since = ms_of(record->time);
  return insert(known, *record, line, offset);
}

/// A name without a number gets one.
Result<int64_t> Importer::number_of(const std::string& name) {
  const auto [at, is_unknown] = names_.try_emplace(name);
  if (!is_unknown) return at->second;
  for (Statement* statement : {&to_.find_name, &to_.add_name}) {
    const auto row = statement->bind(1, name).step();
    if (!row) return std::unexpected(row.error());
    if (*row) at->second = statement->number(0);
    statement->reset();
    if (*row) break;
  }
  return at->second;
}

/// Also says whether the session is new.
Result<std::pair<int64_t, bool>> Importer::number_of_session(const std::string& id, int64_t agent) {
  const auto [at, is_unknown] = sessions_.try_emplace(std::to_string(agent) + " " + id);
  if (!is_unknown) return std::pair(at->second, false);
  bool is_new = false;
  for (Statement* statement : {&to_.find_session, &to_.add_session}) {
    const auto row = statement->bind(1, id).bind(2, agent).step();
    if (!row) return std::unexpected(row.error());
    if (*row) at->second = statement->number(0);
    is_new = statement == &to_.add_session;
    statement->reset();
    if (*row) break;
  }
  return std::pair(at->second, is_new);
}

Result<void> Importer::insert(const Known& known, const RecordFacts& record, std::string_view line, size_t offset) {
  RecordNumbers numbers{.number = next_++, .time = ms_of(record.time)};
  int64_t cwd = 0, subagent = 0;
  const std::pair<const std::string*, int64_t*> names[] = {
      {&record.event, &numbers.event}, {&record.agent, &numbers.agent},       {&record.project, &numbers.project},
      {&record.tool, &numbers.tool},   {&record.registry, &numbers.registry}, {&record.cwd, &cwd}};
  for (const auto& [name, number] : names) {
    const auto found = number_of(*name);
    if (!found) return std::unexpected(found.error());
    *number = *found;
  }
  if (!record.agent_id.empty()) {
    const auto found = number_of(record.agent_id);
    if (!found) return std::unexpected(found.error());
    subagent = *found;
  }
  const auto session = number_of_session(record.session, numbers.agent);
  if (!session) return std::unexpected(session.error());
  numbers.session = session->first;
  const auto call_start = calls_.look_at(record, numbers.number, numbers.session, session->second);
  if (!call_start) return std::unexpected(call_start.error());
  const auto done = to_.record.run_with(
      {numbers.number, known.number, static_cast<int64_t>(offset), static_cast<int64_t>(line.size()), id_key(record.id),
       numbers.time, numbers.event, numbers.agent, numbers.session, numbers.project, cwd, numbers.tool,
       call_key(record.call), *call_start, static_cast<int64_t>(record.verdict), stored_would(record.would),
       flags_of(record), numbers.registry, subagent});
  if (!done) return done;
  if (!record.subject.empty() || !record.rewritten.empty()) {
    to_.subject.bind(1, numbers.number).bind(2, record.subject);
    record.rewritten.empty() ? to_.subject.bind_null(3) : to_.subject.bind(3, record.rewritten);
    if (auto added = to_.subject.run(); !added) return added;
    texts_.add(numbers.number, record.subject);
    texts_.add(numbers.number, record.rewritten);
  }
  roll_ups_.add(record, numbers);
  return insert_runs(record, numbers);
}

Result<void> Importer::insert_runs(const RecordFacts& record, const RecordNumbers& numbers) {
  int64_t position = 0;
  for (const RunFacts& run : record.runs) {
    const auto hook = number_of(run.name);
    if (!hook) return std::unexpected(hook.error());
    const auto done = to_.run.run_with({numbers.number, position++, *hook, static_cast<int64_t>(run.fate),
                                        static_cast<int64_t>(run.verdict), stored_would(run.would), run.us});
    if (!done) return done;
    roll_ups_.add_run(run, *hook, numbers);
  }
  return {};
}

Result<void> forget_file(Database& database, int64_t inode) {
  return in_transaction(database, [&] { return forget_rows(database, inode); });
}

Result<std::vector<int64_t>> find_missing_files(Database& database, const std::vector<RecordFile>& files) {
  const auto marks = read_marks(database);
  if (!marks) return std::unexpected(marks.error());
  std::vector<int64_t> missing;
  for (const auto& [inode, mark] : *marks) {
    if (std::ranges::find(files, inode, &RecordFile::inode) == files.end()) missing.push_back(inode);
  }
  return missing;
}

Result<void> import_files(Database& database, const std::vector<RecordFile>& files, const OnProgress& on_progress) {
  auto marks = read_marks(database);
  if (!marks) return std::unexpected(marks.error());
  std::vector<const RecordFile*> changed;
  ImportProgress progress;
  for (const RecordFile& file : files) {
    const auto mark = marks->extract(file.inode);
    const bool is_known = mark && is_same_file(mark.mapped(), file, opening_of(file));
    // The usual case: nothing was appended since the last import.
    if (is_known && mark.mapped().offset == file.size) continue;
    changed.push_back(&file);
    progress.total += file.size - (is_known ? mark.mapped().offset : 0);
  }
  if (changed.empty()) return {};
  auto importer = Importer::prepare(database);
  if (!importer) return std::unexpected(importer.error());
  const MoreCache more_cache(database, progress.total);
  OtherImports others(database);
  for (const RecordFile* file : changed) {
    for (;;) {
      const auto part = importer->import_part(*file);
      if (!part && part.error().code == Errc::Unavailable && others.are_importing()) continue;
      if (!part) return std::unexpected(part.error());
      progress.done += part->bytes;
      if (on_progress && !on_progress(progress)) return {};
      if (part->is_last) break;
    }
  }
  return {};
}

}  // namespace grapnel
