#include "os/path_watch.h"

#include "watched.h"

/// What happens at paths is known at once, and what happens beside them is not.
namespace grapnel::os {
namespace {

using namespace testing;

const WatchCase kMoreChanges[] = {
    {"many files beside its directory", "sub/file",
     [](const TempDir& dir) {
       for (int i = 0; i < 200; ++i) dir.put("beside" + std::to_string(i), "");
     },
     false},
    {"so many that reading of them takes too long", "sub/file",
     [](const TempDir& dir) {
       for (int i = 0; i < 2000; ++i) dir.put("beside" + std::to_string(i), "");
     }},
    {"an entry of a directory appears", "empty", [](const TempDir& dir) { dir.put("empty/new", ""); }},
    {"an entry goes", "sub", [](const TempDir& dir) { fs::remove(dir / "sub/file"); }},
    {"a missing file appears", "empty/later", [](const TempDir& dir) { dir.put("empty/later", ""); }},
    {"a directory on the way to it", "a/b/c", [](const TempDir& dir) { fs::create_directory(dir / "a"); }},
    {"it is moved there", "a/b/c", [](const TempDir& dir) { fs::rename(dir / "other", dir / "a"); }},
    {"another name than the missing one", "a/b/c", [](const TempDir& dir) { dir.put("b", ""); }, false},
    {"a directory instead of that file", "sub/file/c",
     [](const TempDir& dir) {
       fs::remove(dir / "sub/file");
       fs::create_directory(dir / "sub/file");
     }},
    {"what a link names appears", "to_nothing", [](const TempDir& dir) { dir.put("nowhere/at/all", "new"); }},
};

TEST(PathWatch, TellsOfChanges) {
  PathWatch watch;
  std::vector<WatchCase> cases = kChangesOfAFile;
  cases.insert(cases.end(), std::begin(kMoreChanges), std::end(kMoreChanges));
  for (const WatchCase& one : cases) {
    SCOPED_TRACE(one.note);
    const TempDir dir;
    furnish(dir);
    if (!watch.watch({dir / one.path})) GTEST_SKIP() << "no watches on this disk";
    EXPECT_FALSE(watch.has_news());
    one.change(dir);
    EXPECT_EQ(watch.has_news(), one.is_news);
    ::chmod((dir / "sub").c_str(), 0755);
  }
}

TEST(PathWatch, OfSeveralPathsAnyCounts) {
  const TempDir dir;
  furnish(dir);
  PathWatch watch;
  for (const char* changed : {"sub/file", "other/file", "later"}) {
    SCOPED_TRACE(changed);
    if (!watch.watch({dir / "sub/file", dir / "other/file", dir / "later"})) GTEST_SKIP() << "no watches on this disk";
    dir.put(changed, "new");
    EXPECT_TRUE(watch.has_news());
  }
}

TEST(PathWatch, OthersInsteadOfThoseBefore) {
  const TempDir dir;
  furnish(dir);
  PathWatch watch;
  if (!watch.watch({dir / "sub/file"})) GTEST_SKIP() << "no watches on this disk";
  dir.put("sub/file", "told of to nobody");
  ASSERT_TRUE(watch.watch({dir / "other/file"}));
  EXPECT_FALSE(watch.has_news());
  dir.put("sub/file", "new");
  EXPECT_FALSE(watch.has_news());
  dir.put("other/file", "new");
  EXPECT_TRUE(watch.has_news());
}

TEST(PathWatch, NotWhereTheKernelDoesNotTell) {
  const char* const kPlaces[] = {"/proc/self/status", "/sys/kernel", "relative", ""};
  for (const char* place : kPlaces) {
    SCOPED_TRACE(place);
    EXPECT_FALSE(PathWatch().watch({place}));
  }
}

TEST(PathWatch, AMountHidesWhatWasWatched) {
  const TempDir dir;
  furnish(dir);
  const int result = with_own_mounts([&] {
    PathWatch watch;
    if (!watch.watch({dir / "sub/file"})) return kCannotMount;
    if (watch.has_news()) return 1;
    if (!mount_over(dir / "sub")) return kCannotMount;
    if (!watch.has_news()) return 2;
    return watch.watch({dir / "sub/file"}) && !watch.has_news() ? 0 : 3;
  });
  if (result == kCannotMount) GTEST_SKIP() << "no mounts or no watches here";
  EXPECT_EQ(result, 0);
}

TEST(PathWatch, LinksInACircleEnd) {
  const TempDir dir;
  fs::create_symlink("b", dir / "a");
  fs::create_symlink("a", dir / "b");
  PathWatch watch;
  if (!watch.watch({dir / "a"})) GTEST_SKIP() << "no watches on this disk";
  EXPECT_FALSE(watch.has_news());
  fs::remove(dir / "b");
  EXPECT_TRUE(watch.has_news());
}

}  // namespace
}  // namespace grapnel::os
