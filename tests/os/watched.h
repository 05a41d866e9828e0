#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/unique_fd.h"
#include "os/files.h"
#include "os/temp_dir.h"

/// What can happen to files that are watched.
namespace grapnel::os::testing {

using grapnel::testing::TempDir;
namespace fs = std::filesystem;

/// What is there before: files, an empty directory, a link to each, a link to nowhere.
inline void furnish(const TempDir& dir) {
  dir.put("sub/file", "old");
  dir.put("other/file", "old");
  fs::create_directories(dir / "empty");
  fs::create_symlink("sub/file", dir / "to_file");
  fs::create_directory_symlink(dir / "sub", dir / "to_sub");
  fs::create_symlink("nowhere/at/all", dir / "to_nothing");
}

struct WatchCase {
  const char* note;
  const char* path;  ///< below the directory
  std::function<void(const TempDir& dir)> change;
  bool is_news = true;
};

inline void turn_link(const TempDir& dir, const char* link, const char* target) {
  fs::create_symlink(target, dir / "next");
  fs::rename(dir / "next", dir / link);
}

/// What a file that is there may meet with.
inline const std::vector<WatchCase> kChangesOfAFile = {
    {"nothing", "sub/file", [](const TempDir&) {}, false},
    {"it is written to", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "new"); }},
    {"the same bytes again", "sub/file", [](const TempDir& dir) { dir.put("sub/file", "old"); }},
    {"it is replaced", "sub/file",
     [](const TempDir& dir) { ASSERT_TRUE(write_file_atomic(dir / "sub/file", "new", 0600)); }},
    {"it is written to under another name", "sub/file",
     [](const TempDir& dir) {
       fs::create_hard_link(dir / "sub/file", dir / "alias");
       dir.put("alias", "new");
     }},
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
    {"its mode changes", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub/file").c_str(), 0600); }},
    {"it is removed", "sub/file", [](const TempDir& dir) { fs::remove(dir / "sub/file"); }},
    {"its directory is renamed", "sub/file", [](const TempDir& dir) { fs::rename(dir / "sub", dir / "away"); }},
    {"its directory is closed", "sub/file", [](const TempDir& dir) { ::chmod((dir / "sub").c_str(), 0); }},
    {"another file beside it", "sub/file", [](const TempDir& dir) { dir.put("sub/beside", ""); }, false},
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

inline constexpr int kCannotMount = 77;

/// Runs `body` in a process with mounts of its own, which may mount over `sub`; gives what it returns.
inline int with_own_mounts(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    const bool has_own = ::unshare(flags) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    ::_exit(has_own ? body() : kCannotMount);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline bool mount_over(const std::string& directory) {
  return ::mount("none", directory.c_str(), "tmpfs", 0, nullptr) == 0;
}

}  // namespace grapnel::os::testing
