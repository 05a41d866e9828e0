#include <thread>

#include "agent/tool_bench.h"

namespace grapnel::agent {

namespace {

using ::grapnel::testing::becomes_true;
using ::grapnel::testing::kLong;

struct ShellToolCase {
  const char* note;
  const char* input;
  ToolFailure failure;
  const char* text;
  const char* data = "";  ///< "" when it does not matter
};

TEST(ShellTool, Results) {
  const std::pair<std::string, std::string> env[] = {{"GREETING", "hello"}};
  ToolBench bench;
  bench.context.env = env;
  bench.dir.put("work/sub/x", "");
  constexpr auto kFailed = ToolFailure::Failed;
  const ShellToolCase cases[] = {
      {"output", R"({"command": "echo hi"})", kNone, "hi", R"({"exit_code": 0, "stdout": "hi\n", "stderr": ""})"},
      {"none", R"({"command": "true"})", kNone, "(no output)", R"({"exit_code": 0, "stdout": "", "stderr": ""})"},
      {"stderr alone", R"({"command": "echo oops >&2"})", kNone, "oops"},
      {"both", R"({"command": "echo a; echo b >&2"})", kNone, "stdout:\na\n\nstderr:\nb"},
      {"an exit code", R"({"command": "echo why >&2; exit 3"})", kFailed, "exit 3\nwhy",
       R"({"exit_code": 3, "stdout": "", "stderr": "why\n"})"},
      {"a signal", R"({"command": "kill -9 $$"})", kFailed, "killed by SIGKILL",
       R"({"exit_code": null, "stdout": "", "stderr": ""})"},
      {"bash, not only sh", R"({"command": "[[ a == a ]] && echo yes"})", kNone, "yes"},
      {"the session's variables", R"({"command": "echo $GREETING"})", kNone, "hello"},
      {"and the process's own", R"({"command": "test -n \"$PATH\" && echo yes"})", kNone, "yes"},
      {"no input to wait for", R"({"command": "cat; echo end"})", kNone, "end"},
      {"another directory", R"({"command": "basename $PWD", "cwd": "sub"})", kNone, "sub"},
      {"bytes that are no text", R"({"command": "printf '\\377'"})", kNone, "\xEF\xBF\xBD"},
      {"a helper that stays does not keep it", R"({"command": "sleep 5 & echo started"})", kNone, "started"},
      {"no command", R"({"command": ""})", ToolFailure::InvalidInput, "/command must not be empty"},
      {"no time", R"({"command": "true", "timeout": 0})", ToolFailure::InvalidInput, "/timeout must be at least 1"},
  };
  for (const ShellToolCase& c : cases) {
    SCOPED_TRACE(c.note);
    const ToolResult result = bench.call(ToolKind::Shell, c.input);
    EXPECT_EQ(result.failure, c.failure);
    EXPECT_EQ(result.text, c.text);
    EXPECT_TRUE(*c.data == '\0' || result.data == parse(c.data)) << result.data.dump();
  }
}

TEST(ShellTool, RunsInTheWorkspace) {
  const ToolBench bench;
  EXPECT_EQ(bench.call(ToolKind::Shell, R"({"command": "pwd -P"})").text, bench.workspace->root());
  const ToolResult outside = bench.call(ToolKind::Shell, R"({"command": "true", "cwd": "../outside"})");
  EXPECT_EQ(outside.failure, ToolFailure::Failed);
}

TEST(ShellTool, TheMiddleIsCut) {
  ToolBench bench;
  bench.context.max_output = 20;
  const ToolResult result = bench.call(ToolKind::Shell, R"({"command": "printf %s {a..z}{0..9}"})");
  EXPECT_EQ(result.text, "a0a1a2a3a4\n[… 500 bytes cut …]\nz5z6z7z8z9");
  EXPECT_EQ(result.data["stdout"].as_string(), result.text);
}

/// On a busy machine it takes longer until something is said.
TEST(ShellTool, OutOfTimeItKeepsWhatWasSaid) {
  const ToolBench bench;
  ToolResult result;
  for (int timeout = 50; timeout < kLong.count() && !result.text.contains('\n'); timeout *= 2) {
    result =
        bench.call(ToolKind::Shell, R"({"command": "echo a; sleep 600", "timeout": )" + std::to_string(timeout) + "}");
    EXPECT_EQ(result.failure, ToolFailure::TimedOut);
    EXPECT_TRUE(result.text.starts_with("timed out after ")) << result.text;
  }
  EXPECT_TRUE(result.text.ends_with("ms\na") || result.text.ends_with("s\na")) << result.text;
}

TEST(ShellTool, AnArgumentOnlyShortensTheTime) {
  ToolBench bench;
  bench.context.timeout = std::chrono::milliseconds(50);
  const ToolResult result = bench.call(ToolKind::Shell, R"({"command": "sleep 600", "timeout": 60000})");
  EXPECT_EQ(result.text, "timed out after 50 ms");
}

/// The process groups of the test's children go with them.
TEST(ShellTool, TheWholeGroupIsKilled) {
  ToolBench bench;
  bench.context.timeout = std::chrono::milliseconds(100);
  for (; bench.context.timeout < kLong && !bench.exists("work/pid"); bench.context.timeout *= 2) {
    const ToolResult result =
        bench.call(ToolKind::Shell, R"({"command": "sleep 600 & echo $! > new; mv new pid; wait"})");
    EXPECT_EQ(result.failure, ToolFailure::TimedOut);
  }
  const int pid = std::stoi(bench.content("work/pid"));
  // Killed, but perhaps not yet collected by whoever adopts it.
  const auto is_alive = [&] {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return stat >> number >> name >> state && state != "Z";
  };
  EXPECT_TRUE(becomes_true([&] { return !is_alive(); }));
}

TEST(ShellTool, Interrupted) {
  ToolBench bench;
  std::stop_source stop;
  bench.context.cancel = stop.get_token();
  std::jthread person([&] {
    while (!bench.exists("work/started")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.request_stop();
  });
  const ToolResult result = bench.call(ToolKind::Shell, R"({"command": "touch started; sleep 600"})");
  EXPECT_EQ(result.failure, ToolFailure::Interrupted);
}

}  // namespace

}  // namespace grapnel::agent
