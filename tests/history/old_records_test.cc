#include <filesystem>

#include <gtest/gtest.h>

#include "history/hook_totals.h"
#include "history/journal_reader.h"
#include "history/verify.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::ids_found;
using testing::TempDir;

/// Two records as version 0.1.0 wrote them, byte for byte.
constexpr std::string_view kOldRecords =
    R"({"v":1,"id":"01a1ec9e3a6c-4a23f2a376c57882","time":"2026-11-18T03:05:55.072Z","event":"PreToolUse",")"
    R"(dialect":"gemini","session":"s1","tool":"write_file","registry":"27af30fc442d966bf76976f7969b3fb0",")"
    R"(project":"/home/you/project","subjects":{"tool_name":"write_file"},"payload_sha256":"c1a480953492f56)"
    R"(8a79c6f506612d4d3674fbc0e8e0a789878bf994386bbf5b6","payload_bytes":110,"hooks":[{"name":"guard","sou)"
    R"(rce":"/home/you/.gemini/settings.json:1","fate":"ran","detail":"exit 2","verdict":"deny","us":3734,")"
    R"(argv":["bash","-c","echo no >&2; exit 2"],"cwd":"/home/you/project","at_us":64,"in":110,"err":3,"ans)"
    R"(wer":{"reason":"no"}}],"verdict":"deny","reason":"no","origin":"hook","decided_by":"guard","us":2035)"
    R"(8,"prev":"","hash":"d79f73f30911b9038aef544db75247fa79dbd2cfbada3205313831361a903468"})"
    "\n"
    R"({"v":1,"id":"01a1ec9e3a88-5566ab82a2c4e811","time":"2026-11-18T03:05:55.090Z","event":"PreToolUse",")"
    R"(dialect":"gemini","session":"s1","tool":"read_file","registry":"27af30fc442d966bf76976f7969b3fb0","p)"
    R"(roject":"/home/you/project","subjects":{"tool_name":"read_file"},"payload_sha256":"bd492dafd7c309ce4)"
    R"(1b454c6487db1469748d16c2ef22d82d11227cad032482c","payload_bytes":109,"hooks":[],"verdict":"pass","or)"
    R"(igin":"no-hook","us":10859,"prev":"d79f73f30911b9038aef544db75247fa79dbd2cfbada3205313831361a903468")"
    R"(,"hash":"b7363e9eb6753c7d488ca38bbea8a844aa8fbf6b2d848f05e9068ecdaab9d521"})"
    "\n";

/// The tables of version 0.1.0.
constexpr const char* kOldSchema = R"(
  CREATE TABLE files(inode INTEGER PRIMARY KEY, offset INTEGER, bad INTEGER, opening TEXT);
  CREATE TABLE records(number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, file INTEGER, id TEXT,
    time TEXT, event TEXT, session TEXT, tool TEXT, verdict TEXT, registry TEXT, lost INTEGER, line TEXT);
  CREATE TABLE runs(record INTEGER, name TEXT, fate TEXT, detail TEXT, verdict TEXT, us INTEGER);
  INSERT INTO records(key, file, id, line) VALUES('k', 1, 'old', '{"id":"old"}');
  PRAGMA user_version = 1;
)";

TEST(OldRecords, AreStillRead) {
  const TempDir dir;
  dir.put("records.jsonl", std::string(kOldRecords));
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader, {.agent = "gemini"}), "01a1ec9e3a6c-4a23f2a376c57882 01a1ec9e3a88-5566ab82a2c4e811");
  EXPECT_EQ(ids_found(*reader, {.project = "/home/you"}),
            "01a1ec9e3a6c-4a23f2a376c57882 01a1ec9e3a88-5566ab82a2c4e811");
  EXPECT_EQ(ids_found(*reader, {.verdict = "deny"}), "01a1ec9e3a6c-4a23f2a376c57882");
  EXPECT_EQ(ids_found(*reader, {.text = "a"}), "") << "they have no subject";
  const auto totals = read_hook_totals(*reader, {});
  ASSERT_TRUE(totals);
  ASSERT_EQ(totals->size(), 1U);
  EXPECT_EQ(totals->front().name, "guard");
  EXPECT_EQ(totals->front().denials, 1);
  EXPECT_EQ(totals->front().would_deny, 0);
  EXPECT_EQ(reader->health()->bad_lines, 0);
  EXPECT_EQ(*reader->shorten("01a1ec9e3a88-5566ab82a2c4e811"), "01a1ec9e3a8") << "ids of then begin with the time";
}

/// The database stays in the directory, or each look would read all records again.
TEST(OldRecords, MayBeBehindALink) {
  const TempDir dir;
  dir.put("real/records.jsonl", std::string(kOldRecords));
  std::filesystem::create_directory_symlink("real", dir / "home");
  auto reader = JournalReader::open(dir / "home");
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader, {.verdict = "deny"}), "01a1ec9e3a6c-4a23f2a376c57882");
  EXPECT_GT(std::filesystem::file_size(dir / "real/journal.db"), 0U);
}

TEST(OldRecords, AreFollowedByNewOnesInOneChain) {
  const TempDir dir;
  dir.put("records.jsonl", std::string(kOldRecords));
  testing::write_records(dir.path(), {"new"});
  const auto report = verify_chain(dir.path());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->records, 3U);
  EXPECT_TRUE(report->faults.empty());
}

TEST(OldDatabase, IsBuiltAgainFromTheRecords) {
  const TempDir dir;
  dir.put("records.jsonl", std::string(kOldRecords));
  {
    auto old = Database::open(dir / "journal.db");
    ASSERT_TRUE(old);
    ASSERT_TRUE(old->run(kOldSchema));
  }
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader, {.agent = "gemini"}), "01a1ec9e3a6c-4a23f2a376c57882 01a1ec9e3a88-5566ab82a2c4e811");
  EXPECT_EQ(ids_found(*reader, {.id = "old"}), "") << "what is in no file is not kept";
  EXPECT_FALSE(reader->health()->was_rebuilt) << "it was not damaged";
  EXPECT_EQ(ids_found(dir.path()), "01a1ec9e3a6c-4a23f2a376c57882 01a1ec9e3a88-5566ab82a2c4e811") << "and stays so";
}

TEST(OldDatabase, OfALaterVersionIsBuiltAgainToo) {
  const TempDir dir;
  dir.put("records.jsonl", std::string(kOldRecords));
  {
    auto later = Database::open(dir / "journal.db");
    ASSERT_TRUE(later);
    ASSERT_TRUE(later->run("CREATE TABLE records(strange TEXT); PRAGMA user_version = 77;"));
  }
  EXPECT_EQ(ids_found(dir.path()), "01a1ec9e3a6c-4a23f2a376c57882 01a1ec9e3a88-5566ab82a2c4e811");
}

}  // namespace
}  // namespace grapnel
