#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "dialect/dialect.h"
#include "os/temp_dir.h"
#include "trust/pinned_files.h"

namespace grapnel {
namespace {

namespace fs = std::filesystem;

class ClosureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"guard.sh", "my check.sh", "a=b.sh", "hook", "sub/x.sh", "sub/deep/y.sh", "hooks/a.sh",
                             "hooks/b.sh", "bin/run", "TODO.md", "log.txt", "rules.awk"}) {
      dir_.put(std::string("project/") + name, std::string("# ") + name);
    }
    dir_.put("outside.sh", "# outside");
    dir_.put("elsewhere/guard.sh", "# not the project's");
    fs::create_symlink("../outside.sh", project_ + "/link.sh");
    fs::create_symlink("sub", project_ + "/alias");
    fs::create_symlink(project_, dir_ / "way");
  }

  /// Files, relative to the project, in the order they are named.
  std::string files(std::string_view command) {
    std::string out;
    for (const std::string& path : files_of_command(command, project_)) {
      const bool inside = path.starts_with(project_ + "/");
      out += (out.empty() ? "" : " | ") + (inside ? path.substr(project_.size() + 1) : "OUTSIDE " + path);
    }
    return out;
  }

  HookSpec hook(std::string command) {
    HookSpec out;
    out.name = "hook";
    out.dialect = &kGeminiDialect;
    out.definition = "{\"command\":\"" + command + "\"}";
    CommandHandler handler;
    handler.command = std::move(command);
    out.handler = std::move(handler);
    return out;
  }

  std::string digest(const std::string& command, const std::string& working_dir = {}) {
    return pinned_digest(hook(command), project_, working_dir);
  }

  testing::TempDir dir_;
  std::string project_ = fs::canonical(dir_.path()).string() + "/project";
};

TEST_F(ClosureTest, HoldsTheFilesACommandNames) {
  struct Case {
    const char* note;
    std::string command;
    const char* want;
  };
  const Case cases[] = {
      {"relative", "./guard.sh", "guard.sh"},
      {"without a dot", "hook", "hook"},
      {"below", "sub/x.sh --strict", "sub/x.sh"},
      {"run by a shell", "bash ./guard.sh", "guard.sh"},
      {"sourced", ". ./guard.sh; source sub/x.sh", "guard.sh | sub/x.sh"},
      {"read from stdin", "sh <guard.sh", "guard.sh"},
      {"piped", "cat guard.sh | sh", "guard.sh"},
      {"several, each once", "./guard.sh && sub/x.sh || ./guard.sh", "guard.sh | sub/x.sh"},
      {"a variable for the project", "$GEMINI_PROJECT_DIR/sub/x.sh", "sub/x.sh"},
      {"in braces and quotes", "\"${CLAUDE_PROJECT_DIR}\"/sub/x.sh", "sub/x.sh"},
      {"quoted as a whole", "\"$CLAUDE_PROJECT_DIR/sub/x.sh\"", "sub/x.sh"},
      {"with a default", "${HOOK:-./guard.sh}", "guard.sh"},
      {"a substitution for the project", "$(git rev-parse --show-toplevel)/sub/x.sh", "sub/x.sh"},
      {"the same in quotes", "\"$(git rev-parse --show-toplevel)/sub/x.sh\"", "sub/x.sh"},
      {"the same in backticks", "`pwd`/sub/x.sh", "sub/x.sh"},
      {"the home may hold the project", "~/work/project/sub/x.sh", "sub/x.sh"},
      {"any variable may", "bash $HOME/work/project/sub/x.sh", "sub/x.sh"},
      {"quoted with a blank", "bash \"./my check.sh\"", "my check.sh"},
      {"escaped blank", "bash my\\ check.sh", "my check.sh"},
      {"an odd name", "./a=b.sh", "a=b.sh"},
      {"in a shell's text", "sh -c './guard.sh arg'", "guard.sh"},
      {"in a shell's text, quoted again", "sh -c \"bash 'my check.sh'\"", "my check.sh"},
      {"twice as deep", "sh -c \"sh -c 'exec ./guard.sh'\"", "guard.sh"},
      {"in an assignment", "RUN=./guard.sh; $RUN", "guard.sh"},
      {"in an option", "run --file=./guard.sh", "guard.sh"},
      {"glued to an option", "awk -f./rules.awk", "rules.awk"},
      {"through a directory", "cd sub && ./x.sh", "sub/x.sh"},
      {"through two", "cd sub; cd deep; ./y.sh", "sub/deep/y.sh"},
      {"through a quoted one", "cd \"$DIR/sub\" && sh deep/y.sh", "sub/deep/y.sh"},
      {"through an option", "make -C sub -f x.sh", "sub/x.sh"},
      {"through PATH", "PATH=./bin:$PATH run", "bin/run"},
      {"through a linked directory", "alias/x.sh", "alias/x.sh"},
      {"up and back", "sub/../guard.sh", "sub/../guard.sh"},
      {"a pattern", "for f in hooks/*.sh; do . $f; done", "hooks/a.sh | hooks/b.sh"},
      {"braces", "cat hooks/{a,b}.sh | sh", "hooks/a.sh | hooks/b.sh"},
      {"a link that leads out", "./link.sh", "link.sh"},
      {"out of the project by ..", "../outside.sh", "../outside.sh"},
      {"absolute, in the project", project_ + "/sub/x.sh", "sub/x.sh"},
      {"absolute, through a link to the project", (dir_ / "way/sub/x.sh"), "sub/x.sh"},
      {"absolute, elsewhere", (dir_ / "elsewhere/guard.sh"), ""},
      {"a program in PATH", "npm test", ""},
      {"what is not there", "./nothing.sh", ""},
      {"a directory is no file", "ls sub", ""},
      {"written to", "jq . >> log.txt", ""},
      {"written to inside a shell's text", "sh -c 'jq . >> log.txt'", ""},
      {"written to and run", "cat > guard.sh; sh guard.sh", "guard.sh"},
      {"only looked at", "if grep -q '\\[ \\]' TODO.md 2>/dev/null; then echo '{\"continue\":true}'; fi", ""},
      {"looked at beside a program", "grep -q x TODO.md && make", "TODO.md"},
      {"nothing", "", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.command);
    EXPECT_EQ(files(c.command), c.want);
  }
}

TEST_F(ClosureTest, ChangesWithEveryByteItCovers) {
  struct Case {
    const char* note;
    const char* command;
    const char* file;
    bool changes;
  };
  const Case cases[] = {
      {"the script", "bash ./guard.sh", "project/guard.sh", true},
      {"what a link leads to", "./link.sh", "outside.sh", true},
      {"a file above the project", "../outside.sh", "outside.sh", true},
      {"a file that a pattern finds", "cat hooks/*.sh | sh", "project/hooks/b.sh", true},
      {"a file that was not there", "./later.sh", "project/later.sh", true},
      {"a file that a pattern finds only now", "cat hooks/*.sh | sh", "project/hooks/c.sh", true},
      {"something else", "bash ./guard.sh", "project/sub/x.sh", false},
      {"what npm finds by itself", "npm test", "project/package.json", false},
      {"a log", "jq . >> log.txt", "project/log.txt", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const std::string before = digest(c.command);
    EXPECT_EQ(digest(c.command), before) << "the same bytes, the same digest";
    dir_.put(c.file, c.note);
    EXPECT_EQ(digest(c.command) != before, c.changes);
  }
}

TEST_F(ClosureTest, ChangesWithTheDefinitionAndTheTargetOfALink) {
  EXPECT_NE(digest("bash ./guard.sh"), digest("bash  ./guard.sh"));
  const std::string before = digest("./link.sh");
  fs::remove(project_ + "/link.sh");
  fs::create_symlink("guard.sh", project_ + "/link.sh");
  EXPECT_NE(digest("./link.sh"), before);
}

TEST_F(ClosureTest, CoversArguments) {
  HookSpec with = hook("sh");
  std::get<CommandHandler>(with.handler).args = {"my check.sh", "--file=guard.sh"};
  EXPECT_EQ(files_of_hook(with, project_),
            (std::vector<std::string>{project_ + "/my check.sh", project_ + "/guard.sh"}));
}

TEST_F(ClosureTest, CoversVariablesOfTheHook) {
  HookSpec with = hook("bash -c true");
  const std::string before = pinned_digest(with, project_);
  std::get<CommandHandler>(with.handler).env = {{"BASH_ENV", "./guard.sh"}};
  EXPECT_EQ(files_of_hook(with, project_), std::vector<std::string>{project_ + "/guard.sh"});
  EXPECT_NE(pinned_digest(with, project_), before);
}

TEST_F(ClosureTest, CoversWhatTheWorkingDirectoryWouldFind) {
  const std::string trusted = digest("./x.sh");
  EXPECT_EQ(digest("./x.sh", project_), trusted);
  EXPECT_NE(digest("./x.sh", project_ + "/sub"), trusted) << "another x.sh would run there";
  EXPECT_NE(digest("./guard.sh", dir_ / "elsewhere"), digest("./guard.sh"));
  EXPECT_EQ(digest("./guard.sh", project_ + "/sub"), digest("./guard.sh")) << "nothing of that name is there";
}

/// The directory that a hook names itself is known when it is trusted.
TEST_F(ClosureTest, IsTheSameBeforeAndAtTheStart) {
  const struct {
    const char* note;
    const char* cwd;
    const char* runs_in;
    const char* files;
  } kCases[] = {
      {"a directory of the project", "sub", "sub", "sub/x.sh"},
      {"spelled otherwise", "./sub/../sub/", "sub", "sub/x.sh"},
      {"a link", "alias", "sub", "sub/x.sh"},
      {"the project", ".", ".", ""},
      {"a directory that does not exist", "gone", "gone", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    HookSpec spec = hook("./x.sh");
    spec.cwd = c.cwd;
    const std::string runs_in = fs::weakly_canonical(project_ + "/" + c.runs_in).string();
    const std::string trusted = pinned_digest(spec, project_);
    EXPECT_NE(trusted, "");
    EXPECT_EQ(pinned_digest(spec, project_, runs_in), trusted);
    const auto named = files_of_hook(spec, project_);
    EXPECT_EQ(named.empty() ? "" : named.front().substr(project_.size() + 1), c.files);
  }
}

TEST_F(ClosureTest, HoldsDirectoriesThatRunAsAWhole) {
  const struct {
    const char* note;
    const char* command;
    const char* cwd;
    bool is_pinned;  ///< all files below hooks/ are
    bool is_open;    ///< and if not, people hear of it
  } kCases[] = {
      {"a directory with a main module", "python3 hooks", "", true, false},
      {"another version, behind options", "python3.12 -u -W ignore ./hooks/", "", true, false},
      {"node", "exec node hooks", "", true, false},
      {"every file in it", "run-parts --exit-on-error hooks", "", true, false},
      {"in another shell", "sh -c 'python3 hooks'", "", true, false},
      {"behind a wrapper", "env A=b timeout 5 python3 hooks", "", true, false},
      {"after cd", "cd . && python3 hooks --all", "", true, false},
      {"the directory it starts in", "node .", "hooks", true, false},
      {"the project", "node .", "", false, true},
      {"what contains the project", "python3 ..", "", false, true},
      {"a script that gets a directory", "python3 sub/x.sh hooks", "", false, false},
      {"code that gets a directory", "python3 -c 'print(1)' hooks", "", false, false},
      {"a program that only reads it", "ruff check hooks", "", false, false},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    HookSpec spec = hook(c.command);
    spec.cwd = c.cwd;
    const std::string before = pinned_digest(spec, project_);
    ASSERT_NE(before, "");
    const auto named = files_of_hook(spec, project_);
    EXPECT_EQ(std::ranges::find(named, project_ + "/hooks/b.sh") != named.end(), c.is_pinned);
    EXPECT_EQ(!unpinned_directories(spec, project_).empty(), c.is_open);
    dir_.put("project/hooks/new.sh", "# new");
    EXPECT_EQ(pinned_digest(spec, project_) != before, c.is_pinned) << "a file was added";
    fs::remove(project_ + "/hooks/new.sh");
    EXPECT_EQ(pinned_digest(spec, project_), before);
  }
}

TEST_F(ClosureTest, NoticesAFileThatComesAndGoes) {
  const PinnedFiles pinned = pin_files(hook("python3 hooks"), project_);
  EXPECT_TRUE(pinned.is_untouched());
  dir_.put("project/hooks/os.py", "# instead of the library");
  fs::remove(project_ + "/hooks/os.py");
  EXPECT_FALSE(pinned.is_untouched());
}

TEST_F(ClosureTest, CannotPinADirectoryWithTooManyFiles) {
  for (int i = 0; i < 1100; ++i) dir_.put("project/many/" + std::to_string(i) + ".py", "");
  EXPECT_EQ(digest("python3 many"), "");
}

TEST_F(ClosureTest, CannotPinWhatItCannotRead) {
  const std::string fifo = project_ + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_NE(digest("sh fifo"), "") << "no regular file, so no script";
  fs::resize_file(project_ + "/guard.sh", (uint64_t{64} << 20) + 1);
  EXPECT_EQ(digest("./guard.sh"), "") << "too large";
  std::string many = "run";
  for (int i = 0; i < 5000; ++i) many += " word" + std::to_string(i);
  EXPECT_EQ(digest(many), "") << "too many words to look up";
}

}  // namespace
}  // namespace grapnel
