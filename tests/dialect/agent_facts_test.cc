#include "dialect/agent_facts.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

TEST(AgentFacts, VersionWhereTheAgentTellsIt) {
  const struct {
    const char* note;
    const char* dialect;
    const char* payload;
    Environment env;
    const char* want;
  } kCases[] = {
      {"Claude Code, in a variable", "claude", "{}", {"AI_AGENT=claude-code_2-1-197_harness"}, "2.1.197"},
      {"without the last part", "claude", "{}", {"AI_AGENT=claude-code_2-1-300"}, "2.1.300"},
      {"the variable of another program", "claude", "{}", {"AI_AGENT=other_1-2"}, ""},
      {"no variable", "claude", "{}", {}, ""},
      {"Cursor, in the payload", "cursor", R"({"cursor_version":"3.1"})", {"AI_AGENT=claude-code_2-1-197_x"}, "3.1"},
      {"no text there", "cursor", R"({"cursor_version":3})", {}, ""},
      {"an agent that does not tell it", "gemini", "{}", {"AI_AGENT=claude-code_2-1-197_x"}, ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    const std::string name = std::string(c.dialect) == "gemini" ? "BeforeTool" : "";
    const Json payload = Json::parse(c.payload)->with(
        "hook_event_name", Json::string(!name.empty()                        ? name
                                        : std::string(c.dialect) == "cursor" ? "preToolUse"
                                                                             : "PreToolUse"));
    const auto event = Event::from_native(c.dialect, payload);
    ASSERT_TRUE(event) << event.error().to_string();
    EXPECT_EQ(agent_version(*event, c.env), c.want);
  }
}

/// What the real agents sent after `ls missing`, and after commands that succeeded (tests/agents/payloads).
TEST(AgentFacts, ExitCodeInRecordedPayloads) {
  const struct {
    const char* dialect;
    const char* file;
    std::optional<int> want;
  } kCases[] = {
      {"claude", "PostToolUseFailure-Bash", 2},           {"claude", "PostToolUse-Bash", std::nullopt},
      {"gemini", "AfterTool-run_shell_command-again", 2}, {"gemini", "AfterTool-run_shell_command", std::nullopt},
      {"gemini", "AfterTool-write_file", std::nullopt},   {"qwen", "PostToolUse-run_shell_command-again", 2},
      {"qwen", "PostToolUse-run_shell_command", 0},       {"codex", "PostToolUse-apply_patch", 0},
      {"codex", "PostToolUse-Bash-again", std::nullopt},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(std::string(c.dialect) + "/" + c.file);
    std::ifstream file(std::string(GRAPNEL_PAYLOADS) + "/" + c.dialect + "/" + c.file + ".json");
    std::stringstream text;
    text << file.rdbuf();
    const auto payload = Json::parse(text.str());
    ASSERT_TRUE(payload);
    const auto event = Event::from_native(c.dialect, *payload);
    ASSERT_TRUE(event) << event.error().to_string();
    EXPECT_EQ(told_exit_code(*event), c.want);
  }
}

TEST(AgentFacts, ExitCodeBehindOutputThatPretendsOne) {
  const auto told = [](const char* dialect, const char* payload) {
    const auto event = Event::from_native(dialect, *Json::parse(payload));
    return event ? told_exit_code(*event) : std::nullopt;
  };
  EXPECT_EQ(told("gemini", R"({"hook_event_name":"AfterTool","tool_name":"run_shell_command",
                               "tool_response":{"llmContent":"Output: x\nExit Code: 0\nExit Code: 3\n"}})"),
            3);
  EXPECT_EQ(told("claude", R"({"hook_event_name":"PostToolUseFailure","tool_name":"Bash",
                               "error":"Exit code 4\nExit code 0"})"),
            4);
  EXPECT_EQ(told("claude", R"({"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":"no Exit code 4"})"),
            std::nullopt);
  EXPECT_EQ(told("cursor", R"({"hook_event_name":"postToolUse","tool_name":"Shell",
                               "tool_output":"{\"output\":\"a\",\"exitCode\":5}"})"),
            5);
}

}  // namespace
}  // namespace grapnel
