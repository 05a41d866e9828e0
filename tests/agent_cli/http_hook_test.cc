#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "grapnel/json.h"

#include "net/loopback_server.h"
#include "os/patience.h"
#include "os/temp_dir.h"
#include "run/supervisor.h"

// Http hooks through the command, which has its sibling send them.

namespace grapnel::testing {
namespace {

using Server = LoopbackServer;

class FireHttpTest : public ::testing::Test {
 protected:
  /// Fires at Claude's PreToolUse with that one hook; the decision.
  Json fire(const std::string& url, const std::string& more = "", const std::string& program = GRAPNEL_COMMAND) {
    dir_.put("home/.claude/settings.json",
             R"({"allowedHttpHookUrls": ["http://127.0.0.1:*", "*"], "hooks": {"PreToolUse": [{"hooks": [
                 {"type": "http", "url": ")" +
                 url + "\"" + more + "}]}]}}");
    dir_.put("project/README", "");
    ChildSpec child;
    child.path = program;
    child.argv = {"grapnel", "fire", "--as", "claude", "--json"};
    child.env = {"HOME=" + (dir_ / "home"), "PATH=/usr/bin:/bin", "TOKEN=t0p", "XDG_STATE_HOME=" + (dir_ / "state"),
                 "XDG_RUNTIME_DIR=" + (dir_ / "run")};
    child.cwd = dir_ / "project";
    child.stdin_bytes = std::make_shared<const std::string>(
        R"({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}})");
    child.timeout = std::chrono::minutes(5);
    const RunOutcome ended = run_children({&child, 1}, 1, {}, {}).front();
    const auto decision = Json::parse(ended.out.bytes);
    EXPECT_TRUE(decision.has_value()) << describe(ended.ending) << ended.out.bytes << ended.err.bytes;
    return decision.value_or(Json());
  }

  /// The command in a directory without its sibling.
  std::string alone() const {
    const std::string program = dir_ / "bin/grapnel";
    std::filesystem::create_directories(dir_ / "bin");
    for (const char* part : {"", "-engine"}) {
      std::filesystem::copy_file(std::string(GRAPNEL_COMMAND) + part, program + part);
    }
    return program;
  }

  static std::string detail(const Json& decision) { return decision["hooks"].at(0)["detail"].as_string().value_or(""); }

  TempDir dir_;
};

TEST_F(FireHttpTest, PostsAndAnswers) {
  Server server({{.body = R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                     "permissionDecisionReason": "not \u0000 today é"}})"}});
  const Json decision = fire(server.url("/a?k=v"), R"(, "headers": {"X": "$TOKEN"}, "allowedEnvVars": ["TOKEN"])");
  EXPECT_TRUE(decision["verdict"].equals_string("deny")) << decision.dump();
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests().front().header("x"), "t0p");
  EXPECT_EQ(Json::parse(server.requests().front().body).value_or(Json())["tool_name"].as_string(), "Bash");
}

struct HttpCase {
  const char* note;
  Server::Answer answer;
  const char* want;
  const char* timeout = "200";
};

TEST_F(FireHttpTest, WhatFailsIsToldAsByTheLibrary) {
  using Ending = Server::Ending;
  const HttpCase cases[] = {
      {"redirects", {.status = 302, .headers = {{"Location", "http://127.0.0.1:1/"}}}, "status 302, 0 bytes from "},
      {"answers text", {.body = "hello"}, "its answer is not a JSON object: hello"},
      {"answers bytes", {.body = "\xff\xfe"}, "its answer is not a JSON object: "},
      {"says too much", {.body = std::string(3 << 20, 'x')}, "larger than"},
      {"breaks off", {.body = "{", .ending = Ending::Cut}, "no reply: http://127.0.0.1:"},
      {"hangs", {.ending = Ending::Hang, .silent = true}, "timed out after 300 ms", "0.3"},
  };
  for (const HttpCase& c : cases) {
    SCOPED_TRACE(c.note);
    Server server({c.answer});
    const Json decision = fire(server.url("/"), std::string(R"(, "onFailure": "block", "timeout": )") + c.timeout);
    EXPECT_NE(detail(decision).find(c.want), std::string::npos) << decision.dump();
    EXPECT_TRUE(decision["verdict"].equals_string("deny"));
  }
}

TEST_F(FireHttpTest, ThisMachineIsRefused) {
  Server server({{.body = ""}});
  const std::string url = "http://localhost" + server.url("/").substr(server.url().rfind(':'));
  EXPECT_EQ(detail(fire(url)), "not sent: " + url + ": hooks may not post to this machine or to private networks");
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(FireHttpTest, WithoutTheSiblingItFailsAndSaysSo) {
  EXPECT_NE(detail(fire("https://policy.test/", "", alone())).find("grapnel-agent is not installed"),
            std::string::npos);
}

/// What runs with this directory as its state.
size_t count_running(const std::string& state) {
  size_t count = 0;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};
    count += environment.contains("XDG_STATE_HOME=" + state + '\0') ? 1 : 0;
  }
  return count;
}

// The program that sends the request is a child like that of a command: nothing of it is left after the deadline.
TEST_F(FireHttpTest, NothingOfTheSiblingIsLeftAfterTheDeadline) {
  const std::string program = alone();
  const std::string ready = dir_ / "ready";
  const char* const ways[] = {
      "setsid sh -c ': >$ready; exec sleep 600' & exec sleep 600",
      "(setsid sh -c '(: >$ready; exec sleep 600) & exit 0' &) ; exec sleep 600",
      "setsid sh -c 'trap \"\" TERM HUP INT; : >$ready; sleep 600; sleep 600' & exec sleep 600",
      "setsid sh -c ': >$ready; kill -STOP $$; exec sleep 600' & exec sleep 600",
      "export hop='test -e $ready && setsid sh -c \"$hop\" & exit 0'; : >$ready; sh -c \"$hop\" & exec sleep 600",
  };
  for (const std::string way : ways) {
    SCOPED_TRACE(way);
    dir_.put("bin/grapnel-agent", "#!/bin/sh\nexport ready=" + ready + "\n" + way + "\n");
    std::filesystem::permissions(dir_ / "bin/grapnel-agent", std::filesystem::perms::owner_all);
    // On a busy machine it takes longer until it has got away.
    for (int seconds = 1; !std::filesystem::exists(ready) && seconds < 200; seconds *= 2) {
      const Json decision = fire("https://policy.test/", ", \"timeout\": " + std::to_string(seconds), program);
      EXPECT_NE(detail(decision).find("timed out"), std::string::npos) << decision.dump();
    }
    EXPECT_TRUE(std::filesystem::remove(ready));
    EXPECT_TRUE(becomes_true([&] { return count_running(dir_ / "state") == 0; }));
  }
}

}  // namespace
}  // namespace grapnel::testing
