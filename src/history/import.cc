#include <array>

#include "history/answers.h"
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
  AnswerFinder answers;
};

/// Most columns are copies of members of the record, so that queries can use them. `line` is the whole record.
Result<Inserts> prepare_inserts(Database& database) {
  auto record = database.prepare(
      "INSERT OR IGNORE INTO records(key, file, id, time, event, agent, session, project, cwd, tool, call, subject, "
      "rewritten, verdict, would, asked, registry, lost, line) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)");
  if (!record) return std::unexpected(record.error());
  auto run = database.prepare(
      "INSERT INTO runs(record, name, fate, detail, verdict, would, us) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  if (!run) return std::unexpected(run.error());
  auto rows = database.prepare("SELECT changes(), last_insert_rowid()");
  if (!rows) return std::unexpected(rows.error());
  auto answers = AnswerFinder::prepare(database);
  if (!answers) return std::unexpected(answers.error());
  return Inserts{std::move(*record), std::move(*run), std::move(*rows), std::move(*answers)};
}

/// One row for each hook of a record.
Result<void> insert_runs(Inserts& to, int64_t number, const Json& hooks) {
  for (const Json& hook : hooks.elements()) {
    to.run.bind(1, number).bind(2, text_member(hook, "name")).bind(3, text_member(hook, "fate"));
    to.run.bind(4, text_member(hook, "detail"))
        .bind(5, text_member(hook, "verdict"))
        .bind(6, text_member(hook, "would"));
    to.run.bind(7, hook["us"].as_integer().value_or(0));
    if (auto done = to.run.run(); !done) return done;
  }
  return {};
}

Result<void> insert_record(Inserts& to, int64_t inode, std::string_view line, const Json& record) {
  // A line without a place in the chain still needs a key.
  const auto link = read_link(line);
  to.record.bind(1, link ? link->hash : Sha256().add(line).hex()).bind(2, inode);
  // In the order of the statement, from the third parameter on.
  constexpr auto kMembers =
      std::to_array<std::string_view>({"id", "time", "event", "dialect", "session", "project", "cwd", "tool",
                                       "tool_use_id", "subject", "rewritten_subject", "verdict"});
  int next = 3;
  for (const std::string_view key : kMembers) to.record.bind(next++, text_member(record, key));
  to.record.bind(15, text_member(record["would"], "verdict")).bind(16, int64_t{is_asked(record)});
  to.record.bind(17, text_member(record, "registry")).bind(18, record["lost_before"].as_integer().value_or(0));
  to.record.bind(19, line);
  if (auto done = to.record.run(); !done) return done;
  if (auto row = to.rows.step(); !row) return std::unexpected(row.error());
  // `INSERT OR IGNORE` adds nothing for a known key. Its hooks are then known, too.
  const bool is_new = to.rows.number(0) > 0;
  const int64_t number = to.rows.number(1);
  if (auto done = to.rows.run(); !done) return done;
  if (!is_new) return {};
  if (auto done = to.answers.look_at(record); !done) return done;
  return insert_runs(to, number, record["hooks"]);
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
