#include "history/journal_reader.h"
#include "history/record_files.h"
#include "record/chain.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// An import reads every record file from the place where the last import stopped. Files are identified by their inode,
// because they are renamed when they grow large. An inode number may be reused, so the first bytes of the file (its
// opening) are stored, too. If they differ, the file is read from the start.
//
// Reading a line twice does no harm: the hash of a record is its key, and a known key is ignored.

/// How far a file was read, and how many lines of it were no records.
struct Mark {
  size_t offset = 0;
  int64_t bad = 0;
};

/// The statements of one import. They are prepared once and used for every line.
struct Inserts {
  Statement record;
  Statement run;
  Statement rows;  ///< how many rows the last insert added, and the number of the last row
};

/// Most columns are copies of members of the record, so that queries can use them. `line` is the whole record.
Result<Inserts> prepare_inserts(Database& database) {
  auto record = database.prepare(
      "INSERT OR IGNORE INTO records(key, file, id, time, event, session, tool, verdict, registry, lost, line) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  if (!record) return std::unexpected(record.error());
  auto run =
      database.prepare("INSERT INTO runs(record, name, fate, detail, verdict, us) VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  if (!run) return std::unexpected(run.error());
  auto rows = database.prepare("SELECT changes(), last_insert_rowid()");
  if (!rows) return std::unexpected(rows.error());
  return Inserts{std::move(*record), std::move(*run), std::move(*rows)};
}

std::string member(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

/// One row for each hook of a record.
Result<void> insert_runs(Inserts& to, int64_t number, const Json& hooks) {
  for (const Json& hook : hooks.elements()) {
    to.run.bind(1, number).bind(2, member(hook, "name")).bind(3, member(hook, "fate"));
    to.run.bind(4, member(hook, "detail")).bind(5, member(hook, "verdict"));
    to.run.bind(6, hook["us"].as_integer().value_or(0));
    if (auto done = to.run.run(); !done) return done;
  }
  return {};
}

Result<void> insert_record(Inserts& to, int64_t inode, std::string_view line, const Json& record) {
  // A line without a place in the chain still needs a key.
  const auto link = read_link(line);
  to.record.bind(1, link ? link->hash : Sha256().add(line).hex()).bind(2, inode);
  to.record.bind(3, member(record, "id")).bind(4, member(record, "time")).bind(5, member(record, "event"));
  to.record.bind(6, member(record, "session")).bind(7, member(record, "tool")).bind(8, member(record, "verdict"));
  to.record.bind(9, member(record, "registry")).bind(10, record["lost_before"].as_integer().value_or(0));
  to.record.bind(11, line);
  if (auto done = to.record.run(); !done) return done;
  if (auto row = to.rows.step(); !row) return std::unexpected(row.error());
  // `INSERT OR IGNORE` adds nothing for a known key. Its hooks are then known, too.
  const bool is_new = to.rows.number(0) > 0;
  const int64_t number = to.rows.number(1);
  if (auto done = to.rows.run(); !done) return done;
  return is_new ? insert_runs(to, number, record["hooks"]) : Result<void>{};
}

/// Returns the start of the file if the mark belongs to another file that had the same inode, or if the file was cut.
Result<Mark> find_mark(Database& database, const RecordFile& file, const std::string& opening) {
  auto select = database.prepare("SELECT offset, bad, opening FROM files WHERE inode = ?1");
  if (!select) return std::unexpected(select.error());
  const auto row = select->bind(1, file.inode).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return Mark{};
  const Mark mark{static_cast<size_t>(select->number(0)), select->number(1)};
  const bool is_same = opening.starts_with(select->text(2)) && mark.offset <= file.size;
  return is_same ? mark : Mark{};
}

Result<void> set_mark(Database& database, const RecordFile& file, const std::string& opening, const Mark& mark) {
  auto insert = database.prepare("INSERT OR REPLACE INTO files(inode, offset, bad, opening) VALUES(?1, ?2, ?3, ?4)");
  if (!insert) return std::unexpected(insert.error());
  // At most `offset` bytes of the opening are kept: the bytes behind it may still be half a line.
  insert->bind(1, file.inode).bind(2, static_cast<int64_t>(mark.offset)).bind(3, mark.bad);
  return insert->bind(4, std::string_view(opening).substr(0, mark.offset)).run();
}

Result<void> import_file(Database& database, Inserts& to, const RecordFile& file) {
  const std::string opening = opening_of(file);
  auto mark = find_mark(database, file, opening);
  if (!mark) return std::unexpected(mark.error());
  // The usual case: nothing was appended since the last import.
  if (mark->offset == file.size) return {};
  const auto end = read_lines(file, mark->offset, [&](std::string_view line) -> Result<void> {
    const auto record = Json::parse(std::string(line));
    const bool is_record = record && record->is_object() && (*record)["id"].is_string();
    if (is_record) return insert_record(to, file.inode, line, *record);
    mark->bad += line.empty() ? 0 : 1;
    return {};
  });
  if (!end) return std::unexpected(end.error());
  mark->offset = *end;
  return set_mark(database, file, opening, *mark);
}

Result<void> import_files(Database& database, const std::string& directory) {
  auto inserts = prepare_inserts(database);
  if (!inserts) return std::unexpected(inserts.error());
  for (const RecordFile& file : open_record_files(directory)) {
    if (auto done = import_file(database, *inserts, file); !done) return done;
  }
  return {};
}

}  // namespace

/// One transaction for all files: the records and the marks change together, or not at all.
Result<void> import_records(Database& database, const std::string& directory) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = import_files(database, directory);
  if (done) done = database.run("COMMIT");
  if (!done) static_cast<void>(database.run("ROLLBACK"));
  return done;
}

}  // namespace grapnel
