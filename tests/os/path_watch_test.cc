#include "os/path_watch.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <functional>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "os/files.h"
#include "os/temp_dir.h"

/// What happens at paths is known at once, and what happens beside them is not.
namespace grapnel::os {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

/// What is there before: a file, an empty directory, a link to each, a link to nowhere.
void furnish(const TempDir& dir) {
  dir.put("sub/file", "old");
  dir.put("other/file", "old");
  fs::create_directories(dir / "empty");
  fs::create_symlink("sub/file", dir / "to_file");
  fs::create_directory_symlink(dir / "sub", dir / "to_sub");
  fs::create_symlink("nowhere/at/all", dir / "to_nothing");
}

struct Case {
  const char* note;
  const char* path;  ///< below the directory
  std::function<void(const TempDir& dir)> change;
  bool is_news = true;
};

const Case kCases[] = {
    {"nothing", "sub/file", [](const TempDir&) {}, false},
    {"a file is written to", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"the same bytes again", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "old"); }},
    {"a file is replaced", "sub/file",
     [](const TempDir& dir) { ASSERT_TRUE(write_file_atomic(dir / "sub/file", "new", 0600)); }},
    {"a file is written to under another name", "sub/file",
     [](const TempDir& dir) {
       fs::create_hard_link(dir / "sub/file", dir / "alias");
       dir.put("alias", "new");
     }},
    {"its mode changes", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub/file").c_str(), 0600); }},
    {"a file is removed", "sub/file", [](const TempDir& dir) { fs::remove(dir / "sub/file"); }},
    {"its directory is renamed", "sub/file", [](const TempDir& dir) { fs::rename(dir / "sub", dir / "away"); }},
    {"its directory is closed", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub").c_str(), 0); }},
    {"another file beside it", "sub/file", [](const TempDir& dir) { dir.put("sub/beside", ""); }, false},
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
    {"a link's target is written to", "to_file",
     [](const TempDir& dir) { std::ofstream(dir / "sub/file", std::ios::in) << "n"; }},
    {"a link is turned", "to_file",
     [](const TempDir& dir) {
       fs::create_symlink("other/file", dir / "next");
       fs::rename(dir / "next", dir / "to_file");
     }},
    {"behind a link to a directory", "to_sub/file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"and back", "to_sub/../sub/./file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"what a link names appears", "to_nothing", [](const TempDir& dir) { dir.put("nowhere/at/all", "new"); }},
    {"a write through a mapping is told when it ends", "sub/file",
     [](const TempDir& dir) {
       const UniqueFd file(::open((dir / "sub/file").c_str(), O_RDWR | O_CLOEXEC));
       void* bytes = ::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
       ASSERT_NE(bytes, MAP_FAILED);
       *static_cast<char*>(bytes) = 'N';
       ::munmap(bytes, 3);
     }},
};

TEST(PathWatch, TellsOfChanges) {
  PathWatch watch;
  for (const Case& one : kCases) {
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

/// In a process with mounts of its own. Returns what it exits with: 0, or 77 when it cannot have them.
int mount_over_watched(const TempDir& dir) {
  const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
  if (::unshare(flags) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
  PathWatch watch;
  if (!watch.watch({dir / "sub/file"})) return 77;
  if (watch.has_news()) return 1;
  if (::mount("none", (dir / "sub").c_str(), "tmpfs", 0, nullptr) != 0) return 77;
  if (!watch.has_news()) return 2;
  if (!watch.watch({dir / "sub/file"}) || watch.has_news()) return 3;
  return 0;
}

TEST(PathWatch, AMountHidesWhatWasWatched) {
  const TempDir dir;
  furnish(dir);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mount_over_watched(dir));
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mounts or no watches here";
  EXPECT_EQ(status, 0);
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
