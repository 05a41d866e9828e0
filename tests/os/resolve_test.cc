#include "os/resolve.h"

#include <gtest/gtest.h>

#include "os/temp_dir.h"

namespace grapnel::os {
namespace {

TEST(FindExecutable, FindsWhatAShellWouldRun) {
  const testing::TempDir dir;
  dir.put("a/tool", "", 0755);
  dir.put("b/tool", "", 0755);
  dir.put("a/plain", "", 0644);
  dir.put("b/plain", "", 0755);
  dir.put("a/folder/x", "");
  dir.put("b/folder", "", 0755);
  dir.put("here", "", 0755);
  const std::string root = dir.path(), a = dir / "a", b = dir / "b", both = a + ':' + b;

  struct Case {
    const char* note;
    std::string name, path, want;
  };
  const Case cases[] = {
      {"first in PATH wins", "tool", both, a + "/tool"},
      {"order matters", "tool", b + ':' + a, b + "/tool"},
      {"not executable: skipped", "plain", both, b + "/plain"},
      {"a directory: skipped", "folder", both, b + "/folder"},
      {"trailing slash in PATH", "tool", a + "/", a + "/tool"},
      {"missing directories: skipped", "tool", "/nonexistent:" + b, b + "/tool"},
      {"relative directory in PATH", "tool", "b", b + "/tool"},
      {"empty part means the working directory", "here", ":" + a, root + "/here"},
      {"nowhere", "absent", both, ""},
      {"no name", "", both, ""},
      {"slash: relative to the working directory", "a/tool", both, a + "/tool"},
      {"dot slash", "./here", both, root + "/./here"},
      {"absolute", b + "/tool", "", b + "/tool"},
      {"slash: never searched", "./tool", both, ""},
      {"slash: not executable is for the start to say", "a/plain", "", a + "/plain"},
      {"a NUL would cut the name", std::string("tool\0x", 6), both, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(find_executable(c.name, c.path, root).value_or(""), c.want);
  }
}

TEST(ProgramPaths, AreRememberedUntilForgotten) {
  const testing::TempDir dir;
  const std::string a = dir / "a", b = dir / "b", both = a + ':' + b;
  dir.put("b/tool", "", 0755);
  ProgramPaths programs;
  EXPECT_EQ(programs.find("tool", both, "/"), b + "/tool");
  EXPECT_EQ(programs.find("absent", both, "/"), std::nullopt);

  dir.put("a/tool", "", 0755);
  dir.put("a/absent", "", 0755);
  EXPECT_EQ(programs.find("tool", both, "/"), b + "/tool") << "remembered";
  EXPECT_EQ(programs.find("absent", both, "/"), a + "/absent") << "that it is nowhere is not remembered";
  EXPECT_EQ(programs.find("tool", a, "/"), a + "/tool") << "another PATH";
  EXPECT_EQ(programs.find("tool", "a:" + b, dir.path()), a + "/tool") << "a relative directory is looked at each time";
  programs.forget();
  EXPECT_EQ(programs.find("tool", both, "/"), a + "/tool");
}

}  // namespace
}  // namespace grapnel::os
