#include <gtest/gtest.h>

#include "grapnel/event.h"
#include "grapnel/tool.h"

namespace grapnel {

namespace {

Json parse(std::string_view text) {
  return Json::parse(std::string(text)).value();
}

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
