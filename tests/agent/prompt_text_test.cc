#include "agent/prompt_text.h"

#include <gtest/gtest.h>

#include "base/line_diff.h"
#include "os/temp_dir.h"

namespace grapnel::agent {
namespace {

Json json(std::string text) {
  return Json::parse(std::move(text)).value_or(Json());
}

TEST(PromptText, SaysWhatAToolWants) {
  struct Row {
    const char* note;
    const char* tool;
    call::JudgedCall call;
    const char* input;
    const char* message;
    const char* details;
  };
  const Row rows[] = {
      {"a command",
       "Bash",
       {"Bash", ToolKind::Shell, "A=1 make all"},
       "{}",
       "Tool run: A=1 make all requires execution",
       R"({"type":"exec","title":"run: A=1 make all","command":"A=1 make all","rootCommand":"make"})"},
      {"several commands",
       "Bash",
       {"Bash", ToolKind::Shell, "ls | sort && ls"},
       "{}",
       "Tool run: ls | sort && ls requires execution",
       R"({"type":"exec","title":"run: ls | sort && ls","command":"ls | sort && ls","rootCommand":"ls, sort"})"},
      {"an unreadable command",
       "Bash",
       {"Bash", ToolKind::Shell, "echo 'x"},
       "{}",
       "Tool run: echo 'x requires execution",
       R"({"type":"exec","title":"run: echo 'x","command":"echo 'x","rootCommand":"echo"})"},
      {"a web page",
       "web_fetch",
       {"WebFetch", ToolKind::Fetch},
       R"({"url":"https://x.org","prompt":"sum up"})",
       "Tool fetch: https://x.org requires information",
       R"({"type":"info","title":"fetch: https://x.org","prompt":"sum up","urls":["https://x.org"]})"},
      {"a web page without a question",
       "WebFetch",
       {"WebFetch", ToolKind::Fetch},
       R"({"url":"https://x.org"})",
       "Tool fetch: https://x.org requires information",
       R"({"type":"info","title":"fetch: https://x.org","urls":["https://x.org"]})"},
      {"a tool of a server",
       "mcp__git__push_all",
       {"mcp__git__push_all", ToolKind::Mcp},
       "{}",
       "Tool mcp__git__push_all requires MCP",
       R"({"type":"mcp","title":"mcp__git__push_all","serverName":"git","toolName":"push_all","toolDisplayName":"mcp__git__push_all"})"},
      {"a tool of a server, as Gemini writes it",
       "mcp_git_push",
       {"mcp_git_push", ToolKind::Mcp},
       "{}",
       "Tool mcp_git_push requires MCP",
       R"({"type":"mcp","title":"mcp_git_push","serverName":"git","toolName":"push","toolDisplayName":"mcp_git_push"})"},
      {"any other",
       "deploy",
       {"deploy", ToolKind::Other},
       "{}",
       "Tool deploy requires confirmation",
       R"({"type":"other","title":"deploy"})"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    const PromptText text = prompt_text(row.tool, row.call, json(row.input));
    EXPECT_EQ(text.message, row.message);
    EXPECT_EQ(text.details.dump(), json(row.details).dump());
  }
}

TEST(PromptText, ShowsWhatBecomesOfAFile) {
  struct Row {
    const char* note;
    ToolKind kind;
    const char* name;  ///< of the file
    const char* input;
    const char* details;  ///< without type, title and path
  };
  const grapnel::testing::TempDir dir;
  dir.put("a", "x\ny\nx\n");
  dir.put("binary", "\xff\xfe");
  dir.put("large", std::string((size_t{1} << 20) + 1, 'x'));
  const Row rows[] = {
      {"a new file", ToolKind::Write, "new", R"({"content":"x\n"})",
       R"({"fileName":"new","fileDiff":"--- new\n+++ new\n@@ -0,0 +1,1 @@\n+x\n","originalContent":"","newContent":"x\n","isModifying":false})"},
      {"a file written anew", ToolKind::Write, "a", R"({"content":"x\n"})",
       R"({"fileName":"a","fileDiff":"--- a\n+++ a\n@@ -1,3 +1,1 @@\n x\n-y\n-x\n","originalContent":"x\ny\nx\n","newContent":"x\n","isModifying":true})"},
      {"a change", ToolKind::Edit, "a", R"({"old_string":"y","new_string":"z"})",
       R"({"fileName":"a","fileDiff":"--- a\n+++ a\n@@ -1,3 +1,3 @@\n x\n-y\n+z\n x\n","originalContent":"x\ny\nx\n","newContent":"x\nz\nx\n","isModifying":true})"},
      {"a file deleted", ToolKind::Delete, "a", "{}",
       R"({"fileName":"a","fileDiff":"--- a\n+++ a\n@@ -1,3 +0,0 @@\n-x\n-y\n-x\n","originalContent":"x\ny\nx\n","newContent":"","isModifying":true})"},
      {"a file that is no text", ToolKind::Write, "binary", R"({"content":"x\n"})",
       R"({"fileName":"binary","isModifying":true})"},
      {"a large file", ToolKind::Write, "large", R"({"content":"x\n"})", R"({"fileName":"large","isModifying":true})"},
      {"an input of another tool's making", ToolKind::Edit, "a", R"({"patch":"?"})",
       R"({"fileName":"a","isModifying":true})"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    const PromptText text = prompt_text("t", {"t", row.kind, row.name, dir / row.name}, json(row.input));
    EXPECT_EQ(text.details["filePath"], Json::string(dir / row.name));
    EXPECT_EQ(text.details.without("type").without("title").without("filePath").dump(), json(row.details).dump());
  }
}

TEST(LineDiff, IsOneHunkWithThreeLinesAround) {
  struct Row {
    const char* note;
    const char* before;
    const char* after;
    const char* hunk;
  };
  const Row rows[] = {
      {"nothing", "a\n", "a\n", ""},
      {"in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
       "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
      {"at the end", "1\n2\n", "1\n2\n3\n", "@@ -1,2 +1,3 @@\n 1\n 2\n+3\n"},
      {"at the beginning", "1\n2\n", "2\n", "@@ -1,2 +1,1 @@\n-1\n 2\n"},
      {"two places", "1\n2\n3\n", "x\n2\ny\n", "@@ -1,3 +1,3 @@\n-1\n-2\n-3\n+x\n+2\n+y\n"},
      {"the same line again", "a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n"},
      {"from nothing", "", "a", "@@ -0,0 +1,1 @@\n+a\n"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    const std::string want = *row.hunk == '\0' ? "" : "--- f\n+++ f\n" + std::string(row.hunk);
    EXPECT_EQ(text::line_diff("f", row.before, row.after), want);
  }
}

}  // namespace
}  // namespace grapnel::agent
