#include <thread>

#include <gtest/gtest.h>

#include "history/journal_reader.h"
#include "history/record_files.h"
#include "history/verify.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::ids_found;
using testing::make_record;
using testing::TempDir;
using testing::write_records;

TEST(JournalReader, FindsNothingWhereNothingIs) {
  const TempDir dir;
  auto reader = JournalReader::open(dir / "none");
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "");
  EXPECT_FALSE(std::filesystem::exists(dir / "none")) << "looking makes nothing";
}

TEST(JournalReader, ImportsWhatIsNew) {
  const TempDir dir;
  write_records(dir.path(), {"a", "b"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "a b");
  write_records(dir.path(), {"c"});
  EXPECT_EQ(ids_found(*reader), "a b c");
  EXPECT_EQ(ids_found(dir.path()), "a b c") << "another reader goes on from there";
  struct stat st;
  ASSERT_EQ(::stat((dir / "journal.db").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
}

TEST(JournalReader, LeavesALineThatIsBeingWritten) {
  const TempDir dir;
  write_records(dir.path(), {"a", "b"});
  const std::string all = dir.read("records.jsonl");
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  dir.put("records.jsonl", all.substr(0, all.size() - 10));
  EXPECT_EQ(ids_found(*reader), "a");
  dir.put("records.jsonl", all);
  EXPECT_EQ(ids_found(*reader), "a b");
  EXPECT_EQ(reader->health()->bad_lines, 0);
}

TEST(JournalReader, CountsLinesThatAreNoRecords) {
  const TempDir dir;
  write_records(dir.path(), {"a"});
  dir.put("records.jsonl", dir.read("records.jsonl") + "rubbish\n[1]\n{\"id\":1}\n\n");
  write_records(dir.path(), {"b"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "a b");
  EXPECT_EQ(reader->health()->bad_lines, 3);
  EXPECT_EQ(ids_found(*reader), "a b");
  EXPECT_EQ(reader->health()->bad_lines, 3) << "once";
}

TEST(JournalReader, StartsAnewWhenTheFileIsAnother) {
  const TempDir dir;
  write_records(dir.path(), {"a", "b"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "a b");
  dir.put("records.jsonl", "");
  write_records(dir.path(), {"c"});
  EXPECT_EQ(ids_found(*reader), "c") << "what is in no file any more is forgotten";
}

TEST(JournalReader, MakesADamagedDatabaseAgain) {
  const std::string header("SQLite format 3\0", 16);
  const struct {
    const char* note;
    std::string content;
  } kCases[] = {
      {"text", std::string(5000, 'x')},
      {"a header and rubbish", header + std::string(8000, 'x')},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    write_records(dir.path(), {"a", "b"});
    dir.put("journal.db", c.content);
    auto reader = JournalReader::open(dir.path());
    ASSERT_TRUE(reader);
    EXPECT_EQ(ids_found(*reader), "a b");
    EXPECT_TRUE(reader->health()->was_rebuilt);
    EXPECT_FALSE(reader->health()->in_memory);
  }
}

TEST(JournalReader, NoticesDamageLater) {
  const TempDir dir;
  write_records(dir.path(), std::vector<std::string>(200, "a"));
  EXPECT_NE(ids_found(dir.path()), "");
  std::string bytes = dir.read("journal.db");
  for (size_t at = 4096; at < bytes.size(); ++at) bytes[at] = 'x';
  dir.put("journal.db", bytes, 0600);
  write_records(dir.path(), {"b"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader, {.limit = 2}), "a b");
  EXPECT_TRUE(reader->health()->was_rebuilt);
}

TEST(JournalReader, ManyAtOnceImportEachRecordOnce) {
  const TempDir dir;
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(std::to_string(i));
  write_records(dir.path(), ids);
  std::vector<std::string> said(6);
  std::vector<std::jthread> threads;
  for (std::string& words : said) {
    threads.emplace_back([&] {
      auto reader = JournalReader::open(dir.path());
      const auto done = reader ? reader->refresh() : std::unexpected(reader.error());
      words = done ? std::to_string(reader->health()->records) : done.error().message;
    });
  }
  threads.clear();
  EXPECT_EQ(said, std::vector<std::string>(6, "100"));
}

struct QueryCase {
  const char* note;
  JournalQuery query;
  const char* want;
};

const QueryCase kQueryCases[] = {
    {"everything", {}, "a1 a2 b1"},
    {"since", {.since = "2026-01-02"}, "a2 b1"},
    {"until is not included", {.until = "2026-01-02T00:00:00.000Z"}, "a1"},
    {"a day", {.since = "2026-01-02", .until = "2026-01-03"}, "a2"},
    {"session", {.session = "s2"}, "a2"},
    {"event", {.event = "Stop"}, "b1"},
    {"tool", {.tool = "Write"}, "a1"},
    {"hook", {.hook = "guard"}, "a1 a2"},
    {"verdict", {.verdict = "deny"}, "a2"},
    {"registry", {.registry = "ab12"}, "b1"},
    {"id", {.id = "a1"}, "a1"},
    {"a whole id", {.id = "a"}, ""},
    {"agent", {.agent = "claude"}, "b1"},
    {"project", {.project = "/w/app"}, "a1 a2"},
    {"projects in a directory", {.project = "/w"}, "a1 a2 b1"},
    {"a name that only begins like it", {.project = "/w/ap"}, ""},
    {"directory", {.cwd = "/w/app/src"}, "a2"},
    {"subject, in any case", {.text = "PUSH"}, "a1"},
    {"subject after a rewrite", {.text = "pnpm"}, "a2"},
    {"no pattern in a subject", {.text = "%"}, ""},
    {"would", {.would = "any"}, "b1"},
    {"the newest", {.limit = 2}, "a2 b1"},
    {"several", {.hook = "guard", .verdict = "deny", .limit = 1}, "a2"},
    {"quotes", {.session = "'; DROP TABLE records; --"}, ""},
};

TEST(JournalReader, FindsByEverything) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  Record first = make_record("a1", "2026-01-01T08:00:00.000Z");
  first.tool = "Write";
  first.project_dir = "/w/app";
  first.subject = "git push --force";
  first.session_id = "s1";
  first.hooks.push_back({.name = "guard", .source = "f:1"});
  sink->record(first);
  Record second = make_record("a2", "2026-01-02T08:00:00.000Z");
  second.session_id = "s2";
  second.project_dir = "/w/app";
  second.cwd = "/w/app/src/a";
  second.subject = "npm ci";
  second.rewritten_subject = "pnpm ci";
  second.verdict = Verdict::Deny;
  second.hooks.push_back({.name = "guard", .source = "f:1", .verdict = Verdict::Deny});
  second.hooks.push_back({.name = "other", .source = "f:2"});
  sink->record(second);
  Record third = make_record("b1", "2026-01-03T08:00:00.000Z");
  third.event = EventKind::Stop;
  third.dialect = "claude";
  third.project_dir = "/w";
  third.would = Would{.verdict = Verdict::Deny, .reason = "r", .decided_by = "g", .effects = {}};
  third.registry_digest = "ab12";
  sink->record(third);

  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  for (const QueryCase& c : kQueryCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(ids_found(*reader, c.query), c.want);
  }
  const auto run = reader->find_last_run("guard");
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->verdict, "deny");
  EXPECT_EQ((*run)->record_id, "a2");
}

TEST(JournalReader, CompletesIds) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  for (const char* id : {"aabbccdd00", "aabbccdd11", "aabbccdd", "ff"}) {
    Record record = make_record(id);
    record.session_id = std::string("session-") + id;
    sink->record(record);
  }
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader && reader->refresh());
  using Ids = std::vector<std::string>;
  EXPECT_EQ(*reader->ids_like("aabbccdd0"), Ids{"aabbccdd00"});
  EXPECT_EQ(*reader->ids_like("aabb"), (Ids{"aabbccdd", "aabbccdd11", "aabbccdd00"})) << "the newest first";
  EXPECT_EQ(*reader->ids_like("aabbccdd"), Ids{"aabbccdd"}) << "a whole id is meant itself";
  EXPECT_EQ(*reader->ids_like("%"), Ids{});
  EXPECT_EQ(*reader->sessions_like("session-f"), Ids{"session-ff"});
  EXPECT_EQ(*reader->shorten("aabbccdd11"), "aabbccdd1");
  EXPECT_EQ(*reader->shorten("ff"), "ff");
}

std::chrono::system_clock::time_point day(unsigned number) {
  using namespace std::chrono;
  return sys_days(2026y / January / number) + 12h;
}

TEST(Retention, SetsALargeFileAside) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  sink->record(make_record("a"));
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  ASSERT_TRUE(reader->retain({.max_file_bytes = 10}, day(31)));
  EXPECT_TRUE(std::filesystem::exists(dir / "records.000001.jsonl"));
  sink->record(make_record("b"));
  write_records(dir.path(), {"c"});
  EXPECT_EQ(ids_found(*reader), "a b c");
  ASSERT_TRUE(reader->retain({.max_file_bytes = 10}, day(31)));
  sink->record(make_record("d"));
  EXPECT_EQ(ids_found(*reader), "a b c d");
  EXPECT_TRUE(std::filesystem::exists(dir / "records.000002.jsonl"));
  EXPECT_TRUE(verify_chain(dir.path())->faults.empty()) << "one chain through all files";
  std::filesystem::remove(dir / "records.000001.jsonl");
  EXPECT_FALSE(verify_chain(dir.path())->faults.empty()) << "a whole file is missed, too";
}

struct RetentionCase {
  const char* note;
  Retention retention;
  unsigned today;
  const char* want;
};

const RetentionCase kRetentionCases[] = {
    {"nothing is old or large", {.max_age = std::chrono::days(30)}, 20, "a b c"},
    {"by age", {.max_age = std::chrono::days(5)}, 12, "b c"},
    {"by age, the newest too", {.max_age = std::chrono::days(1)}, 31, ""},
    {"by size", {.max_bytes = 10, .max_file_bytes = 10}, 20, ""},
};

TEST(Retention, RemovesWhatIsOldOrTooMuch) {
  for (const RetentionCase& c : kRetentionCases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    const auto sink = make_file_record_sink(dir.path());
    auto reader = JournalReader::open(dir.path());
    ASSERT_TRUE(reader);
    sink->record(make_record("a", "2026-01-01T08:00:00.000Z"));
    ASSERT_TRUE(reader->retain({.max_file_bytes = 10}, day(1)));
    sink->record(make_record("b", "2026-01-10T08:00:00.000Z"));
    sink->record(make_record("c", "2026-01-11T08:00:00.000Z"));
    ASSERT_TRUE(reader->refresh());
    ASSERT_TRUE(reader->retain(c.retention, day(c.today)));
    EXPECT_EQ(ids_found(*reader), c.want);
    sink->record(make_record("d", "2026-01-12T08:00:00.000Z"));
    const auto report = verify_chain(dir.path());
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->faults.empty()) << "what retention removed is not missed: " << report->faults.front().what;
  }
}

TEST(Retention, ForgetsConfigurationsThatNoRecordMentions) {
  struct Case {
    const char* digest;
    const char* note;
    unsigned written;  ///< the day
    bool is_kept;
  };
  const Case cases[] = {
      {"aa", "that of the record that goes", 1, false},
      {"bb", "that of a record that stays, although it is old", 1, true},
      {"cc", "of a record that nobody has imported yet", 11, true},
      {"dd", "nobody knows what it was for", 1, false},
  };
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  const auto put = [&](const char* id, const char* time, const char* registry) {
    Record record = make_record(id, time);
    record.registry_digest = registry;
    sink->record(record);
  };
  const auto file_of = [&](const Case& c) { return dir / ("registries/" + std::string(c.digest) + ".json"); };
  for (const Case& c : cases) {
    sink->snapshot(c.digest, Json::object({{"hooks", Json::array({})}}));
    std::filesystem::last_write_time(file_of(c), std::chrono::file_clock::from_sys(day(c.written)));
  }
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  put("a", "2026-01-01T08:00:00.000Z", "aa");
  ASSERT_TRUE(reader->refresh() && reader->retain({.max_file_bytes = 10}, day(1)));
  put("b", "2026-01-10T08:00:00.000Z", "bb");
  ASSERT_TRUE(reader->refresh() && reader->retain({.max_age = std::chrono::days(5)}, day(12)));
  EXPECT_EQ(ids_found(*reader), "b");
  for (const Case& c : cases) EXPECT_EQ(std::filesystem::exists(file_of(c)), c.is_kept) << c.note;
}

TEST(Retention, KeepsWhatTheFleetDoesNotHave) {
  struct Case {
    const char* note;
    bool has_arrived;  ///< the first file
    Retention retention;
    unsigned today;
    const char* want;
    bool has_open_job = false;
  };
  const Case cases[] = {
      {"old, and it has arrived", true, {.max_age = std::chrono::days(5)}, 12, "b"},
      {"old, and it waits", false, {.max_age = std::chrono::days(5)}, 12, "a b"},
      {"it waits for too long", false, {.max_age = std::chrono::days(1)}, 12, "b"},
      {"too much, and it has arrived", true, {.max_bytes = 400}, 2, "b"},
      {"too much, and it waits", false, {.max_bytes = 400}, 2, "a b"},
      {"ten times too much", false, {.max_bytes = 20}, 2, "b"},
      {"it has arrived, and a job of it is open", true, {.max_bytes = 400}, 2, "a b", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    const auto sink = make_file_record_sink(dir.path());
    auto reader = JournalReader::open(dir.path());
    ASSERT_TRUE(reader);
    sink->record(make_record("a", "2026-01-01T08:00:00.000Z"));
    ASSERT_TRUE(reader->retain({.max_file_bytes = 10}, day(1)));
    sink->record(make_record("b", "2026-01-12T08:00:00.000Z"));
    ASSERT_TRUE(reader->refresh());
    const std::vector<RecordFile> files = open_record_files(dir.path());
    ASSERT_EQ(files.size(), 2U);
    EXPECT_TRUE(read_marked_files(dir.path()).empty()) << "in no fleet";
    const auto mark = Json::object({{"file", Json::string(first_line_digest(files[c.has_arrived ? 1 : 0]))}});
    dir.put("fleet/machine.json", "{}");
    EXPECT_EQ(read_marked_files(dir.path()), std::vector<std::string>{""}) << "nothing has arrived yet";
    dir.put("fleet/mark.json", mark.dump());
    if (c.has_open_job) dir.put("fleet/jobs.json", R"({"file":")" + first_line_digest(files[0]) + R"("})");
    Retention retention = c.retention;
    retention.marked_files = read_marked_files(dir.path());
    ASSERT_TRUE(reader->retain(retention, day(c.today)));
    EXPECT_EQ(ids_found(*reader), c.want);
    // What nobody will ever have is noted.
    const bool is_dropped = !c.has_arrived && std::string_view(c.want) == "b";
    EXPECT_EQ(dir.read("fleet/dropped.jsonl").contains("records.000001.jsonl"), is_dropped);
  }
}

}  // namespace
}  // namespace grapnel
