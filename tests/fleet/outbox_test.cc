#include "fleet/outbox.h"

#include <gtest/gtest.h>

#include "fleet/own_journal.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel::fleet {
namespace {

using testing::OwnJournal;
using testing::TempDir;

/// Everything behind a position, batch after batch.
std::vector<std::string> drain(Outbox& outbox, Position& at) {
  std::vector<std::string> lines;
  for (;;) {
    const auto batch = outbox.next(at);
    if (!batch || batch->lines.empty()) return lines;
    EXPECT_EQ(batch->after, at);
    lines.insert(lines.end(), batch->lines.begin(), batch->lines.end());
    at = batch->upto;
  }
}

TEST(Outbox, HasEveryRecordOnceAndInOrder) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  Outbox outbox(dir.path());
  Position at;
  EXPECT_TRUE(drain(outbox, at).empty());
  EXPECT_EQ(at, Position{});
  for (int i = 0; i < 10; ++i) journal.add("command " + std::to_string(i));
  const auto lines = drain(outbox, at);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_TRUE(lines.front().contains("command 0"));
  EXPECT_TRUE(lines.back().contains("command 9"));
  EXPECT_EQ(at.hash, read_link(lines.back())->hash);
  EXPECT_EQ(outbox.waiting_bytes(at), 0);
  EXPECT_TRUE(drain(outbox, at).empty());
  journal.add("another");
  EXPECT_GT(outbox.waiting_bytes(at), 0);
  EXPECT_EQ(drain(outbox, at).size(), 1U);
}

TEST(Outbox, GoesOnInTheNextFile) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  Outbox outbox(dir.path());
  Position at;
  journal.add("one");
  journal.add("two");
  EXPECT_EQ(drain(outbox, at).size(), 2U);
  journal.add("three");
  journal.rotate("records.000001.jsonl");
  journal.add("four");
  journal.rotate("records.000002.jsonl");
  journal.add("five");
  const auto lines = drain(outbox, at);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].contains("three"));
  EXPECT_TRUE(lines[2].contains("five"));
}

TEST(Outbox, WaitsForALineToBeComplete) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  Outbox outbox(dir.path());
  Position at;
  journal.add("one");
  ASSERT_TRUE(os::append_file(dir / "records.jsonl", R"({"v":2,"id":"half)", 0600));
  EXPECT_EQ(drain(outbox, at).size(), 1U);
  journal.add("two");  // begins a line of its own; the half one is no record
  const auto lines = drain(outbox, at);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines.front().contains("two"));
}

TEST(Outbox, ReadsEverythingAgainIfThePlaceIsGone) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  for (int i = 0; i < 3; ++i) journal.add("command");
  Outbox outbox(dir.path());
  Position end;
  drain(outbox, end);
  struct Case {
    const char* note;
    Position at;
  };
  Position other_file = end, wrong_hash = end, behind_the_end = end;
  other_file.file = "0123";
  wrong_hash.hash = std::string(64, 'a');
  behind_the_end.offset += 1000;
  for (const Case& one : {Case{"a file that retention removed", other_file}, Case{"another record there", wrong_hash},
                          Case{"behind the end", behind_the_end}}) {
    SCOPED_TRACE(one.note);
    const auto batch = outbox.next(one.at);
    ASSERT_TRUE(batch);
    // It still says where it goes on for the collector.
    EXPECT_EQ(batch->after, one.at);
    EXPECT_EQ(batch->lines.size(), 3U);
    EXPECT_EQ(batch->upto, end);
  }
}

TEST(Outbox, DividesLongJournalsIntoBatches) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  for (int i = 0; i < 700; ++i) journal.add(std::string(1000, 'x'));
  Outbox outbox(dir.path());
  Position at;
  size_t count = 0, batches = 0;
  for (auto batch = outbox.next(at); batch && !batch->lines.empty(); batch = outbox.next(at)) {
    EXPECT_LT(batch->to_text().size(), 2 * kBatchBytes);
    count += batch->lines.size();
    ++batches;
    at = batch->upto;
  }
  EXPECT_EQ(count, 700U);
  EXPECT_GT(batches, 2U);
}

TEST(Outbox, SendsAConfigurationWithTheFirstRecordThatNamesIt) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  dir.put("registries/abc.json", R"({"hooks":[]})");
  journal.add("one", "abc");
  journal.add("two", "abc");
  journal.add("three", "not-kept");
  Outbox outbox(dir.path());
  const auto batch = outbox.next({});
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->lines.size(), 3U);
  ASSERT_EQ(batch->registries.size(), 1U);
  EXPECT_EQ(batch->registries.front().first, "abc");
  journal.add("four", "abc");
  EXPECT_TRUE(outbox.next(batch->upto)->registries.empty());
  outbox.forget_registries();
  EXPECT_EQ(outbox.next(batch->upto)->registries.size(), 1U);
}

TEST(Batch, ComesBackAsItWasWritten) {
  Batch batch;
  batch.after = {"file", 10, "hash"};
  batch.upto = {"file", 20, "other"};
  batch.registries = {{"abc", *Json::parse(R"({"hooks":[1,2]})")}};
  batch.lines = {R"({"id":"1"})", R"({"id":"2"})"};
  const auto again = Batch::parse(batch.to_text());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->after, batch.after);
  EXPECT_EQ(again->upto, batch.upto);
  EXPECT_EQ(again->lines, batch.lines);
  EXPECT_EQ(again->registries.front().second, batch.registries.front().second);
  for (const char* text : {"", "{}", "x", "{\"v\":2,\"upto\":{}}\n{}", "\n\n"})
    EXPECT_FALSE(Batch::parse(text)) << text;
}

}  // namespace
}  // namespace grapnel::fleet
