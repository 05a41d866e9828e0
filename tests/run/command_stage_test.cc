#include <filesystem>

#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "run/harness.h"
#include "run/runner.h"

// Command hooks in a stage: how what they are called becomes a process.

namespace grapnel::testing {
namespace {

class CommandStage : public ::testing::Test {
 protected:
  CommandStage() { env_.set("PATH", (dir_ / "a") + ":" + (dir_ / "b") + ":/usr/bin:/bin"); }

  RunOutcome run(const std::string& command, const Dialect& dialect = kGeminiDialect) {
    Registry registry;
    HookSpec& hook = registry.hooks.emplace_back();
    hook.dialect = &dialect;
    hook.handler = CommandHandler{.command = command, .args = {}, .env = {}, .inject = {}};
    hook.timeout = kLong;
    const RunContext context{.env = env_, .programs = programs_, .default_dir = dir_.path()};
    PayloadCache payloads;
    const Event event(EventKind::PreToolUse, *Json::parse(R"({"session_id":"s1","cwd":"/","tool_name":"Bash"})"));
    return run_stage(registry, {{0}, 0}, event, context, payloads).front();
  }

  const NothingLeft check_;
  TempDir dir_;
  Environment env_{sh("").env};
  os::ProgramPaths programs_;
};

TEST_F(CommandStage, GoesWithoutAShellWhereTheKernelDoes) {
  dir_.put("a/script", "#!/bin/sh\necho $PPID\n", 0755);
  dir_.put("a/bare", "echo \"$0 $1\"\n", 0755);
  dir_.put("a/closed", "#!/bin/sh\n", 0644);
  dir_.put("a/lost", "#!/no/such/shell\n", 0755);
  dir_.put("a/file", "");
  const std::string a = dir_ / "a";
  struct Case {
    const char* note;
    std::string command;
    std::string first;  ///< of the words it was started with
    std::string ending;
  };
  const Case cases[] = {
      {"a program that PATH finds", "env", "env", "exit 0"},
      {"a path", "/usr/bin/env", "/usr/bin/env", "exit 0"},
      {"a script that names its shell", a + "/script", a + "/script", "exit 0"},
      {"one that does not", a + "/bare x", "bash", "exit 0"},
      {"the same, which PATH finds", "bare x", "bash", "exit 0"},
      {"not executable", a + "/closed", "bash", "exit 126"},
      {"nowhere", "no-such-program x", "bash", "exit 127"},
      {"no such path", a + "/none", "bash", "exit 127"},
      {"a path through a file", a + "/file/none", "bash", "exit 126"},
      {"an interpreter that is not there", a + "/lost", a + "/lost",
       "not started: cannot run " + a + "/lost: its interpreter does not exist"},
      {"syntax", "env | cat", "bash", "exit 0"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const RunOutcome outcome = run(c.command);
    EXPECT_EQ(outcome.argv.at(0), c.first);
    EXPECT_EQ(text_of(outcome.ending), c.ending) << outcome.err.bytes;
  }
  EXPECT_EQ(run(a + "/bare x").out.bytes, a + "/bare x\n");
}

TEST_F(CommandStage, StartsTheUsersSmallShellInPlaceOfSh) {
  dir_.put("small", "#!/bin/sh\necho \"small: $*\"\n", 0755);
  struct Case {
    const char* note;
    std::string shell;
    const Dialect& dialect;
    std::string out;
  };
  const Case cases[] = {
      {"for sh", dir_ / "small", kClaudeDialect, "small: -c echo $((1 + 1))\n"},
      {"not for bash", dir_ / "small", kGeminiDialect, "2\n"},
      {"one that is not there is not missed", dir_ / "none", kClaudeDialect, "2\n"},
      {"a name is no path", "small", kClaudeDialect, "2\n"},
      {"none", "", kClaudeDialect, "2\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    env_.set("GRAPNEL_SHELL", c.shell);
    EXPECT_EQ(run("echo $((1 + 1))", c.dialect).out.bytes, c.out);
  }
}

TEST_F(CommandStage, FindsAProgramThatMoved) {
  dir_.put("b/tool", "#!/bin/sh\necho from b\n", 0755);
  EXPECT_EQ(run("tool").out.bytes, "from b\n");
  std::filesystem::remove(dir_ / "b/tool");
  dir_.put("a/tool", "#!/bin/sh\necho from a\n", 0755);
  EXPECT_EQ(run("tool").out.bytes, "from a\n");
}

// Whoever wrote the project says what its hooks have for variables and files, and must not open a sandbox with them.
TEST_F(CommandStage, InASandboxTakesNothingFromAProject) {
  const std::string home = dir_ / "home";
  dir_.put("home/.ssh/id", "SECRET\n");
  dir_.put("project/file", "of the project\n");
  std::filesystem::create_symlink(home + "/.ssh/id", dir_ / "project/link");
  std::filesystem::create_symlink(home + "/.ssh/id", dir_ / "project/.gitconfig");
  env_.set("HOME", home);
  using Variables = std::vector<std::pair<std::string, std::string>>;
  struct Case {
    const char* note;
    Variables env;
    std::vector<std::string> files;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"its home", {{"HOME", dir_ / "project"}}, {}},
      {"its programs", {{"PATH", home + "/.ssh:/usr/bin:/bin"}}, {}},
      {"its files", {}, {dir_ / "project/link"}},
      {"files outside", {}, {home + "/.ssh/id"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    Registry registry;
    HookSpec& hook = registry.hooks.emplace_back();
    hook.dialect = &kGeminiDialect;
    hook.handler =
        CommandHandler{.command = "cat file; cat " + home + "/.ssh/id", .args = {}, .env = c.env, .inject = {}};
    hook.project = dir_ / "project";
    hook.cwd = hook.project;
    hook.files = c.files;
    hook.sandbox = guard_sandbox();
    hook.timeout = kLong;
    const RunContext context{.env = env_, .programs = programs_, .default_dir = hook.project};
    PayloadCache payloads;
    const Event event(EventKind::PreToolUse, *Json::parse(R"({"session_id":"s1","tool_name":"Bash"})"));
    const RunOutcome outcome = run_stage(registry, {{0}, 0}, event, context, payloads).front();
    EXPECT_EQ(outcome.out.bytes, "of the project\n") << outcome.err.bytes;
  }
}

}  // namespace
}  // namespace grapnel::testing
