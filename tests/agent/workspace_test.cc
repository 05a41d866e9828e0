#include "agent/workspace.h"

#include "agent/tool_bench.h"

namespace grapnel::agent {

namespace {

namespace fs = std::filesystem;

struct WorkspaceCase {
  const char* note;
  std::string path;  ///< DIR stands for the directory around the workspace
  std::string want;  ///< "" when refused
};

class WorkspaceTest : public ::testing::Test {
 protected:
  WorkspaceTest() {
    dir_.put("work/a.txt", "a");
    dir_.put("work/sub/b.txt", "b");
    dir_.put("work2/c.txt", "c");
    dir_.put("also/d.txt", "d");
    fs::create_symlink("sub", dir_ / "work/in");
    fs::create_symlink("../work2", dir_ / "work/out");
    fs::create_symlink("../work2/new.txt", dir_ / "work/dangling");
    fs::create_symlink("/", dir_ / "work/top");
    fs::create_symlink("loop", dir_ / "work/loop");
    fs::create_symlink("../also", dir_ / "work/also");
    fs::create_symlink("work", dir_ / "alias");
  }

  std::string with_dir(std::string text) const {
    if (const size_t at = text.find("DIR"); at != std::string::npos) text.replace(at, 3, real_);
    return text;
  }

  testing::TempDir dir_;
  const std::string real_ = fs::canonical(dir_.path());
};

TEST_F(WorkspaceTest, Resolve) {
  const WorkspaceCase cases[] = {
      {"a file", "a.txt", "DIR/work/a.txt"},
      {"an absolute path", "DIR/work/a.txt", "DIR/work/a.txt"},
      {"no path is the root", "", "DIR/work"},
      {"the root", "DIR/work", "DIR/work"},
      {"dots", "./sub/.././a.txt", "DIR/work/a.txt"},
      {"doubled slashes", "sub//b.txt", "DIR/work/sub/b.txt"},
      {"a file that does not exist", "new/deep/x.txt", "DIR/work/new/deep/x.txt"},
      {"out and in again", "../work/a.txt", "DIR/work/a.txt"},
      {"out", "../work2/c.txt", ""},
      {"out of what does not exist", "new/../../work2/c.txt", ""},
      {"far out", "../../../../../../../../../../etc/passwd", ""},
      {"an absolute path outside", "/etc/passwd", ""},
      {"a name that only begins the same", "DIR/work2/c.txt", ""},
      {"a link inside", "in/b.txt", "DIR/work/sub/b.txt"},
      {"a link outside", "out/c.txt", ""},
      {"a file to be created behind a link outside", "out/new.txt", ""},
      {"a link to what does not exist yet", "dangling", ""},
      {"up from where a link leads", "out/../work/a.txt", "DIR/work/a.txt"},
      {"a link to the top", "top/etc/passwd", ""},
      {"a link to the top and back", "topDIR/work/a.txt", "DIR/work/a.txt"},
      {"a link to itself", "loop", ""},
      {"the kernel's own link to the top", "/proc/self/root/etc/passwd", ""},
      {"the kernel's own link, and back", "/proc/self/rootDIR/work/a.txt", "DIR/work/a.txt"},
      {"a file is no directory", "a.txt/x", ""},
      {"a NUL byte", std::string("a.txt\0/../../work2/c.txt", 24), ""},
      {"a tilde is a name", "~/x", "DIR/work/~/x"},
      {"a directory that is not allowed", "also/d.txt", ""},
  };
  const Workspace workspace(dir_ / "work");
  for (const WorkspaceCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(workspace.resolve(with_dir(c.path)).value_or(""), with_dir(c.want));
  }
}

TEST_F(WorkspaceTest, AlsoAllowed) {
  const Workspace workspace(dir_ / "work", {dir_ / "also"});
  EXPECT_EQ(workspace.resolve("also/d.txt").value_or(""), real_ + "/also/d.txt");
  EXPECT_EQ(workspace.resolve("../also/new").value_or(""), real_ + "/also/new");
  EXPECT_FALSE(workspace.resolve("../work2/c.txt"));
}

TEST_F(WorkspaceTest, RootBehindALink) {
  const Workspace workspace(dir_ / "alias");
  EXPECT_EQ(workspace.root(), real_ + "/work");
  EXPECT_EQ(workspace.resolve(dir_ / "alias/a.txt").value_or(""), real_ + "/work/a.txt");
}

TEST_F(WorkspaceTest, WhyNot) {
  const auto refused = Workspace(dir_ / "work").resolve("../work2");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::Refused);
  EXPECT_EQ(refused.error().message, "../work2 is outside the workspace " + real_ + "/work");
}

TEST_F(WorkspaceTest, Shown) {
  const Workspace workspace(dir_ / "work");
  EXPECT_EQ(workspace.shown(real_ + "/work/sub/b.txt"), "sub/b.txt");
  EXPECT_EQ(workspace.shown(real_ + "/work"), ".");
  EXPECT_EQ(workspace.shown(real_ + "/work2/c.txt"), real_ + "/work2/c.txt");
  EXPECT_EQ(Workspace("/").shown("/etc"), "etc");
}

}  // namespace

}  // namespace grapnel::agent
