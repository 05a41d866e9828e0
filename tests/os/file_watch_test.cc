#include "os/file_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <functional>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "os/files.h"
#include "os/temp_dir.h"

/// What happens to a file or on the way to it is known at once, and what happens beside it is not.
namespace grapnel::os {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

void furnish(const TempDir& dir) {
  dir.put("sub/file", "old");
  dir.put("other/file", "old");
  fs::create_symlink("sub/file", dir / "to_file");
  fs::create_directory_symlink(dir / "sub", dir / "to_sub");
}

bool has_news(const FileWatch& watch) {
  std::array<pollfd, 2> both{{{watch.events_fd(), POLLIN, 0}, {watch.mounts_fd(), POLLPRI, 0}}};
  return ::poll(both.data(), both.size(), 0) != 0;
}

void turn_link(const TempDir& dir, const char* link, const char* target) {
  fs::create_symlink(target, dir / "next");
  fs::rename(dir / "next", dir / link);
}

struct Case {
  const char* note;
  const char* path;  ///< below the directory
  std::function<void(const TempDir& dir)> change;
  bool is_news = true;
};

const Case kCases[] = {
    {"nothing", "sub/file", [](const TempDir&) {}, false},
    {"it is read", "sub/file", [](const TempDir& dir) { EXPECT_EQ(dir.read("sub/file"), "old"); }, false},
    {"it is written to", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"the same bytes again", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "old"); }},
    {"it is replaced", "sub/file",
     [](const TempDir& dir) { ASSERT_TRUE(write_file_atomic(dir / "sub/file", "new", 0600)); }},
    {"it is replaced while somebody has it open", "sub/file",
     [](const TempDir& dir) {
       const UniqueFd file(::open((dir / "sub/file").c_str(), O_RDONLY | O_CLOEXEC));
       fs::rename(dir / "other/file", dir / "sub/file");
     }},
    {"it is written to under another name", "sub/file",
     [](const TempDir& dir) {
       fs::create_hard_link(dir / "sub/file", dir / "alias");
       dir.put("alias", "new");
     }},
    {"its mode changes", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub/file").c_str(), 0600); }},
    {"it is removed", "sub/file", [](const TempDir& dir) { fs::remove(dir / "sub/file"); }},
    {"its directory is renamed", "sub/file", [](const TempDir& dir) { fs::rename(dir / "sub", dir / "away"); }},
    {"its directory is closed", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub").c_str(), 0); }},
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
    {"a link's target is written to", "to_file",
     [](const TempDir& dir) { std::ofstream(dir / "sub/file", std::ios::in) << "n"; }},
    {"a link is turned", "to_file", [](const TempDir& dir) { turn_link(dir, "to_file", "other/file"); }},
    {"a link to its directory is", "to_sub/file", [](const TempDir& dir) { turn_link(dir, "to_sub", "other"); }},
    {"behind a link to a directory", "to_sub/file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"and back", "to_sub/../sub/./file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"a write through a mapping is told when it ends", "sub/file",
     [](const TempDir& dir) {
       const UniqueFd file(::open((dir / "sub/file").c_str(), O_RDWR | O_CLOEXEC));
       void* bytes = ::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
       ASSERT_NE(bytes, MAP_FAILED);
       *static_cast<char*>(bytes) = 'N';
       ::munmap(bytes, 3);
     }},
};

TEST(FileWatch, TellsOfChanges) {
  FileWatch watch;
  if (!watch.open()) GTEST_SKIP() << "no watches here";
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.note);
    const TempDir dir;
    furnish(dir);
    if (&one == kCases && !watch.watch({dir / one.path})) GTEST_SKIP() << "no watches on this disk";
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

/// In a process with mounts of its own. Returns what it exits with: 0, or 77 when it cannot have them.
int mount_over_watched(const TempDir& dir) {
  const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
  if (::unshare(flags) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
  FileWatch watch;
  if (!watch.open() || !watch.watch({dir / "sub/file"})) return 77;
  if (has_news(watch)) return 1;
  if (::mount("none", (dir / "sub").c_str(), "tmpfs", 0, nullptr) != 0) return 77;
  return has_news(watch) ? 0 : 2;
}

TEST(FileWatch, AMountHidesWhatWasWatched) {
  const TempDir dir;
  furnish(dir);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mount_over_watched(dir));
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mounts or no watches here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace grapnel::os
