#include <signal.h>

#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "history/verify.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::make_record;
using testing::TempDir;

/// Runs it in a process of its own, since it changes what the process may do. Returns its exit status.
int in_child(const std::function<bool()>& run) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(run() ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool limit_files_to(size_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

TEST(Disk, AFullOneCostsRecordsThatAreCounted) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a"});
  const size_t size = dir.read("records.jsonl").size();
  const int status = in_child([&] {
    const auto sink = make_file_record_sink(dir.path());
    if (!limit_files_to(size + 50)) return false;
    sink->record(make_record("lost 1"));
    sink->record(make_record("lost 2"));
    if (!limit_files_to(RLIM_INFINITY)) return false;
    sink->record(make_record("b"));
    return true;
  });
  ASSERT_EQ(status, 0);
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(testing::ids_found(*reader), "a b");
  EXPECT_EQ(reader->health()->lost, 2);
  EXPECT_EQ(reader->health()->lost_since, "2026-01-31T10:00:00.000Z");
  EXPECT_EQ(reader->health()->bad_lines, 1) << "what fitted of the first one";
  EXPECT_TRUE(verify_chain(dir.path())->faults.empty());
}

TEST(Disk, AnUnwritablePlaceIsBorne) {
  const char* const kPlaces[] = {"/proc/grapnel", "/dev/null/grapnel", "/dev/full"};
  for (const char* place : kPlaces) {
    SCOPED_TRACE(place);
    const auto sink = make_file_record_sink(place);
    sink->snapshot("ab", Json::object());
    sink->record(make_record("a"));
    auto reader = JournalReader::open(place);
    ASSERT_TRUE(reader);
    EXPECT_EQ(testing::ids_found(*reader), "");
  }
}

/// Why records cannot be written to a directory, and where that is noted.
struct LostCase {
  const char* note;
  std::function<void(const TempDir& dir)> spoil;
  const char* noted_in;
};

const LostCase kLostCases[] = {
    {"a directory in the file's place",
     [](const TempDir& dir) { std::filesystem::create_directories(dir / "state/records.jsonl"); }, "state"},
    {"a link in its place",
     [](const TempDir& dir) {
       std::filesystem::create_directories(dir / "state");
       std::filesystem::create_symlink("/dev/full", dir / "state/records.jsonl");
     },
     "state"},
    {"a file in the directory's place", [](const TempDir& dir) { dir.put("state", "x"); }, "elsewhere"},
};

TEST(Disk, OneShotWritersLeaveATraceOfWhatIsLost) {
  for (const LostCase& c : kLostCases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    c.spoil(dir);
    for (const char* id : {"a", "b", "c"}) {
      const auto sink = make_file_record_sink(dir / "state", {.fallback_dir = dir / "elsewhere"});
      sink->record(make_record(id));
      EXPECT_NE(sink->last_failure(), "");
    }
    EXPECT_TRUE(std::filesystem::is_regular_file(dir / (std::string(c.noted_in) + "/records.lost")));
    auto reader = JournalReader::open(dir / "state", dir / "elsewhere");
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->health()->lost, 3);
    EXPECT_EQ(reader->health()->lost_since, "2026-01-31T10:00:00.000Z");
    EXPECT_NE(reader->health()->lost_why, "");
  }
}

TEST(Disk, WhatWasLostIsForgottenWithTheRecordsOfItsTime) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a"});
  dir.put("records.lost", "2026-01-01T00:00:00.000Z full\n2026-01-05T00:00:00.000Z full\n");
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader);
  const auto at = [](unsigned day) { return std::chrono::sys_days(std::chrono::year(2026) / 4 / day); };
  ASSERT_TRUE(reader->retain({}, at(4)));
  EXPECT_EQ(reader->health()->lost, 2) << "the last is 89 days old";
  ASSERT_TRUE(reader->retain({}, at(6)));
  EXPECT_EQ(reader->health()->lost, 0);
}

TEST(Disk, LinksAreNotFollowed) {
  const TempDir dir;
  const std::string other = dir.put("other", "");
  std::filesystem::create_directory(dir / "state");
  std::filesystem::create_symlink(other, dir / "state/records.jsonl");
  make_file_record_sink(dir / "state")->record(make_record("a"));
  EXPECT_EQ(dir.read("other"), "");
}

TEST(Disk, ADirectoryThatIsReadOnlyCanBeRead) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a", "b"});
  std::filesystem::permissions(dir / "records.jsonl", std::filesystem::perms(0444));
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0555));
  const int status = in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;
    make_file_record_sink(dir.path())->record(make_record("lost"));
    auto reader = JournalReader::open(dir.path());
    return reader && testing::ids_found(*reader) == "a b" && reader->health()->in_memory;
  });
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0755));
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace grapnel
