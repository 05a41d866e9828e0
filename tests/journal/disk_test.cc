#include <signal.h>

#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "journal/records.h"
#include "journal/verify.h"
#include "os/temp_dir.h"

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
