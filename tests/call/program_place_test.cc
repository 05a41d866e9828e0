#include "call/program_place.h"

#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

#include "os/temp_dir.h"

namespace grapnel::call {
namespace {

namespace fs = std::filesystem;

// Only a file that PATH leads to, outside of the project and closed to others, is the program that it is called like.
TEST(ProgramPlace, IsOutsideOfTheProjectAndClosed) {
  testing::TempDir dir;
  constexpr fs::perms kUsual = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec;
  for (const char* name : {"bin/tool", "bin/open", "open/tool", "project/tool", "project/bin/inner"}) {
    dir.put(name, "#!/bin/sh\n");
    fs::permissions(dir / name, kUsual);
  }
  dir.put("bin/plain", "no program");
  fs::permissions(dir / "bin", kUsual);
  fs::permissions(dir / "bin/open", kUsual | fs::perms::group_write);
  fs::permissions(dir / "open", kUsual | fs::perms::others_write | fs::perms::others_exec);
  fs::create_symlink(dir / "project/tool", dir / "bin/link");

  struct Case {
    const char* note;
    std::string path;
    std::string name;
    bool is_usual;
  };
  const std::string bin = dir / "bin";
  for (const Case& c : std::vector<Case>{
           {"found by PATH", bin, "tool", true},
           {"by its path", bin, bin + "/tool", true},
           {"nowhere", bin, "other", false},
           {"not executable", bin, "plain", false},
           {"a group may write it", bin, "open", false},
           {"others may write its directory", dir / "open", "tool", false},
           {"a directory of the project comes first", dir / "project/bin:" + bin, "inner", false},
           {"a link into the project", bin, "link", false},
           {"relative to the current directory", bin, "./tool", false},
           {"PATH has the current directory", ".:" + bin, "tool", false},
           {"PATH has an empty entry", ":" + bin, "tool", false},
           {"an empty PATH", "", "tool", false},
       }) {
    SCOPED_TRACE(c.note);
    const Environment env{"PATH=" + c.path};
    EXPECT_EQ(is_usual_program(c.name, {env, dir / "project", dir / "project", {}}), c.is_usual);
  }
  const Environment env{"PATH=" + bin};
  EXPECT_FALSE(is_usual_program("tool", {env, "", "", [&](const std::string& file) { return file == bin + "/tool"; }}))
      << "this turn wrote it";
  const int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  constexpr int64_t kHour = 3'600'000;
  EXPECT_FALSE(is_usual_program("tool", {env, "", "", {}, now - kHour})) << "it was changed since the session started";
  EXPECT_TRUE(is_usual_program("tool", {env, "", "", {}, now + kHour})) << "it was there before";
}

}  // namespace
}  // namespace grapnel::call
