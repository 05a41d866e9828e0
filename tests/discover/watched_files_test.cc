#include "discover/cache/watched_files.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

namespace fs = std::filesystem;

/// A directory of hooks, as many as make a large group, and a few files that are alone.
class WatchedFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 40; ++i) add("hooks/hook-" + std::to_string(i) + "/HOOK.md", "x");
    for (int i = 0; i < 20; ++i) add("many/" + std::to_string(i), "x");
    add("home/.claude/settings.json", "{}");
    add("home/.claude/settings.local.json", "{}");
    for (const char* missing : {"home/.gemini", "home/.codex", "many/none", "none", "hooks/none/HOOK.md"})
      watch(missing);
    watch("hooks");
  }

  void watch(const std::string& name) { stamps_.emplace_back(dir_ / name, os::stamp(dir_ / name)); }
  void add(const std::string& name, const std::string& text) {
    dir_.put(name, text);
    watch(name);
  }

  testing::TempDir dir_;
  Sources::Stamps stamps_;
};

TEST_F(WatchedFilesTest, AreTheSameAfterwards) {
  auto back = read_watched(write_watched(stamps_));
  ASSERT_TRUE(back.has_value());
  std::ranges::sort(*back, {}, [](const auto& file) { return file.first; });
  std::ranges::sort(stamps_, {}, [](const auto& file) { return file.first; });
  EXPECT_EQ(*back, stamps_);
}

TEST_F(WatchedFilesTest, TellOfAnyChange) {
  struct Case {
    const char* note;
    std::function<void()> change;
    bool want = true;
  };
  const auto at = [this](const char* name) { return dir_ / name; };
  const std::vector<Case> cases = {
      {"nothing happens", [] {}, false},
      {"a file that nobody watches", [&] { dir_.put("home/other", "x"); }, false},
      {"a file of a large group grows", [&] { dir_.put("hooks/hook-7/HOOK.md", "longer"); }},
      {"and one that is in the directory itself", [&] { dir_.put("many/7", "longer"); }},
      {"the last of all", [&] { dir_.put("many/19", "longer"); }},
      {"a file of a small group grows", [&] { dir_.put("home/.claude/settings.json", "{ }"); }},
      {"a file goes", [&] { fs::remove(at("hooks/hook-7/HOOK.md")); }},
      {"a file of a small group goes", [&] { fs::remove(at("home/.claude/settings.local.json")); }},
      {"a file comes where none was", [&] { dir_.put("many/none", "x"); }},
      {"a directory comes where none was", [&] { dir_.put("home/.gemini/settings.json", "{}"); }},
      {"a directory on the way comes", [&] { dir_.put("hooks/none/HOOK.md", "x"); }},
      {"a directory gets another entry",
       [&] {
         std::this_thread::sleep_for(std::chrono::milliseconds(20));  // clocks of directories tick slowly
         dir_.put("hooks/new/HOOK.md", "x");
       }},
      {"a group's directory is replaced by a copy",
       [&] {
         fs::rename(at("many"), at("before"));
         fs::copy(at("before"), at("many"), fs::copy_options::recursive);
       }},
      {"a group's directory is gone", [&] { fs::rename(at("hooks"), at("away")); }},
      {"a file becomes a link to another",
       [&] {
         dir_.put("elsewhere", "x");
         fs::remove(at("many/3"));
         fs::create_symlink(at("elsewhere"), at("many/3"));
       }},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    fs::remove_all(dir_.path());
    fs::create_directories(dir_.path());
    stamps_.clear();
    SetUp();
    const std::string watched = write_watched(stamps_);
    EXPECT_FALSE(has_changed(watched));
    one.change();
    EXPECT_EQ(has_changed(watched), one.want);
  }
}

TEST_F(WatchedFilesTest, AreChangedWhenTheirBytesAreCutOff) {
  const std::string watched = write_watched(stamps_);
  for (size_t size = 0; size < watched.size(); ++size) {
    EXPECT_TRUE(has_changed(std::string_view(watched).substr(0, size))) << size;
    EXPECT_FALSE(read_watched(std::string_view(watched).substr(0, size)).has_value()) << size;
  }
  EXPECT_TRUE(has_changed(watched + "x"));
  EXPECT_FALSE(has_changed(write_watched({}))) << "nothing is as it was";
}

}  // namespace
}  // namespace grapnel
