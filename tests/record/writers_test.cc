#include <signal.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "history/verify.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

constexpr size_t kWriters = 8;
constexpr size_t kEvents = 1000;

/// How many of its records each writer knows to be written; shared between the processes.
class Counts {
 public:
  Counts() {
    void* memory = ::mmap(nullptr, sizeof(Array), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counts_ = new (memory) Array{};
  }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  ~Counts() { ::munmap(counts_, sizeof(Array)); }

  std::atomic<size_t>& operator[](size_t writer) { return (*counts_)[writer]; }

 private:
  using Array = std::array<std::atomic<size_t>, kWriters>;
  Array* counts_;
};

std::string id_of(size_t writer, size_t event) {
  return std::to_string(writer) + "-" + std::to_string(event);
}

/// A writer that says after each record that it is written. The first goes on until it is killed.
pid_t start_writer(const std::string& directory, size_t writer, std::atomic<size_t>& acknowledged) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  const auto sink = make_file_record_sink(directory);
  for (size_t event = 0; writer == 0 || event < kEvents; ++event) {
    sink->record(testing::make_record(id_of(writer, event)));
    acknowledged = event + 1;
  }
  ::_exit(0);
}

TEST(Writers, EightAtOnceAndOneOfThemKilled) {
  const testing::TempDir dir;
  Counts acknowledged;
  std::vector<pid_t> writers;
  for (size_t i = 0; i < kWriters; ++i) writers.push_back(start_writer(dir.path(), i, acknowledged[i]));

  const size_t fatal = std::uniform_int_distribution<size_t>(1, kEvents)(*std::make_unique<std::random_device>());
  SCOPED_TRACE("killed after record " + std::to_string(fatal));
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  while (acknowledged[0] < fatal) std::this_thread::yield();
  ::kill(writers[0], SIGKILL);
  ASSERT_TRUE(reader->refresh()) << "in the midst of it";
  for (const pid_t writer : writers) ::waitpid(writer, nullptr, 0);

  ASSERT_TRUE(reader->refresh());
  const auto entries = reader->find({});
  ASSERT_TRUE(entries);
  std::multiset<std::string> found;
  for (const JournalEntry& entry : *entries) found.insert(*entry.record["id"].as_string());
  for (size_t writer = 0; writer < kWriters; ++writer) {
    if (writer != 0) {
      EXPECT_EQ(acknowledged[writer], kEvents) << "writer " << writer;
    }
    for (size_t event = 0; event < acknowledged[writer]; ++event) {
      ASSERT_EQ(found.count(id_of(writer, event)), 1u) << id_of(writer, event);
    }
  }
  const auto health = reader->health();
  ASSERT_TRUE(health);
  EXPECT_EQ(health->lost, 0);
  EXPECT_LE(health->bad_lines, 1) << "at most what the killed one was writing";
  EXPECT_LE(entries->size(), (kWriters - 1) * kEvents + acknowledged[0] + 1);

  const auto report = verify_chain(dir.path());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->records, entries->size());
  EXPECT_TRUE(report->faults.empty()) << report->faults.front().what << " in line " << report->faults.front().line;
}

/// A host that forks hands its sink on, with the files that are open in it.
TEST(Writers, ASinkFromBeforeTheFork) {
  constexpr size_t kRecords = 300;
  const testing::TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  sink->record(testing::make_record("before"));
  std::vector<pid_t> writers;
  for (size_t writer = 0; writer < 4; ++writer) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (size_t event = 0; event < kRecords; ++event) sink->record(testing::make_record(id_of(writer, event)));
      ::_exit(0);
    }
    writers.push_back(pid);
  }
  for (size_t event = 0; event < kRecords; ++event) sink->record(testing::make_record(id_of(4, event)));
  for (const pid_t writer : writers) ::waitpid(writer, nullptr, 0);
  const auto report = verify_chain(dir.path());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->records, 5 * kRecords + 1);
  EXPECT_TRUE(report->faults.empty()) << report->faults.front().what << " in line " << report->faults.front().line;
}

/// What is removed or moved away under a sink that has it open.
struct MovedCase {
  const char* note;
  std::function<void(const testing::TempDir& dir)> move;
  const char* want;
  size_t faults = 0;  ///< of the chain
};

const MovedCase kMovedCases[] = {
    {"nothing", [](const testing::TempDir&) {}, "a b c d"},
    {"the head", [](const testing::TempDir& dir) { std::filesystem::remove(dir / "state/records.head"); }, "a b c d"},
    {"the records", [](const testing::TempDir& dir) { std::filesystem::remove(dir / "state/records.jsonl"); }, "b c d",
     1},
    {"the directory", [](const testing::TempDir& dir) { std::filesystem::rename(dir / "state", dir / "away"); },
     "b c d"},
};

TEST(Writers, FilesMoveUnderASink) {
  for (const MovedCase& one : kMovedCases) {
    SCOPED_TRACE(one.note);
    const testing::TempDir dir;
    const auto sink = make_file_record_sink(dir / "state");
    sink->record(testing::make_record("a"));
    one.move(dir);
    testing::write_records(dir / "state", {"b"});
    sink->record(testing::make_record("c"));
    testing::write_records(dir / "state", {"d"});
    auto reader = JournalReader::open(dir / "state");
    ASSERT_TRUE(reader);
    EXPECT_EQ(testing::ids_found(*reader), one.want);
    const auto report = verify_chain(dir / "state");
    ASSERT_TRUE(report);
    EXPECT_EQ(report->faults.size(), one.faults);
  }
}

TEST(Writers, ReadersSetFilesAsideMeanwhile) {
  constexpr size_t kFew = 3;
  constexpr size_t kRecords = 200;
  const testing::TempDir dir;
  std::atomic<size_t> finished = 0;
  std::vector<std::jthread> writers;
  for (size_t writer = 1; writer <= kFew; ++writer) {
    writers.emplace_back([&, writer] {
      const auto sink = make_file_record_sink(dir.path());
      for (size_t event = 0; event < kRecords; ++event) sink->record(testing::make_record(id_of(writer, event)));
      ++finished;
    });
  }
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  const auto now = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31);
  bool is_over = false;
  while (!is_over) {
    is_over = finished == kFew;  // once more behind the last record
    ASSERT_TRUE(reader->refresh());
    static_cast<void>(reader->retain({.max_file_bytes = 4096}, now));  // writers may hold the lock
  }
  writers.clear();
  ASSERT_TRUE(reader->refresh());
  EXPECT_EQ(reader->health()->records, static_cast<int64_t>(kFew * kRecords));
  EXPECT_EQ(reader->health()->lost, 0);
  EXPECT_TRUE(std::filesystem::exists(dir / "records.000001.jsonl"));
  const auto report = verify_chain(dir.path());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->records, kFew * kRecords);
  EXPECT_TRUE(report->faults.empty()) << report->faults.front().what;
}

}  // namespace
}  // namespace grapnel
