#include <algorithm>

#include <gtest/gtest.h>

#include "bridge/fire_support.h"

/// An agent that tells one call twice: by two of its events, or by its own settings and another agent's.
namespace grapnel::testing {

namespace {

constexpr const char* kCursorBoth =
    R"("conversation_id":"c1","session_id":"c1","cursor_version":"2026.09","workspace_roots":["@P@"])";

class DoubleFiring : public ::testing::Test {
 protected:
  /// Hooks that leave a mark each time they run.
  void put_hook(const std::string& rest) const {
    world_.put_rules("version: 1\nhooks:\n  - name: h\n    on: [PreToolUse, UserPromptSubmit, PostToolUse]\n" + rest);
  }
  std::string marking(const std::string& then) const {
    return "    run: echo x >> '" + (world_.dir() / "marks") + "'; " + then + "\n";
  }
  size_t runs() const {
    const std::string marks = world_.dir().read("marks");
    return static_cast<size_t>(std::ranges::count(marks, '\n'));
  }
  std::string cursor(const std::string& event, const std::string& members) const {
    std::string text = std::string("{") + kCursorBoth + R"(,"hook_event_name":")" + event + "\"," + members + "}";
    text.replace(text.find("@P@"), 3, world_.dir() / "project");
    return text;
  }
  ChildSpec fire(const std::string& as, const std::string& payload, const std::string& event = "") const {
    std::vector<std::string> args = {"--as", as};
    if (!event.empty()) args.push_back(event);
    return world_.fire(args, payload);
  }

  BridgeWorld world_;
};

TEST_F(DoubleFiring, OneCallAtTwoEventsIsDecidedOnce) {
  put_hook(marking("echo no >&2; exit 2"));
  const auto general = world_.run_one(
      {"--as", "cursor"},
      cursor("preToolUse", R"("tool_name":"Shell","tool_input":{"command":"rm x","cwd":"/w"},"tool_use_id":"t1")"));
  const auto shell =
      world_.run_one({"--as", "cursor"}, cursor("beforeShellExecution", R"("command":"rm x","cwd":"/w")"));
  EXPECT_NE(general.out.find(R"("permission":"deny")"), std::string::npos) << general.out << general.err;
  EXPECT_NE(shell.out.find(R"("permission":"deny")"), std::string::npos) << shell.out << shell.err;
  EXPECT_NE(shell.out.find(R"("agent_message":"no")"), std::string::npos);
  EXPECT_EQ(runs(), 1U);
  const auto records = world_.records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1]["origin"].as_string(), "remembered");
  EXPECT_NE(records[1]["hooks"].at(0)["detail"].as_string()->find("reported the same call before"), std::string::npos);
}

TEST_F(DoubleFiring, WhatIsAnotherCallIsDecidedAgain) {
  put_hook(marking("true"));
  const std::string call = R"("tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":")";
  const struct {
    const char* note;
    std::string payload;
    size_t runs;
  } steps[] = {
      {"a first call", cursor("preToolUse", call + "t1\""), 1},
      {"the same once more at the other event", cursor("beforeShellExecution", R"("command":"ls")"), 1},
      {"another id is another call", cursor("preToolUse", call + "t2\""), 2},
      {"and has its own second event", cursor("beforeShellExecution", R"("command":"ls")"), 2},
      {"which comes once", cursor("beforeShellExecution", R"("command":"ls")"), 3},
      {"another command", cursor("beforeShellExecution", R"("command":"pwd")"), 4},
  };
  for (const auto& step : steps) {
    SCOPED_TRACE(step.note);
    const Fired fired = world_.run_one({"--as", "cursor"}, step.payload);
    EXPECT_EQ(fired.exit, 0) << fired.err;
    EXPECT_EQ(runs(), step.runs);
  }
}

TEST_F(DoubleFiring, AnotherAgentsSettingsTellTheSameCall) {
  put_hook(marking("echo no >&2; exit 2"));
  const std::string project = world_.dir() / "project";
  const std::string own = R"({"sessionId":"s1","timestamp":1,"cwd":")" + project +
                          R"(","toolName":"bash","toolArgs":{"command":"rm x","description":"d"}})";
  const std::string claudes = R"({"hook_event_name":"PreToolUse","session_id":"s1","cwd":")" + project +
                              R"(","tool_name":"Bash","tool_input":{"command":"rm x","description":"d"}})";
  const Fired first = world_.run({fire("copilot", own, "preToolUse")}).front();
  const Fired second = world_.run({fire("claude", claudes)}).front();
  EXPECT_NE(first.out.find(R"("permissionDecision":"deny")"), std::string::npos) << first.out << first.err;
  EXPECT_NE(second.out.find(R"("permissionDecision":"deny")"), std::string::npos) << second.out << second.err;
  EXPECT_EQ(runs(), 1U);
}

TEST_F(DoubleFiring, AtTheSameMomentOneDecides) {
  put_hook(marking("sleep 0.04; echo no >&2; exit 2"));
  for (int round = 0; round < 5; ++round) {
    const std::string command = "\"rm " + std::to_string(round) + "\"";
    const auto ended = BridgeWorld::run(
        {fire("cursor", cursor("preToolUse", R"("tool_name":"Shell","tool_input":{"command":)" + command + "}")),
         fire("claude", cursor("beforeShellExecution", R"("command":)" + command))});
    for (const Fired& fired : ended) {
      EXPECT_NE(fired.out.find(R"("permission":"deny")"), std::string::npos) << fired.out << fired.err;
    }
    EXPECT_EQ(runs(), static_cast<size_t>(round) + 1);
  }
}

TEST_F(DoubleFiring, ARewriteIsToldOnce) {
  put_hook("    rewrite: { input: { /command: 'ls -l' } }\n");
  const auto general =
      world_.run_one({"--as", "cursor"}, cursor("preToolUse", R"("tool_name":"Shell","tool_input":{"command":"ls"})"));
  EXPECT_EQ(general.out, "{\"updated_input\":{\"command\":\"ls -l\"}}\n") << general.err;
  const auto shell = world_.run_one({"--as", "cursor"}, cursor("beforeShellExecution", R"("command":"ls -l")"));
  EXPECT_EQ(shell.out, "{}\n") << "the changed command comes back, and nobody changes it twice" << shell.err;
}

TEST_F(DoubleFiring, ADeadDeciderIsNotWaitedFor) {
  put_hook(marking("kill -9 $PPID"));
  const std::string call = cursor("preToolUse", R"("tool_name":"Shell","tool_input":{"command":"ls"})");
  EXPECT_EQ(world_.run_one({"--as", "cursor"}, call).exit, -1);
  put_hook(marking("true"));
  EXPECT_EQ(world_.run_one({"--as", "cursor"}, cursor("beforeShellExecution", R"("command":"ls")")).exit, 0);
  EXPECT_EQ(runs(), 2U);
}

TEST_F(DoubleFiring, FilesTheAgentRunsItselfAreLeftOut) {
  const auto hook = [&](const std::string& mark) {
    return R"({"type":"command","command":"echo )" + mark + " >> '" + (world_.dir() / "marks") + "'\"}";
  };
  world_.dir().put("home/.claude/settings.json", R"({"hooks":{"Stop":[{"hooks":[)" + hook("claude") + "]}]}}");
  world_.dir().put("home/.cursor/hooks.json", R"({"version":1,"hooks":{"stop":[)" + hook("cursor") + "]}}");
  world_.dir().put("home/.gemini/settings.json", R"({"hooks":{"AfterAgent":[{"hooks":[)" + hook("gemini") + "]}]}}");
  const struct {
    const char* as;
    std::string payload;
    const char* ran;
  } cases[] = {
      {"claude", R"({"hook_event_name":"Stop","session_id":"a"})", "gemini\ncursor\n"},
      {"cursor", R"({"hook_event_name":"stop","session_id":"b"})", "gemini\n"},
      {"gemini", R"({"hook_event_name":"AfterAgent","session_id":"c"})", "claude\ncursor\n"},
      {"kimi", R"({"hook_event_name":"Stop","session_id":"d"})", "gemini\nclaude\ncursor\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.as);
    world_.dir().put("marks", "");
    EXPECT_EQ(world_.run_one({"--as", c.as}, c.payload).exit, 0);
    std::string got = world_.dir().read("marks");
    std::vector<std::string> lines;
    for (const char* name : {"gemini", "claude", "cursor"}) {
      if (got.find(name) != std::string::npos) lines.emplace_back(name);
    }
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    EXPECT_EQ(all, c.ran) << got;
  }
}

}  // namespace

}  // namespace grapnel::testing
