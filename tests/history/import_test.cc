#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "history/hook_totals.h"
#include "history/journal_reader.h"
#include "history/sessions.h"
#include "history/timeline.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::ids_found;
using testing::make_record;
using testing::TempDir;
using testing::write_records;

/// More lines than an import reads at once.
constexpr int kManyLines = 20010;

std::string many_lines() {
  std::string text;
  for (int i = 0; i < kManyLines; ++i) {
    text += R"({"id":")" + std::to_string(i) + R"(","time":"2026-01-31T10:00:00.000Z"})" + "\n";
  }
  return text;
}

TEST(Import, TellsHowFarItIs) {
  const TempDir dir;
  const std::string text = many_lines();
  dir.put("records.jsonl", text);
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  std::vector<size_t> done;
  ASSERT_TRUE(reader->refresh([&](const ImportProgress& progress) {
    EXPECT_EQ(progress.total, text.size());
    done.push_back(progress.done);
    return true;
  }));
  ASSERT_EQ(done.size(), 2u);
  EXPECT_LT(done[0], done[1]);
  EXPECT_EQ(done[1], text.size());
  EXPECT_EQ(reader->health()->records, kManyLines);
}

TEST(Import, ContinuesWhereAnotherStopped) {
  const TempDir dir;
  dir.put("records.jsonl", many_lines());
  {
    auto reader = JournalReader::open(dir.path());
    ASSERT_TRUE(reader && reader->refresh([](const ImportProgress&) { return false; }));
    EXPECT_EQ(reader->health()->records, 20000) << "what is read so far can be asked for";
    EXPECT_EQ(reader->find({.id = "19999"})->size(), 1u);
    EXPECT_EQ(reader->find({.id = "20000"})->size(), 0u);
  }
  auto reader = JournalReader::open(dir.path());
  size_t parts = 0;
  ASSERT_TRUE(reader && reader->refresh([&](const ImportProgress&) { return ++parts > 0; }));
  EXPECT_EQ(parts, 1u);
  EXPECT_EQ(reader->health()->records, kManyLines);
  EXPECT_EQ(reader->find({.id = "20009"})->size(), 1u);
}

TEST(Import, IsSharedByReadersThatStartTogether) {
  const TempDir dir;
  dir.put("records.jsonl", many_lines());
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      auto reader = JournalReader::open(dir.path());
      if (reader && reader->refresh() && reader->health()->records == kManyLines) ++right;
    });
  }
  threads.clear();
  EXPECT_EQ(right, 3);
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader && reader->refresh());
  EXPECT_EQ(reader->find({.id = "20005"})->size(), 1u);
}

TEST(Import, KeepsNoTextOfTheRecords) {
  const TempDir dir;
  Record record = make_record("a");
  record.reason = "a reason that nobody searches for";
  make_file_record_sink(dir.path())->record(record);
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader && reader->refresh());
  EXPECT_EQ(reader->find({})->front().record["reason"].as_string(), record.reason);
  EXPECT_FALSE((dir.read("journal.db") + dir.read("journal.db-wal")).contains(record.reason));
}

TEST(Import, FollowsAFileThatIsRenamed) {
  const TempDir dir;
  write_records(dir.path(), {"a", "b"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "a b");
  std::filesystem::rename(dir / "records.jsonl", dir / "records.000007.jsonl");
  EXPECT_EQ(reader->find({})->size(), 2u) << "before the next look";
  write_records(dir.path(), {"c"});
  EXPECT_EQ(ids_found(*reader), "a b c");
  EXPECT_EQ(reader->health()->records, 3);
}

TEST(Import, ForgetsAFileThatIsGone) {
  const TempDir dir;
  write_records(dir.path(), {"a"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "a");
  std::filesystem::remove(dir / "records.jsonl");
  write_records(dir.path(), {"b"});
  EXPECT_EQ(ids_found(*reader), "b");
  EXPECT_EQ(reader->health()->records, 1);
}

TEST(Import, ReadsAFileAgainThatWasChangedInPlace) {
  const TempDir dir;
  write_records(dir.path(), {"first", "second", "third"});
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ids_found(*reader), "first second third");
  // The second line goes; what follows fills its place, so that the file keeps its opening and its size.
  std::string text = dir.read("records.jsonl");
  const size_t size = text.size();
  const size_t start = text.find('\n') + 1;
  text.erase(start, text.find('\n', start) + 1 - start);
  text.append(size - text.size() - 1, ' ').append("\n");
  dir.put("records.jsonl", text);
  EXPECT_EQ(ids_found(*reader), "first third");
  EXPECT_FALSE(reader->health()->was_rebuilt) << "the database is not to blame";
}

/// Words are searched only where their letters occur (text_blocks.h).
TEST(Import, FindsRareWordsAmongMany) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    const std::string subject = i == 300 ? "git Push origin" : "ls dir" + std::to_string(i);
    const std::string rewritten = i == 700 ? R"(,"rewritten_subject":"trash x")" : "";
    text += R"({"id":"n)" + std::to_string(i) + R"(","subject":")" + subject + "\"" + rewritten + "}\n";
  }
  dir.put("records.jsonl", text);
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader && reader->refresh());
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"push", "n300"}, {"SH OR", "n300"}, {"trash", "n700"},   {"dir999", "n999"},           {"nowhere", ""},
      {"h o", "n300"},  {"x", "n700"},     {"sh", "n300 n700"}, {"git push origin main", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ids_found(*reader, {.text = c.text}), c.want);
  }
  dir.put("records.jsonl", text + R"({"id":"late","subject":"push it"})" + "\n");
  EXPECT_EQ(ids_found(*reader, {.text = "push"}), "n300 late") << "a block grows";
}

TEST(Import, CountsWhatIsInTheFilesAndNothingElse) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  const auto write = [&](const char* id, const char* time, Verdict verdict) {
    Record record = make_record(id, time);
    record.session_id = "s";
    record.verdict = verdict;
    record.hooks.push_back({.name = "guard", .source = "f:1", .verdict = verdict});
    sink->record(record);
  };
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  const auto check = [&](int64_t events, int64_t denials) {
    ASSERT_TRUE(reader->refresh());
    const auto sessions = find_sessions(*reader, "s");
    ASSERT_TRUE(sessions);
    ASSERT_EQ(sessions->size(), 1u);
    EXPECT_EQ(sessions->front().events, events);
    EXPECT_EQ(sessions->front().deny, denials);
    EXPECT_EQ(read_hook_totals(*reader, {})->front().runs, events);
    EXPECT_EQ(read_hook_totals(*reader, {})->front().denials, denials);
    EXPECT_EQ(read_timeline(*reader, {})->total, events);
    EXPECT_EQ(reader->count_events()->front().count, events);
    EXPECT_EQ(reader->health()->records, events);
  };
  const auto day = [](unsigned number) {
    return std::chrono::sys_days(std::chrono::year(2026) / 1 / static_cast<int>(number)) + std::chrono::hours(12);
  };
  write("a", "2026-01-01T08:00:00.000Z", Verdict::Deny);
  write("b", "2026-01-01T08:00:01.000Z", Verdict::Pass);
  check(2, 1);
  ASSERT_TRUE(reader->retain({.max_file_bytes = 10}, day(1)));
  write("c", "2026-01-10T08:00:00.000Z", Verdict::Deny);
  check(3, 2);
  ASSERT_TRUE(reader->retain({.max_age = std::chrono::days(5)}, day(11)));
  check(1, 1);
}

}  // namespace
}  // namespace grapnel
