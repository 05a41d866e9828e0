#include "agent/tool_bench.h"
#include "dialect/dialect.h"
#include "net/loopback_server.h"

namespace grapnel::agent {

namespace {

/// A call in an agent's own words, and what comes of it: the text, or what is in a file afterwards.
struct ToolDialectCase {
  const char* dialect;
  const char* name;
  const char* input;
  const char* text;
  const char* after = "one\ntwo\nthree\n";  ///< what d/a.txt has then
};

constexpr const char* kEdited = "one\n2\nthree\n";
constexpr const char* kWritten = "new";

const ToolDialectCase kCases[] = {
    {"canonical", "Bash", R"({"command": "echo hi", "timeout": 60000})", "hi"},
    {"canonical", "Read", R"({"file_path": "d/a.txt", "offset": 3, "limit": 1})", "three\n"},
    {"canonical", "Write", R"({"file_path": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"canonical", "Edit", R"({"file_path": "d/a.txt", "old_string": "two", "new_string": "2"})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"canonical", "Glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"canonical", "Grep", R"({"pattern": "t", "path": "d", "glob": "*.txt"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"canonical", "WebFetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"canonical", "Task", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"canonical", "TodoWrite", R"({"todos": [{"content": "c", "status": "completed"}]})", "[x] 1. c"},

    {"claude", "Bash", R"({"command": "echo hi", "timeout": 60000, "description": "greet"})", "hi"},
    {"claude", "Read", R"({"file_path": "d/a.txt", "offset": 3, "limit": 1})", "three\n"},
    {"claude", "Write", R"({"file_path": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"claude", "Edit", R"({"file_path": "d/a.txt", "old_string": "two", "new_string": "2", "replace_all": true})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"claude", "Glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"claude", "Grep", R"({"pattern": "T", "-i": true, "glob": "*.txt", "output_mode": "content"})",
     "d/a.txt:2:two\nd/a.txt:3:three"},
    {"claude", "WebFetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"claude", "Agent", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"claude", "TodoWrite", R"({"todos": [{"content": "c", "status": "completed", "activeForm": "doing c"}]})",
     "[x] 1. c"},

    {"gemini", "run_shell_command", R"({"command": "basename $PWD", "dir_path": "d", "is_background": false})", "d"},
    {"gemini", "read_file", R"({"file_path": "d/a.txt", "start_line": 3})", "three\n"},
    {"gemini", "read_file", R"({"absolute_path": "d/a.txt", "offset": 3, "limit": 1})", "three\n"},
    {"gemini", "write_file", R"({"file_path": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"gemini", "replace",
     R"({"file_path": "d/a.txt", "instruction": "i", "old_string": "two", "new_string": "2", "allow_multiple": true})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"gemini", "glob", R"({"pattern": "*", "dir_path": "d"})", "d/a.txt"},
    {"gemini", "grep_search", R"({"pattern": "t", "dir_path": "d", "include": "*.txt"})",
     "d/a.txt:2:two\nd/a.txt:3:three"},
    {"gemini", "grep_search", R"({"pattern": "t", "include_pattern": "*.md"})", "no line matches"},
    {"gemini", "web_fetch", R"({"prompt": "What does URL say?"})", "page"},
    {"gemini", "invoke_agent", R"({"agent_name": "explore", "prompt": "p"})", "explore: p"},
    {"gemini", "write_todos", R"({"todos": [{"description": "c", "status": "completed"}]})", "[x] 1. c"},

    {"qwen", "run_shell_command", R"({"command": "basename $PWD", "directory": "d", "is_background": false})", "d"},
    {"qwen", "read_file", R"({"absolute_path": "d/a.txt", "offset": 3, "limit": 1})", "three\n"},
    {"qwen", "write_file", R"({"file_path": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"qwen", "edit", R"({"file_path": "d/a.txt", "old_string": "two", "new_string": "2"})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"qwen", "glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"qwen", "grep_search", R"({"pattern": "t", "path": "d", "glob": "*.txt"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"qwen", "web_fetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"qwen", "agent", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"qwen", "todo_write", R"({"todos": [{"id": "7", "content": "c", "status": "completed"}]})", "[x] 7. c"},

    {"kimi", "Shell", R"({"command": "echo hi", "timeout": 60})", "hi"},
    {"kimi", "ReadFile", R"({"path": "d/a.txt", "line_offset": 3, "n_lines": 1})", "three\n"},
    {"kimi", "WriteFile", R"({"path": "d/a.txt", "content": "four\n", "mode": "append"})",
     "extended d/a.txt (19 bytes)", "one\ntwo\nthree\nfour\n"},
    {"kimi", "StrReplaceFile", R"({"path": "d/a.txt", "edit": {"old": "two", "new": "2", "replace_all": false}})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"kimi", "Glob", R"({"pattern": "*", "directory": "d"})", "d/a.txt"},
    {"kimi", "Grep", R"({"pattern": "t", "path": "d", "glob": "*.txt"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"kimi", "FetchURL", R"({"url": "URL"})", "page"},
    {"kimi", "Agent", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"kimi", "Task", R"({"description": "d", "prompt": "p", "subagent_name": "explore"})", "explore: p"},
    {"kimi", "SetTodoList", R"({"todos": [{"title": "c", "status": "done"}]})", "[x] 1. c"},

    {"codex", "Bash", R"({"command": "echo hi"})", "hi"},
    {"codex", "spawn_agent", R"({"task_name": "d", "message": "p", "agent_type": "explore"})", "explore: p"},
    {"codex", "update_plan", R"({"explanation": "e", "plan": [{"step": "c", "status": "completed"}]})", "[x] 1. c"},

    {"cursor", "Shell", R"({"command": "echo hi"})", "hi"},
    {"cursor", "Read", R"({"file_path": "d/a.txt"})", "one\ntwo\nthree\n"},
    {"cursor", "Write", R"({"file_path": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"cursor", "StrReplace", R"({"file_path": "d/a.txt", "old_string": "two", "new_string": "2"})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"cursor", "Glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"cursor", "Grep", R"({"pattern": "t", "path": "d"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"cursor", "WebFetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"cursor", "Task", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"cursor", "TodoWrite", R"({"todos": [{"content": "c", "status": "completed"}]})", "[x] 1. c"},

    {"copilot", "bash", R"({"command": "echo hi"})", "hi"},
    {"copilot", "view", R"({"path": "d/a.txt"})", "one\ntwo\nthree\n"},
    {"copilot", "create", R"({"path": "d/a.txt", "file_text": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"copilot", "edit", R"({"path": "d/a.txt", "old_str": "two", "new_str": "2"})", "edited d/a.txt (1 replacement)",
     kEdited},
    {"copilot", "glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"copilot", "grep", R"({"pattern": "t", "path": "d"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"copilot", "web_fetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"copilot", "task", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"copilot", "update_todo", R"({"todos": [{"content": "c", "status": "completed"}]})", "[x] 1. c"},

    {"copilot-vscode", "Bash", R"({"command": "echo hi"})", "hi"},
    {"copilot-vscode", "Read", R"({"path": "d/a.txt"})", "one\ntwo\nthree\n"},
    {"copilot-vscode", "Write", R"({"path": "d/a.txt", "file_text": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"copilot-vscode", "Edit", R"({"path": "d/a.txt", "old_str": "two", "new_str": "2"})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"copilot-vscode", "Glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"copilot-vscode", "Grep", R"({"pattern": "t", "path": "d"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"copilot-vscode", "WebFetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"copilot-vscode", "Agent", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"copilot-vscode", "TodoWrite", R"({"todos": [{"content": "c", "status": "completed"}]})", "[x] 1. c"},

    {"opencode", "bash", R"({"command": "echo hi"})", "hi"},
    {"opencode", "read", R"({"filePath": "d/a.txt"})", "one\ntwo\nthree\n"},
    {"opencode", "write", R"({"filePath": "d/a.txt", "content": "new"})", "replaced d/a.txt (3 bytes)", kWritten},
    {"opencode", "edit", R"({"filePath": "d/a.txt", "oldString": "two", "newString": "2"})",
     "edited d/a.txt (1 replacement)", kEdited},
    {"opencode", "glob", R"({"pattern": "*", "path": "d"})", "d/a.txt"},
    {"opencode", "grep", R"({"pattern": "t", "path": "d"})", "d/a.txt:2:two\nd/a.txt:3:three"},
    {"opencode", "webfetch", R"({"url": "URL", "prompt": "what?"})", "page"},
    {"opencode", "task", R"({"description": "d", "prompt": "p", "subagent_type": "explore"})", "explore: p"},
    {"opencode", "todowrite", R"({"todos": [{"content": "c", "status": "completed"}]})", "[x] 1. c"},
};

/// Dialects whose tools are, name by name and argument by argument, another one's.
constexpr std::pair<std::string_view, std::string_view> kSame[] = {
    {"blade", "canonical"}, {"clawd", "canonical"}, {"grapnel", "canonical"}, {"agenthooks", "kimi"}};

std::string_view model_of(std::string_view dialect) {
  const auto* const same = std::ranges::find(kSame, dialect, &std::pair<std::string_view, std::string_view>::first);
  return same == std::end(kSame) ? dialect : same->second;
}

std::string with_url(std::string text, const std::string& url) {
  if (const size_t at = text.find("URL"); at != std::string::npos) text.replace(at, 3, url);
  return text;
}

void run(const ToolDialectCase& c, std::string_view dialect) {
  SCOPED_TRACE(std::string(dialect) + ' ' + c.name + ' ' + c.input);
  const testing::LoopbackServer server({{.headers = {{"Content-Type", "text/plain"}}, .body = "page"}});
  ToolBench bench;
  bench.dir.put("work/d/a.txt", "one\ntwo\nthree\n");
  bench.context.allow_private_hosts = true;
  bench.context.run_subagent = [](const SubagentTask& task) {
    return ToolResult{.text = task.type + ": " + task.prompt};
  };
  const NamedCall call =
      in_dialect({std::string(dialect), c.name, parse(with_url(c.input, server.url("/p")))}, "canonical");
  const ToolKind kind = tool_kind(call.name, "canonical");
  const ToolResult result = bench.call(kind, call.input);
  EXPECT_TRUE(result.success()) << to_string(result.failure);
  EXPECT_EQ(result.text, c.text);
  EXPECT_EQ(bench.content("work/d/a.txt"), c.after);
}

TEST(ToolDialects, EveryAgentsCallsRun) {
  for (const ToolDialectCase& c : kCases) run(c, c.dialect);
  for (const auto& [dialect, model] : kSame) {
    for (const ToolDialectCase& c : kCases) {
      if (c.dialect == model && tool_kind(c.name, dialect) != ToolKind::Other) run(c, dialect);
    }
  }
}

TEST(ToolDialects, NoToolOfADialectIsForgotten) {
  for (const Dialect* dialect : all_dialects()) {
    for (const Tool& tool : built_in_tools()) {
      const std::string_view name = tool_name(tool.kind, dialect->name);
      if (name.empty()) continue;
      SCOPED_TRACE(std::string(dialect->name) + ' ' + std::string(name));
      EXPECT_TRUE(std::ranges::any_of(
          kCases, [&](const ToolDialectCase& c) { return c.dialect == model_of(dialect->name) && c.name == name; }));
    }
  }
}

/// What a model is told about a tool and what the tool takes are the same thing in other words.
TEST(ToolDialects, CallsFitTheDeclaredSchema) {
  for (const ToolDialectCase& c : kCases) {
    SCOPED_TRACE(std::string(c.dialect) + ' ' + c.name + ' ' + c.input);
    const Tool tool = ToolBench::tool(tool_kind(c.name, c.dialect));
    if (tool_name(tool.kind, c.dialect) != c.name) continue;
    const Json schema = schema_in_dialect(tool.name, tool.schema, c.dialect);
    const bool is_old = parse(c.input)["absolute_path"].is_string();
    EXPECT_EQ(violation(parse(c.input), schema).value_or(""), is_old ? "/file_path is missing" : "");
    for (const Json& name : schema["required"].elements()) {
      EXPECT_TRUE(schema["properties"][name.as_string().value_or("")]) << schema.dump();
    }
  }
}

}  // namespace

}  // namespace grapnel::agent
