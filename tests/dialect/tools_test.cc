#include "dialect/tools.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "dialect/json_text.h"

namespace grapnel {

namespace {

struct NameCase {
  const char* note;
  const Dialect* from;
  const char* name;
  const Dialect* to;
  const char* want;
};

TEST(Tools, Names) {
  const NameCase cases[] = {
      {"shell", &kGeminiDialect, "run_shell_command", &kClawdDialect, "Bash"},
      {"shell, back", &kClawdDialect, "Bash", &kGeminiDialect, "run_shell_command"},
      {"edit", &kGeminiDialect, "replace", &kCanonicalDialect, "Edit"},
      {"two names of one kind", &kGeminiDialect, "read_many_files", &kClawdDialect, "Read"},
      {"the first is the one we write", &kClawdDialect, "Read", &kGeminiDialect, "read_file"},
      {"a kind the other does not have", &kGeminiDialect, "web_fetch", &kClawdDialect, "web_fetch"},
      {"a name nobody knows", &kGeminiDialect, "x_y", &kClawdDialect, "x_y"},
      {"names are exact", &kClawdDialect, "bash", &kGeminiDialect, "bash"},
      {"the same dialect", &kGeminiDialect, "glob", &kGeminiDialect, "glob"},
      {"", &kGeminiDialect, "", &kClawdDialect, ""},
  };
  for (const NameCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(translate_tool_name(*c.from, c.name, *c.to), c.want);
  }
}

struct McpCase {
  const char* note;
  const Dialect* from;
  const char* name;
  const char* context;
  const Dialect* to;
  const char* want;
};

TEST(Tools, NamesOfMcpServers) {
  const McpCase cases[] = {
      {"two underscores to one", &kClaudeDialect, "mcp__git__log", "{}", &kGeminiDialect, "mcp_git_log"},
      {"one to two", &kGeminiDialect, "mcp_git_log", "{}", &kCodexDialect, "mcp__git__log"},
      {"one form in many dialects", &kClaudeDialect, "mcp__git__log", "{}", &kBladeDialect, "mcp__git__log"},
      {"the tool alone", &kClaudeDialect, "mcp__git__log", "{}", &kKimiDialect, "log"},
      {"what is alone cannot be told from other tools", &kKimiDialect, "log", "{}", &kClaudeDialect, "log"},
      {"underscores of a tool", &kGeminiDialect, "mcp_git_log_all", "{}", &kQwenDialect, "mcp__git__log_all"},
      {"underscores of a server need the context", &kGeminiDialect, "mcp_my_git_log",
       R"({"server_name": "my_git", "tool_name": "log"})", &kClaudeDialect, "mcp__my_git__log"},
      {"without it the first one separates", &kGeminiDialect, "mcp_my_git_log", "{}", &kClaudeDialect,
       "mcp__my__git_log"},
      {"half a context is none", &kGeminiDialect, "mcp_my_git_log", R"({"server_name": "my_git"})", &kClaudeDialect,
       "mcp__my__git_log"},
      {"two underscores inside a tool", &kClaudeDialect, "mcp__git__a__b", "{}", &kGeminiDialect, "mcp_git_a__b"},
      {"what a name cannot have", &kGeminiDialect, "mcp_my_server_x",
       R"({"server_name": "my server", "tool_name": "x/y"})", &kClaudeDialect, "mcp__my_server__x_y"},
      {"dots, which most agents replace", &kGeminiDialect, "mcp_my.server_x.y",
       R"({"server_name": "my.server", "tool_name": "x.y"})", &kClaudeDialect, "mcp__my_server__x_y"},
      {"dots that an agent keeps", &kClaudeDialect, "mcp__my_server__x_y",
       R"({"server_name": "my.server", "tool_name": "x.y"})", &kGeminiDialect, "mcp_my.server_x.y"},
      {"no tool", &kClaudeDialect, "mcp__git__", "{}", &kGeminiDialect, "mcp__git__"},
      {"no server", &kGeminiDialect, "mcp__log", "{}", &kClaudeDialect, "mcp__log"},
      {"no separator", &kGeminiDialect, "mcp_log", "{}", &kClaudeDialect, "mcp_log"},
      {"the same dialect", &kGeminiDialect, "mcp_a_b", R"({"server_name": "x", "tool_name": "y"})", &kGeminiDialect,
       "mcp_a_b"},
  };
  for (const McpCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(translate_tool_name(*c.from, c.name, *c.to, parse(c.context)), c.want);
  }
}

struct InputCase {
  const char* note;
  const Dialect* from;
  const char* tool;
  const char* input;
  const Dialect* to;
  const char* want;
};

TEST(Tools, Arguments) {
  const InputCase cases[] = {
      {"renamed", &kGeminiDialect, "glob", R"({"pattern": "*", "dir_path": "/d"})", &kClawdDialect,
       R"({"pattern": "*", "path": "/d"})"},
      {"renamed, back", &kClawdDialect, "Grep", R"({"path": "/d", "glob": "*.c", "n": 1})", &kGeminiDialect,
       R"({"dir_path": "/d", "include": "*.c", "n": 1})"},
      {"the same everywhere", &kGeminiDialect, "write_file", R"({"file_path": "a", "content": "x"})", &kClawdDialect,
       R"({"file_path": "a", "content": "x"})"},
      {"a member of that name is not overwritten", &kGeminiDialect, "glob", R"({"dir_path": "/d", "path": "/p"})",
       &kClawdDialect, R"({"dir_path": "/d", "path": "/p"})"},
      {"an argument inside an argument", &kKimiDialect, "StrReplaceFile",
       R"({"path": "/a", "edit": {"old": "x", "new": "y"}})", &kClaudeDialect,
       R"({"file_path": "/a", "old_string": "x", "new_string": "y"})"},
      {"and back", &kClaudeDialect, "Edit", R"({"file_path": "/a", "old_string": "x", "new_string": "y"})",
       &kKimiDialect, R"({"path": "/a", "edit": {"old": "x", "new": "y"}})"},
      {"what else is in it stays there", &kKimiDialect, "StrReplaceFile", R"({"edit": {"old": "x", "why": "z"}})",
       &kClaudeDialect, R"({"old_string": "x", "edit": {"why": "z"}})"},
      {"a list of changes stays", &kKimiDialect, "StrReplaceFile", R"({"path": "/a", "edit": [{"old": "x"}]})",
       &kClaudeDialect, R"({"file_path": "/a", "edit": [{"old": "x"}]})"},
      {"no place can be made inside a list", &kClaudeDialect, "Edit", R"({"old_string": "x", "edit": [1]})",
       &kKimiDialect, R"({"old_string": "x", "edit": [1]})"},
      {"an older spelling", &kGeminiDialect, "read_file", R"({"absolute_path": "/a"})", &kClaudeDialect,
       R"({"file_path": "/a"})"},
      {"is not written", &kClaudeDialect, "Read", R"({"file_path": "/a"})", &kGeminiDialect, R"({"file_path": "/a"})"},
      {"seconds", &kKimiDialect, "Shell", R"({"command": "ls", "timeout": 60})", &kClaudeDialect,
       R"({"command": "ls", "timeout": 60000})"},
      {"parts of a second", &kClaudeDialect, "Bash", R"({"timeout": 1500})", &kKimiDialect, R"({"timeout": 1.5})"},
      {"and back", &kKimiDialect, "Shell", R"({"timeout": 1.5})", &kClaudeDialect, R"({"timeout": 1500})"},
      {"no number", &kKimiDialect, "Shell", R"({"timeout": "1"})", &kClaudeDialect, R"({"timeout": "1"})"},
      {"members of elements", &kCodexDialect, "update_plan",
       R"({"plan": [{"step": "a", "status": "pending"}, 7, {"step": "b"}]})", &kGeminiDialect,
       R"({"todos": [{"description": "a", "status": "pending"}, 7, {"description": "b"}]})"},
      {"no elements", &kCodexDialect, "update_plan", R"({"plan": {"step": "a"}})", &kGeminiDialect,
       R"({"todos": {"step": "a"}})"},
      {"other words", &kKimiDialect, "SetTodoList", R"({"todos": [{"title": "a", "status": "done"}]})", &kClaudeDialect,
       R"({"todos": [{"content": "a", "status": "completed"}]})"},
      {"and back", &kClaudeDialect, "TodoWrite", R"({"todos": [{"content": "a", "status": "completed"}]})",
       &kKimiDialect, R"({"todos": [{"title": "a", "status": "done"}]})"},
      {"a tool nobody knows", &kGeminiDialect, "other", R"({"dir_path": "/d"})", &kClawdDialect,
       R"({"dir_path": "/d"})"},
      {"no object", &kGeminiDialect, "glob", R"([1])", &kClawdDialect, R"([1])"},
      {"the same dialect", &kGeminiDialect, "glob", R"({"dir_path": "/d"})", &kGeminiDialect, R"({"dir_path": "/d"})"},
  };
  for (const InputCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(translate_tool_input(*c.from, c.tool, parse(c.input), *c.to), parse(c.want));
  }
}

/// The input with a value for that argument, as the dialect writes it.
Json with_argument(const Json& input, const ToolRow& row, const ToolArgument& argument) {
  if (argument.only_read) return input;
  std::string pointer = (argument.wire.starts_with('/') ? "" : "/") + std::string(argument.wire);
  if (!argument.in_each.empty()) {
    const auto list = std::ranges::find(row.arguments, argument.in_each, &ToolArgument::canonical);
    pointer = "/" + std::string(list == row.arguments.end() ? argument.in_each : list->wire) + "/-" + pointer;
  }
  const auto is_list = [&](const ToolArgument& one) { return one.in_each == argument.canonical; };
  if (std::ranges::any_of(row.arguments, is_list)) return input.with_pointer(pointer, Json::array());
  const Json value = argument.words.empty() ? Json::string("v") : Json::string(argument.words.front().wire);
  return input.with_pointer(pointer, argument.unit == 1 ? value : Json::number(int64_t{7}));
}

/// The name we write for a kind, and every argument of it, come back as they went.
TEST(Tools, EveryToolComesBack) {
  for (const Dialect* from : all_dialects()) {
    for (const Dialect* to : all_dialects()) {
      for (const ToolRow& row : from->tools.rows) {
        if (&*std::ranges::find(from->tools.rows, row.kind, &ToolRow::kind) != &row) continue;
        SCOPED_TRACE(std::string(from->name) + " " + std::string(row.name) + " to " + std::string(to->name));
        const std::string there = translate_tool_name(*from, row.name, *to);
        EXPECT_EQ(translate_tool_name(*to, there, *from), row.name);
        Json input = Json::object({{"other", Json::number(int64_t{1})}});
        for (const ToolArgument& argument : row.arguments) input = with_argument(input, row, argument);
        const Json translated = translate_tool_input(*from, row.name, input, *to);
        EXPECT_EQ(translate_tool_input(*to, there, translated, *from), input);
      }
    }
  }
}

struct SubjectCase {
  const char* note;
  const Dialect* dialect;
  const char* tool;
  const char* input;
  const char* path;
  const char* command;
};

TEST(Tools, PathAndCommand) {
  const SubjectCase cases[] = {
      {"a file", &kGeminiDialect, "write_file", R"({"file_path": "/a"})", "/a", ""},
      {"the first key that holds a text", &kGeminiDialect, "glob", R"({"file_path": "", "dir_path": "/d"})", "/d", ""},
      {"a command", &kGeminiDialect, "run_shell_command", R"({"command": "ls", "dir_path": "/d"})", "/d", "ls"},
      {"a command of no shell", &kGeminiDialect, "write_file", R"({"command": "ls"})", "", ""},
      {"other keys", &kClawdDialect, "Bash", R"({"cmd": "ls", "target": "/t"})", "/t", "ls"},
      {"no texts", &kClawdDialect, "Bash", R"({"command": ["ls"], "path": 7})", "", ""},
      {"no object", &kClawdDialect, "Bash", R"("ls")", "", ""},
  };
  for (const SubjectCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(tool_path(*c.dialect, parse(c.input)).as_string().value_or(""), c.path);
    EXPECT_EQ(tool_command(*c.dialect, c.tool, parse(c.input)).as_string().value_or(""), c.command);
  }
}

}  // namespace

}  // namespace grapnel
