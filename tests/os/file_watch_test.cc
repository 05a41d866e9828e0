#include "os/file_watch.h"

#include <poll.h>

#include <array>

#include "watched.h"

/// What happens to a file or on the way to it is known at once, and what happens beside it is not.
namespace grapnel::os {
namespace {

using namespace testing;

bool has_news(const FileWatch& watch) {
  std::array<pollfd, 2> both{{{watch.events_fd(), POLLIN, 0}, {watch.mounts_fd(), POLLPRI, 0}}};
  return ::poll(both.data(), both.size(), 0) != 0;
}

const WatchCase kMoreChanges[] = {
    {"it is read", "sub/file", [](const TempDir& dir) { EXPECT_EQ(dir.read("sub/file"), "old"); }, false},
    {"it is replaced while somebody has it open", "sub/file",
     [](const TempDir& dir) {
       const UniqueFd file(::open((dir / "sub/file").c_str(), O_RDONLY | O_CLOEXEC));
       fs::rename(dir / "other/file", dir / "sub/file");
     }},
    {"its directory changes places", "sub/file",
     [](const TempDir& dir) {
       ASSERT_EQ(::renameat2(AT_FDCWD, (dir / "sub").c_str(), AT_FDCWD, (dir / "other").c_str(), RENAME_EXCHANGE), 0);
     }},
    {"files beside it come and go", "sub/file",
     [](const TempDir& dir) {
       dir.put("sub/beside", "");
       fs::remove(dir / "sub/beside");
     },
     false},
    {"very many beside its directory", "sub/file",
     [](const TempDir& dir) {
       for (int i = 0; i < 2000; ++i) dir.put("beside" + std::to_string(i), "");
     },
     false},
};

TEST(FileWatch, TellsOfChanges) {
  FileWatch watch;
  if (!watch.open()) GTEST_SKIP() << "no watches here";
  std::vector<WatchCase> cases = kChangesOfAFile;
  cases.insert(cases.end(), std::begin(kMoreChanges), std::end(kMoreChanges));
  for (const WatchCase& one : cases) {
    SCOPED_TRACE(one.note);
    const TempDir dir;
    furnish(dir);
    if (&one == cases.data() && !watch.watch({dir / one.path})) GTEST_SKIP() << "no watches on this disk";
    ASSERT_TRUE(watch.watch({dir / one.path}));
    EXPECT_FALSE(has_news(watch)) << "what is left of those before";
    one.change(dir);
    EXPECT_EQ(has_news(watch), one.is_news);
    ::chmod((dir / "sub").c_str(), 0755);
  }
}

TEST(FileWatch, OfSeveralFilesAnyCounts) {
  const TempDir dir;
  furnish(dir);
  FileWatch watch;
  if (!watch.open() || !watch.watch({dir / "sub/file", dir / "other/file"})) GTEST_SKIP() << "no watches here";
  dir.put("other/file", "new");
  EXPECT_TRUE(has_news(watch));
  ASSERT_TRUE(watch.watch({dir / "sub/file"}));
  dir.put("other/file", "newer");
  EXPECT_FALSE(has_news(watch)) << "of a file before";
}

TEST(FileWatch, OnlyFilesThatAreThereAndWhereTheKernelTells) {
  const TempDir dir;
  furnish(dir);
  fs::create_symlink("b", dir / "a");
  fs::create_symlink("a", dir / "b");
  FileWatch watch;
  if (!watch.open()) GTEST_SKIP() << "no watches here";
  const std::string places[] = {"/proc/self/status", "/sys/kernel",       "relative", "",  dir / "sub",
                                dir / "missing",     dir / "sub/missing", dir / "a",  "/", dir / "sub/file/x"};
  for (const std::string& place : places) {
    SCOPED_TRACE(place);
    EXPECT_FALSE(watch.watch({place}));
  }
}

TEST(FileWatch, AMountHidesWhatWasWatched) {
  const TempDir dir;
  furnish(dir);
  const int result = with_own_mounts([&] {
    FileWatch watch;
    if (!watch.open() || !watch.watch({dir / "sub/file"})) return kCannotMount;
    if (has_news(watch)) return 1;
    if (!mount_over(dir / "sub")) return kCannotMount;
    return has_news(watch) ? 0 : 2;
  });
  if (result == kCannotMount) GTEST_SKIP() << "no mounts or no watches here";
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace grapnel::os
