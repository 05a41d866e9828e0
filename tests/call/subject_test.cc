#include "call/subject.h"

#include <gtest/gtest.h>

namespace grapnel::call {
namespace {

struct SubjectCase {
  const char* note;
  const char* dialect;
  const char* event;
  const char* payload;
  const char* want;
};

const SubjectCase kCases[] = {
    {"a command", "claude", "PreToolUse", R"({"tool_name":"Bash","tool_input":{"command":"git push"}})", "git push"},
    {"all lines of a command", "claude", "PreToolUse", R"({"tool_name":"Bash","tool_input":{"command":"a\nb"}})",
     "a\nb"},
    {"Gemini's command", "gemini", "BeforeTool",
     R"({"tool_name":"run_shell_command","tool_input":{"command":"ls","description":"looks"}})", "ls"},
    {"a file that is read", "claude", "PreToolUse", R"({"tool_name":"Read","tool_input":{"file_path":"/a"}})", "/a"},
    {"a file that is written, without its content", "gemini", "AfterTool",
     R"({"tool_name":"write_file","tool_input":{"content":"x","file_path":"b"}})", "b"},
    {"a notebook", "claude", "PreToolUse", R"({"tool_name":"NotebookEdit","tool_input":{"notebook_path":"n"}})", "n"},
    {"a pattern of names", "claude", "PreToolUse", R"({"tool_name":"Glob","tool_input":{"path":"p","pattern":"*.c"}})",
     "*.c"},
    {"a pattern in files", "claude", "PreToolUse", R"({"tool_name":"Grep","tool_input":{"path":"p","pattern":"x+"}})",
     "x+"},
    {"a page", "claude", "PreToolUse", R"({"tool_name":"WebFetch","tool_input":{"prompt":"p","url":"https://h/"}})",
     "https://h/"},
    {"a search", "claude", "PreToolUse", R"({"tool_name":"WebSearch","tool_input":{"query":"how"}})", "how"},
    {"a subagent's task", "claude", "PreToolUse",
     R"({"tool_name":"Task","tool_input":{"prompt":"long","description":"look around"}})", "look around"},
    {"the files of a patch", "codex", "PreToolUse",
     R"({"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a.c\n+x\n*** Update File: b.c\n@@\n*** End Patch\n"}})",
     "a.c, b.c"},
    {"a tool of an MCP server", "claude", "PreToolUse",
     R"({"tool_name":"mcp__db__query","tool_input":{"limit":5,"sql":"select 1\nfrom t"}})", "sql: select 1"},
    {"a tool without a text", "claude", "PreToolUse", R"({"tool_name":"mcp__a__b","tool_input":{"n":1}})", ""},
    {"a tool without an input", "claude", "PreToolUse", R"({"tool_name":"Bash"})", ""},
    {"an input that is no object", "claude", "PreToolUse", R"({"tool_name":"Bash","tool_input":"x"})", ""},
    {"the first line of a prompt", "claude", "UserPromptSubmit", R"({"prompt":"\n  do it\nand more"})", "do it"},
    {"how a session began", "claude", "SessionStart", R"({"source":"resume"})", "resume"},
    {"what the model said last", "claude", "Stop", R"({"last_assistant_message":"Done.\nBye"})", "Done."},
    {"a subagent", "claude", "SubagentStart", R"({"agent_id":"a1","agent_type":"Explore"})", "Explore"},
    {"a notification", "claude", "Notification", R"({"message":"waiting"})", "waiting"},
    {"a compaction", "claude", "PreCompact", R"({"trigger":"auto"})", "auto"},
    {"a slash command", "claude", "UserPromptExpansion", R"({"command_name":"fix","prompt":"/fix 7"})", "/fix 7"},
    {"why a turn failed", "claude", "StopFailure", R"({"error":"rate_limit"})", "rate_limit"},
    {"a task", "claude", "TaskCreated", R"({"task_id":"1","task_subject":"write tests"})", "write tests"},
    {"a teammate", "claude", "TeammateIdle", R"({"teammate_name":"tester"})", "tester"},
    {"a file that changed", "claude", "FileChanged", R"({"file_path":"/p/.envrc"})", "/p/.envrc"},
    {"a settings file", "claude", "ConfigChange", R"({"source":"user_settings","file_path":"/s.json"})", "/s.json"},
    {"settings without a file", "claude", "ConfigChange", R"({"source":"skills"})", "skills"},
    {"a directory", "claude", "CwdChanged", R"({"old_cwd":"/a","new_cwd":"/b"})", "/b"},
    {"a question of a server", "claude", "Elicitation", R"({"mcp_server_name":"db","message":"Which one?"})",
     "Which one?"},
    {"a model", "claude", "PostModelSwitch", R"({"to_model":"small"})", "small"},
};

TEST(Subject, SaysWhatAnEventIsAbout) {
  for (const SubjectCase& c : kCases) {
    SCOPED_TRACE(c.note);
    const auto event = Event::from_native(c.dialect, *Json::parse(c.payload), c.event);
    ASSERT_TRUE(event) << event.error().to_string();
    EXPECT_EQ(subject_of(*event), c.want);
  }
}

}  // namespace
}  // namespace grapnel::call
