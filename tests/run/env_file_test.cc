#include "run/env_file.h"

#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "run/harness.h"

/// The file a hook leaves variables in: what is written for a shell is read by one.
namespace grapnel::testing {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

class EnvFileTest : public ::testing::Test {
 protected:
  /// What a hook that writes these lines leaves behind.
  RunOutcome outcome_of(const std::string& lines) {
    ChildSpec child = sh("cat >> \"$VARS\"");
    child.stdin_bytes = std::make_shared<const std::string>(lines);
    const EnvFile file("VARS", dir_.path(), child);
    RunOutcome outcome = run_one(child);
    if (const auto reader = file.reader()) file.take(run_one(*reader), outcome);
    return outcome;
  }

  TempDir dir_;
};

TEST_F(EnvFileTest, EveryValueComesBackAsItWas) {
  const Variables all = {
      {"A", ""},          {"B", "it's"},     {"C", "two\nlines"},         {"D", "$HOME `id` $(id) \\ \" *"},
      {"E", "' '\\'' '"}, {"F", "a=b;c&d|"}, {"G", " #x\t\xe4\xbd\xa0 "},
  };
  EXPECT_EQ(outcome_of(write_env_lines(all)).env, all);
}

struct LinesCase {
  const char* note;
  const char* lines;
  Variables want;
};

TEST_F(EnvFileTest, LinesAreShell) {
  const LinesCase cases[] = {
      {"nothing written", "", {}},
      {"comments and blank lines", "# x\n\n", {}},
      {"with and without export", "export A=1\nB=2\n", {{"A", "1"}, {"B", "2"}}},
      {"as `export -p` prints it", "declare -x A=\"1\"\n", {{"A", "1"}}},
      {"from what is there", "A=x\nB=$A$A\n", {{"A", "x"}, {"B", "xx"}}},
      {"a variable as it was", "export PATH=$PATH\n", {}},
      {"what it prints is no variable", "echo C=3\nA=1\n", {{"A", "1"}}},
      {"the last line without an end", "A=1", {{"A", "1"}}},
  };
  for (const LinesCase& c : cases) {
    SCOPED_TRACE(c.note);
    const RunOutcome outcome = outcome_of(c.lines);
    EXPECT_EQ(outcome.env, c.want);
    EXPECT_EQ(outcome.env_problem, "");
  }
}

TEST_F(EnvFileTest, AScriptThatEndsTheShellIsAProblem) {
  const RunOutcome outcome = outcome_of("A=1\necho broken\nexit 3\n");
  EXPECT_TRUE(outcome.env.empty());
  EXPECT_EQ(outcome.env_problem, "exit 3: broken");
}

TEST_F(EnvFileTest, NothingIsLeft) {
  outcome_of("A=1\n");
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

TEST_F(EnvFileTest, WithoutAFileThereIsNoName) {
  ChildSpec child = sh("test -z \"$VARS\"");
  child.env.set("VARS", "/of/the/host");
  const EnvFile file("VARS", dir_ / "missing", child);
  EXPECT_EQ(text_of(run_one(child).ending), "exit 0");
  EXPECT_FALSE(file.reader());
}

}  // namespace
}  // namespace grapnel::testing
