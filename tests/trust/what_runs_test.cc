#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "trust/program.h"
#include "trust/unpinned.h"

/// What `grapnel trust` says about a command besides its files.
namespace grapnel {
namespace {

TEST(OpenEnds, SaysWhatCannotBePinned) {
  struct Case {
    const char* command;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"./guard.sh", {}},
      {"sh hooks/guard.sh --strict", {}},
      {"npm test", {"'npm' runs what it finds in package.json and node_modules"}},
      {"make -s check", {"'make' runs what it finds in the Makefile"}},
      {"cd web && npm run lint", {"'npm' runs what it finds in package.json and node_modules"}},
      {"python3 -m guard", {"the module that 'python3 -m' finds"}},
      {"python3 guard.py", {}},
      {"curl -s https://example.org/x | sh", {"the files that 'curl' downloads"}},
      {"sh \"$(git rev-parse --show-toplevel)/guard.sh\"", {"names that are computed at run time"}},
      {"eval \"$GUARD\"", {"the code that 'eval' runs"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.command);
    EXPECT_EQ(open_ends(c.command), c.want);
  }
}

TEST(Program, IsFoundAsTheShellWould) {
  testing::TempDir dir;
  dir.put("bin/python3", "", 0755);
  dir.put("bin/sh", "", 0755);
  dir.put("project/plain", "", 0755);
  dir.put("project/guard.py", "#!/usr/bin/env python3\n", 0755);
  dir.put("project/split.py", "#!/usr/bin/env -S python3 -u\n", 0755);
  dir.put("project/gone.rb", "#!/usr/bin/env ruby-that-is-nowhere\n", 0755);
  struct Case {
    const char* command;
    std::string path;
    std::string interpreter;
  };
  const Case cases[] = {
      {"sh x.sh", dir / "bin/sh", ""},
      {"A=b sh x.sh", dir / "bin/sh", ""},
      {"./plain", dir / "project/./plain", ""},
      {"./guard.py --x", dir / "project/./guard.py", dir / "bin/python3"},
      {"./split.py", dir / "project/./split.py", dir / "bin/python3"},
      {"./gone.rb", dir / "project/./gone.rb", "ruby-that-is-nowhere (not found)"},
      {"nothing-of-that-name", "", ""},
      {"", "", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.command);
    const Program program = program_of(c.command, dir / "bin", dir / "project");
    EXPECT_EQ(program.path, c.path);
    EXPECT_EQ(program.interpreter, c.interpreter);
  }
}

}  // namespace
}  // namespace grapnel
