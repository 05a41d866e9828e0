#include <gtest/gtest.h>

#include "grapnel/event.h"
#include "grapnel/tool.h"

#include "dialect/json_text.h"

namespace grapnel {

namespace {

struct KnownCase {
  const char* name;
  const char* preferred;
  const char* dialect;
  ToolKind kind;
};

TEST(ToolCalls, EveryAgentsNamesAreKnown) {
  const KnownCase cases[] = {
      {"Bash", "canonical", "canonical", ToolKind::Shell},        {"Bash", "claude", "claude", ToolKind::Shell},
      {"run_shell_command", "claude", "gemini", ToolKind::Shell}, {"read_file", "gemini", "gemini", ToolKind::Read},
      {"replace", "canonical", "gemini", ToolKind::Edit},         {"write_todos", "gemini", "gemini", ToolKind::Todo},
      {"TodoWrite", "claude", "claude", ToolKind::Todo},          {"no_such_tool", "claude", "", ToolKind::Other},
  };
  for (const KnownCase& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string_view dialect = dialect_of_tool(c.name, c.preferred);
    EXPECT_EQ(dialect, c.dialect);
    EXPECT_EQ(to_string(tool_kind(c.name, dialect)), to_string(c.kind));
  }
  EXPECT_EQ(tool_kind("mcp__files__get", "claude"), ToolKind::Mcp);
  EXPECT_EQ(tool_kind("mcp_files_get", "gemini"), ToolKind::Mcp);
}

TEST(ToolCalls, AKindHasANameInEachDialect) {
  EXPECT_EQ(tool_name(ToolKind::Shell, "gemini"), "run_shell_command");
  EXPECT_EQ(tool_name(ToolKind::Shell, "claude"), "Bash");
  EXPECT_EQ(tool_name(ToolKind::Other, "claude"), "");
  EXPECT_EQ(tool_name(ToolKind::Shell, "nobody"), "");
}

TEST(ToolCalls, AreWrittenAnew) {
  const NamedCall call = in_dialect({"gemini", "glob", parse(R"({"pattern":"*","dir_path":"d"})")}, "canonical");
  EXPECT_EQ(call.dialect, "canonical");
  EXPECT_EQ(call.name, "Glob");
  EXPECT_EQ(call.input, parse(R"({"pattern":"*","path":"d"})"));
}

struct SchemaCase {
  const char* note;
  const char* tool;
  const char* schema;
  const char* dialect;
  const char* want;
};

TEST(ToolCalls, SchemasAreWrittenAnew) {
  const SchemaCase cases[] = {
      {"names", "Glob",
       R"({"type": "object", "properties": {"pattern": {"type": "string"}, "path": {"type": "string"}}, "required": ["pattern"]})",
       "gemini",
       R"({"type": "object", "properties": {"pattern": {"type": "string"}, "dir_path": {"type": "string"}}, "required": ["pattern"]})"},
      {"required names", "Read", R"({"properties": {"file_path": {"minLength": 1}}, "required": ["file_path"]})",
       "kimi", R"({"properties": {"path": {"minLength": 1}}, "required": ["path"]})"},
      {"an object of arguments", "Edit",
       R"({"properties": {"file_path": {}, "old_string": {"type": "string"}, "new_string": {}, "replace_all": {}},
           "required": ["file_path", "old_string", "new_string"]})",
       "kimi",
       R"({"properties": {"path": {}, "edit": {"type": "object", "properties": {"old": {"type": "string"}, "new": {}, "replace_all": {}},
                                               "required": ["new", "old"]}},
           "required": ["path", "edit"]})"},
      {"elements and words", "TodoWrite",
       R"({"properties": {"todos": {"type": "array", "items": {"properties": {"content": {}, "status": {"enum": ["pending", "completed"]}}, "required": ["content"]}}}, "required": ["todos"]})",
       "kimi",
       R"({"properties": {"todos": {"type": "array", "items": {"properties": {"title": {}, "status": {"enum": ["pending", "done"]}}, "required": ["title"]}}}, "required": ["todos"]})"},
      {"an array of another name", "TodoWrite",
       R"({"properties": {"todos": {"items": {"properties": {"content": {}}}}}, "required": ["todos"]})", "codex",
       R"({"properties": {"plan": {"items": {"properties": {"step": {}}}}}, "required": ["plan"]})"},
      {"another unit", "Bash", R"({"properties": {"timeout": {"type": "integer", "description": "Milliseconds"}}})",
       "kimi", R"({"properties": {"timeout": {"type": "integer"}}})"},
      {"a tool the other does not have", "WebFetch", R"({"properties": {"url": {}}})", "clawd",
       R"({"properties": {"url": {}}})"},
      {"a tool nobody knows", "mine", R"({"properties": {"path": {}}})", "gemini", R"({"properties": {"path": {}}})"},
      {"a dialect nobody knows", "Glob", R"({"properties": {"path": {}}})", "nobody",
       R"({"properties": {"path": {}}})"},
  };
  for (const SchemaCase& c : cases) {
    SCOPED_TRACE(c.note);
    const Json got = schema_in_dialect(c.tool, parse(c.schema), c.dialect);
    EXPECT_EQ(got, parse(c.want)) << got.dump();
  }
}

TEST(Events, CanBeWrittenInAnotherDialect) {
  const Event event(EventKind::PreToolUse,
                    parse(R"({"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"u"})"));
  const auto gemini = event.in_dialect("gemini");
  ASSERT_TRUE(gemini);
  EXPECT_EQ(gemini->dialect_name(), "gemini");
  EXPECT_EQ(gemini->payload()["tool_name"], Json::string("run_shell_command"));
  EXPECT_EQ(gemini->text(Field::SessionId), "s");

  const Event request(EventKind::PermissionRequest, parse("{}"));
  EXPECT_EQ(request.in_dialect("gemini").error().code, Errc::NotFound);
  EXPECT_EQ(event.in_dialect("nobody").error().code, Errc::NotFound);
}

}  // namespace

}  // namespace grapnel
