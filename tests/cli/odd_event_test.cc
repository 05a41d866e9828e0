#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "run/supervisor.h"

/// Payloads and callers that no agent should have, through the real command: a guard gives its verdict, or the command
/// fails in a way that the agent shows. It is never silent.
namespace grapnel {
namespace {

constexpr const char* kGuards = R"(version: 1
hooks:
  - name: no-recursive-rm
    on: PreToolUse
    when: { tool: shell, command: rm, flag: [-r, -R, --recursive] }
    deny: No recursive removal.
  - name: protect-secrets
    on: PreToolUse
    when: { tool: [read, write, edit, shell], path: '**/.env*' }
    deny: Secrets stay out of the conversation.
  - name: no-touch
    on: PreToolUse
    when: { tool: shell, command: touch }
    run: exit 2
)";
constexpr const char* kRemove =
    R"({"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -r x"}})";
constexpr const char* kTouch =
    R"({"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}})";

struct Answer {
  int status = -1;
  std::string out, err;
  bool objects() const { return status == 2 || out.contains("\"deny\"") || out.contains("\"ask\""); }
  bool has_failed() const { return status != 0 && status != 2 && !err.empty(); }
};

/// A person with the guards above.
class OddEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(home_ / ".config/agents");
    std::ofstream(home_ / ".config/agents/grapnel.yaml") << kGuards;
  }

  /// Runs `script`, in which `$grapnel` is the command as an agent calls it.
  Answer run(const std::string& script, const std::string& payload, bool has_home = true) {
    ChildSpec child;
    child.path = "/bin/sh";
    child.argv = {"sh", "-c", script};
    const std::string home = home_.path();
    std::vector<std::string> variables = {"PATH=" + std::string(std::getenv("PATH")), "GRAPNEL_SERVE=0",
                                          "grapnel=" GRAPNEL_COMMAND " fire --as claude --bridge"};
    if (has_home) variables.insert(variables.end(), {"HOME=" + home, "XDG_RUNTIME_DIR=" + home});
    child.env = variables;
    child.cwd = home;
    child.stdin_bytes = std::make_shared<const std::string>(payload);
    child.timeout = std::chrono::minutes(5);
    const RunOutcome ended = run_children({&child, 1}, 1, {}, {}).front();
    const auto* exited = std::get_if<Exited>(&ended.ending);
    return {exited == nullptr ? -1 : exited->code, ended.out.bytes, ended.err.bytes};
  }

  testing::TempDir home_;
};

/// Each character of the UTF-8 text as one byte.
std::string as_bytes(std::string_view utf8) {
  std::string out;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    out += c < 0x80 ? utf8[i] : static_cast<char>((c << 6) | (static_cast<unsigned char>(utf8[++i]) & 0x3F));
  }
  return out;
}

/// `cases/payload.jsonl` has one payload of a tool call in each row, and says whether the call is one that the guards
/// are there for. The rows were written by somebody who did not know how Grapnel reads payloads; payload_more.jsonl has
/// others. A row with `missed` is known to be misunderstood, and says why.
TEST_F(OddEvents, EveryPayloadGetsItsVerdict) {
  std::ifstream written(GRAPNEL_SOURCE_DIR "/tests/cli/cases/payload.jsonl");
  std::ifstream more(GRAPNEL_SOURCE_DIR "/tests/cli/cases/payload_more.jsonl");
  size_t rows = 0;
  for (std::string line; std::getline(written, line) || std::getline(more, line); ++rows) {
    const auto row = Json::parse(line);
    ASSERT_TRUE(row) << line;
    std::string payload = (*row)["payload"].as_string().value_or("");
    if ((*row)["bytes"].equals_string("latin1")) payload = as_bytes(payload);
    const Answer answer = run("exec $grapnel", payload);
    const bool is_dangerous = (*row)["dangerous"].as_bool() == true;
    const bool is_right = is_dangerous ? answer.objects() || answer.has_failed() : !answer.objects();
    EXPECT_EQ(is_right, !(*row)["missed"]) << line << "\n" << answer.status << answer.out << answer.err;
  }
  EXPECT_GT(rows, 100U);
}

/// What is no JSON object is an error that the agent shows.
TEST_F(OddEvents, WhatIsNoPayloadIsAnErrorThatIsShown) {
  for (const char* payload : {"", "   ", "{", "[]", "null", "7", "\"text\"", R"({"hook_event_name":"PreToolUse",})",
                              R"({"tool_name":"Bash"})", "{\"hook_event_name\":\"PreToolUse\"\n"}) {
    const Answer answer = run("exec $grapnel", payload);
    EXPECT_TRUE(answer.has_failed()) << payload << ": " << answer.status << answer.out << answer.err;
  }
}

/// A caller whose state would take something away from the command: the status of its hooks, its files, its stack.
TEST_F(OddEvents, EveryCallerGetsItsVerdict) {
  struct Case {
    const char* note;
    const char* script;
    const char* payload;
  };
  const Case cases[] = {
      {"nothing odd", "exec $grapnel", kTouch},
      {"ignores SIGCHLD, so that statuses are lost", "trap '' CHLD; exec $grapnel", kTouch},
      {"ignores every signal", "trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2 CHLD XFSZ; exec $grapnel", kTouch},
#ifndef __SANITIZE_THREAD__  // whose own memory is a file that has to grow
      {"allows no file to grow", "ulimit -f 0; exec $grapnel | cat", kRemove},
      {"takes the answer in a file that may not grow", "ulimit -f 0; $grapnel > out; test $? = 2 && echo '\"deny\"'",
       kRemove},
#endif
      {"has a small stack", "ulimit -s " GRAPNEL_SMALL_STACK "; exec $grapnel", kRemove},
      {"has a small stack, and the hook is a process", "ulimit -s " GRAPNEL_SMALL_STACK "; exec $grapnel", kTouch},
      {"allows few open files", "ulimit -n 16; exec $grapnel", kRemove},
      {"has no standard error", "exec $grapnel 2>&-", kRemove},
  };
  for (const Case& c : cases) {
    const Answer answer = run(c.script, c.payload);
    EXPECT_TRUE(answer.objects()) << c.note << ": " << answer.status << answer.out << answer.err;
  }
}

TEST_F(OddEvents, WithoutAHomeTheAgentLearnsThatGuardsAreMissing) {
  // A repository may set XDG_CONFIG_HOME, so it does not stand in for the home directory.
  for (const char* script : {"exec $grapnel", "XDG_CONFIG_HOME=$PWD/.config exec $grapnel"}) {
    const Answer answer = run(script, kRemove, false);
    EXPECT_TRUE(answer.has_failed() || answer.objects()) << script << answer.status << answer.out << answer.err;
  }
}

}  // namespace
}  // namespace grapnel
