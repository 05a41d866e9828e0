#include "os/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "os/temp_dir.h"

namespace grapnel::os {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

mode_t mode_of(const std::string& path) {
  struct stat st{};
  ::stat(path.c_str(), &st);
  return st.st_mode & 07777;
}

size_t count_entries(const std::string& directory) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

TEST(ReadFile, ReadsRegularFilesUpToALimit) {
  const testing::TempDir dir;
  dir.put("empty", "");
  dir.put("ten", "0123456789");
  dir.put("big", std::string(300'000, 'x'));
  fs::create_symlink("ten", dir / "link");
  fs::create_symlink("loop", dir / "loop");
  ::mkfifo((dir / "fifo").c_str(), 0600);

  struct Case {
    const char* note;
    std::string path;
    size_t limit;
    std::optional<size_t> size;
    Errc code;
  };
  const Case cases[] = {
      {"empty", dir / "empty", 10, 0, {}},
      {"exactly the limit", dir / "ten", 10, 10, {}},
      {"one over", dir / "ten", 9, {}, Errc::LimitExceeded},
      {"limit zero", dir / "empty", 0, 0, {}},
      {"large", dir / "big", 1'000'000, 300'000, {}},
      {"through a link", dir / "link", 10, 10, {}},
      {"absent", dir / "absent", 10, {}, Errc::NotFound},
      {"a FIFO cannot hang us", dir / "fifo", 10, {}, Errc::Refused},
      {"a directory", dir.path(), 10, {}, Errc::Refused},
      {"a device", "/dev/zero", 10, {}, Errc::Refused},
      {"a link to itself", dir / "loop", 10, {}, Errc::Refused},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto content = read_file(c.path, c.limit);
    ASSERT_EQ(content.has_value(), c.size.has_value());
    if (content) {
      EXPECT_EQ(content->size(), *c.size);
    } else {
      EXPECT_EQ(content.error().code, c.code) << content.error().message;
    }
  }
  EXPECT_EQ(*read_file(dir / "ten", 10), "0123456789");
  EXPECT_GT(read_file("/proc/self/status", 1 << 20)->size(), 0u) << "a file that says its size is 0";
}

TEST(WriteFileAtomic, ReplacesOrRefuses) {
  const testing::TempDir dir;
  dir.put("old", "before", 0644);
  dir.put("target", "untouched");
  fs::create_symlink("target", dir / "link");
  fs::create_symlink("absent", dir / "dangling");
  fs::create_directory(dir / "folder");
  ::mkfifo((dir / "fifo").c_str(), 0600);

  struct Case {
    const char* note;
    const char* name;
    mode_t mode;
    std::optional<Errc> code;
  };
  const Case cases[] = {
      {"new", "new", 0600, {}},
      {"replaced, with the new mode", "old", 0755, {}},
      {"link", "link", 0600, Errc::Refused},
      {"dangling link", "dangling", 0600, Errc::Refused},
      {"directory", "folder", 0600, Errc::Refused},
      {"FIFO", "fifo", 0600, Errc::Refused},
      {"no such directory", "absent/file", 0600, Errc::NotFound},
  };
  const size_t before = count_entries(dir.path());
  for (const Case& c : cases) {
    for (const Durability durability : {Durability::Lazy, Durability::Synced}) {
      SCOPED_TRACE(c.note);
      const auto written = write_file_atomic(dir / c.name, "after", c.mode, durability);
      ASSERT_EQ(written.has_value(), !c.code.has_value());
      if (written) {
        EXPECT_EQ(*read_file(dir / c.name, 100), "after");
        EXPECT_EQ(mode_of(dir / c.name), c.mode);
      } else {
        EXPECT_EQ(written.error().code, *c.code) << written.error().message;
      }
    }
  }
  EXPECT_EQ(*read_file(dir / "target", 100), "untouched");
  EXPECT_EQ(count_entries(dir.path()), before + 1) << "temporary files were left";
}

TEST(MakeDirs, MakesWhatIsMissing) {
  const testing::TempDir dir;
  dir.put("file", "");
  fs::create_directory(dir / "real");
  fs::create_symlink("real", dir / "link");
  struct Case {
    const char* note;
    std::string path;
    bool want;
  };
  const Case cases[] = {
      {"one", dir / "a", true},
      {"again", dir / "a", true},
      {"deep", dir / "b/c/d", true},
      {"slashes", dir / "e//f/", true},
      {"through a link", dir / "link/g", true},
      {"a file in the way", dir / "file/h", false},
      {"a file at the end", dir / "file", false},
      {"root", "/", true},
      {"nothing", "", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(make_dirs(c.path, 0700).has_value(), c.want);
    EXPECT_EQ(fs::is_directory(c.path), c.want);
  }
  EXPECT_EQ(mode_of(dir / "b/c"), 0700u);
}

TEST(OpenAppend, AppendsAndNeverFollowsALink) {
  const testing::TempDir dir;
  for (const char* word : {"one ", "two"}) {
    const auto fd = open_append(dir / "log", 0600);
    ASSERT_TRUE(fd.has_value());
    EXPECT_EQ(::write(fd->get(), word, std::string_view(word).size()), ssize_t(std::string_view(word).size()));
    EXPECT_EQ(::fcntl(fd->get(), F_GETFD), FD_CLOEXEC);
  }
  EXPECT_EQ(*read_file(dir / "log", 100), "one two");
  EXPECT_EQ(mode_of(dir / "log"), 0600u);

  fs::create_symlink("log", dir / "link");
  ::mkfifo((dir / "fifo").c_str(), 0600);
  EXPECT_EQ(open_append(dir / "link", 0600).error().code, Errc::Refused);
  EXPECT_EQ(open_append(dir / "fifo", 0600).error().code, Errc::Refused);
}

TEST(LockFile, IsHeldByOneAtATime) {
  const testing::TempDir dir;
  auto held = lock_file(dir / "lock", 0ms);
  ASSERT_TRUE(held.has_value());
  const auto refused = lock_file(dir / "lock", 10ms);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().sys, EWOULDBLOCK);

  const std::jthread other([&] {
    std::this_thread::sleep_for(20ms);
    held->reset();
  });
  EXPECT_TRUE(lock_file(dir / "lock", 200s).has_value()) << "given back while we wait";
}

/// Whoever removes the file holds its lock; the next one must not get the lock of a file that is gone.
TEST(LockFile, IsAlwaysThatOfTheFileThatIsThere) {
  const testing::TempDir dir;
  const std::string path = dir / "lock";
  auto held = lock_file(path, 0ms);
  ASSERT_TRUE(held);
  std::thread remover([&] {
    std::this_thread::sleep_for(20ms);
    ::unlink(path.c_str());
    held->reset();
  });
  const auto next = lock_file(path, 200s);
  remover.join();
  ASSERT_TRUE(next);
  EXPECT_FALSE(lock_file(path, 0ms)) << "it is free, although somebody holds it";
}

TEST(Stamp, ChangesWithTheFile) {
  const testing::TempDir dir;
  EXPECT_FALSE(stamp(dir / "absent").has_value());
  const std::string path = dir.put("file", "one");
  const auto first = stamp(path);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(stamp(path), first);
  EXPECT_EQ(first->size, 3);
  ASSERT_TRUE(write_file_atomic(path, "two", 0644).has_value());
  EXPECT_NE(stamp(path), first);
}

}  // namespace
}  // namespace grapnel::os
