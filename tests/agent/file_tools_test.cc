#include <sys/stat.h>

#include "agent/tool_bench.h"

namespace grapnel::agent {

namespace {

struct FileToolCase {
  const char* note;
  const char* input;
  ToolFailure failure;
  const char* text;  ///< a part of what the model is told
};

std::string numbers(int from, int to) {
  std::string out;
  for (int i = from; i <= to; ++i) out += std::to_string(i) + '\n';
  return out;
}

TEST(ReadTool, Lines) {
  ToolBench bench;
  bench.dir.put("work/n.txt", numbers(1, 5));
  bench.dir.put("work/open.txt", "a\nb");
  bench.dir.put("work/empty.txt", "");
  bench.dir.put("work/binary", std::string("ab\0c", 4));
  bench.dir.put("work/latin.txt", "caf\xE9\n");
  constexpr auto kFailed = ToolFailure::Failed;
  const FileToolCase cases[] = {
      {"all", R"({"file_path": "n.txt"})", kNone, "1\n2\n3\n4\n5\n"},
      {"from a line", R"({"file_path": "n.txt", "offset": 4})", kNone, "4\n5\n"},
      {"line 0 is the first", R"({"file_path": "n.txt", "offset": 0})", kNone, "1\n2\n3\n4\n5\n"},
      {"some lines", R"({"file_path": "n.txt", "offset": 2, "limit": 2})", kNone,
       "2\n3\n[lines 2 to 3 of 5; continue with offset 4]\n"},
      {"from the end", R"({"file_path": "n.txt", "offset": -2})", kNone, "4\n5\n"},
      {"further back than the beginning", R"({"file_path": "n.txt", "offset": -9, "limit": 5})", kNone,
       "1\n2\n3\n4\n5\n"},
      {"past the end", R"({"file_path": "n.txt", "offset": 6})", kFailed, "n.txt has only 5 lines"},
      {"no line end at the end", R"({"file_path": "open.txt"})", kNone, "a\nb"},
      {"nothing in it", R"({"file_path": "empty.txt"})", kNone, "(the file is empty)"},
      {"bytes that are no text", R"({"file_path": "latin.txt"})", kNone, "caf\xEF\xBF\xBD\n"},
      {"a binary file", R"({"file_path": "binary"})", kFailed, "is a binary file"},
      {"a directory", R"({"file_path": "."})", kFailed, "is not a regular file"},
      {"no such file", R"({"file_path": "no.txt"})", kFailed, "No such file"},
      {"outside", R"({"file_path": "../outside/secret.txt"})", kFailed, "outside the workspace"},
      {"no path", R"({})", ToolFailure::InvalidInput, "/file_path is missing"},
      {"no lines", R"({"file_path": "n.txt", "limit": 0})", ToolFailure::InvalidInput, "/limit must be at least 1"},
  };
  for (const FileToolCase& c : cases) {
    SCOPED_TRACE(c.note);
    const ToolResult result = bench.call(ToolKind::Read, c.input);
    EXPECT_EQ(result.failure, c.failure);
    const bool is_told = c.failure == kNone ? result.text == c.text : result.text.find(c.text) != std::string::npos;
    EXPECT_TRUE(is_told) << result.text;
  }
}

TEST(ReadTool, WholeLinesUpToTheLimit) {
  ToolBench bench;
  bench.dir.put("work/n.txt", numbers(1000, 1999));
  bench.context.max_output = 52;
  const ToolResult result = bench.call(ToolKind::Read, R"({"file_path": "n.txt"})");
  EXPECT_EQ(result.text, numbers(1000, 1009) + "[lines 1 to 10 of 1000; continue with offset 11]\n");
  EXPECT_EQ(result.data, parse(R"({"first_line": 1, "line_count": 10, "total_lines": 1000})"));
}

TEST(ReadTool, ALineOverTheLimit) {
  ToolBench bench;
  bench.dir.put("work/long.txt", std::string(100, 'x') + "\nnext\n");
  bench.context.max_output = 10;
  const ToolResult result = bench.call(ToolKind::Read, R"({"file_path": "long.txt"})");
  EXPECT_EQ(result.text, "xxxxxxxxxx [90 bytes cut]\n[lines 1 to 1 of 2; continue with offset 2]\n");
}

TEST(WriteTool, Files) {
  ToolBench bench;
  bench.dir.put("work/old.sh", "old", 0750);
  std::filesystem::create_symlink("../outside/secret.txt", bench.dir / "work/link");
  std::filesystem::create_symlink("old.sh", bench.dir / "work/own");
  struct WriteCase {
    FileToolCase call;
    const char* file;
    const char* content;
  };
  constexpr auto kFailed = ToolFailure::Failed;
  const WriteCase cases[] = {
      {{"a new file", R"({"file_path": "a.txt", "content": "x\n"})", kNone, "created a.txt (2 bytes)"},
       "work/a.txt",
       "x\n"},
      {{"over it", R"({"file_path": "a.txt", "content": "y"})", kNone, "replaced a.txt (1 byte)"}, "work/a.txt", "y"},
      {{"behind it", R"({"file_path": "a.txt", "content": "z", "mode": "append"})", kNone, "extended a.txt"},
       "work/a.txt",
       "yz"},
      {{"behind nothing", R"({"file_path": "b.txt", "content": "z", "mode": "append"})", kNone, "created b.txt"},
       "work/b.txt",
       "z"},
      {{"with directories", R"({"file_path": "d/e/f.txt", "content": ""})", kNone, "created d/e/f.txt"},
       "work/d/e/f.txt",
       ""},
      {{"through a link inside", R"({"file_path": "own", "content": "new"})", kNone, "replaced old.sh"},
       "work/old.sh",
       "new"},
      {{"through a link outside", R"({"file_path": "link", "content": "x"})", kFailed, "outside the workspace"},
       "outside/secret.txt",
       "secret\n"},
      {{"outside", R"({"file_path": "../outside/new", "content": "x"})", kFailed, "outside the workspace"},
       "outside/new",
       ""},
      {{"over a directory", R"({"file_path": "d", "content": "x"})", kFailed, "is not a regular file"},
       "work/d/e/f.txt",
       ""},
      {{"without content", R"({"file_path": "c.txt"})", ToolFailure::InvalidInput, "/content is missing"},
       "work/c.txt",
       ""},
  };
  for (const WriteCase& c : cases) {
    SCOPED_TRACE(c.call.note);
    const ToolResult result = bench.call(ToolKind::Write, c.call.input);
    EXPECT_EQ(result.failure, c.call.failure);
    EXPECT_NE(result.text.find(c.call.text), std::string::npos) << result.text;
    EXPECT_EQ(bench.content(c.file), c.content);
  }
  EXPECT_FALSE(bench.exists("outside/new"));
  struct stat st;
  ASSERT_EQ(::stat((bench.dir / "work/old.sh").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777U, 0750U) << "a file keeps its mode";
}

TEST(EditTool, Changes) {
  struct EditCase {
    const char* note;
    const char* before;
    const char* arguments;  ///< besides the path
    ToolFailure failure;
    const char* text;
    const char* after;
  };
  constexpr auto kFailed = ToolFailure::Failed;
  const EditCase cases[] = {
      {"once", "a b c", R"({"old_string": "b", "new_string": "x"})", kNone, "edited f.txt (1 replacement)", "a x c"},
      {"over lines", "a\nb\r\nc\n", R"({"old_string": "b\r\nc", "new_string": "x"})", kNone, "edited", "a\nx\n"},
      {"to nothing", "abc", R"({"old_string": "b", "new_string": ""})", kNone, "edited", "ac"},
      {"not there", "abc", R"({"old_string": "x", "new_string": "y"})", kFailed, "old_string is not in f.txt", "abc"},
      {"white space counts", "a  b", R"({"old_string": "a b", "new_string": "y"})", kFailed, "white space included",
       "a  b"},
      {"twice", "b b", R"({"old_string": "b", "new_string": "x"})", kFailed, "is in f.txt 2 times", "b b"},
      {"all of them", "b b", R"({"old_string": "b", "new_string": "xb", "replace_all": true})", kNone,
       "(2 replacements)", "xb xb"},
      {"as many as expected", "b b", R"({"old_string": "b", "new_string": "x", "expected_replacements": 2})", kNone,
       "(2 replacements)", "x x"},
      {"not as many", "b b", R"({"old_string": "b", "new_string": "x", "expected_replacements": 3})", kFailed,
       "2 times, not 3", "b b"},
      {"more than expected, whatever else is said", "b b",
       R"({"old_string": "b", "new_string": "x", "expected_replacements": 1, "replace_all": true})", kFailed,
       "2 times, not 1", "b b"},
      {"no change", "abc", R"({"old_string": "b", "new_string": "b"})", kFailed, "are the same", "abc"},
      {"nothing to look for", "abc", R"({"old_string": "", "new_string": "x"})", kFailed, "f.txt exists", "abc"},
      {"no new text", "abc", R"({"old_string": "b"})", ToolFailure::InvalidInput, "/new_string is missing", "abc"},
  };
  for (const EditCase& c : cases) {
    SCOPED_TRACE(c.note);
    ToolBench bench;
    bench.dir.put("work/f.txt", c.before);
    const ToolResult result = bench.call(ToolKind::Edit, parse(c.arguments).with("file_path", Json::string("f.txt")));
    EXPECT_EQ(result.failure, c.failure);
    EXPECT_NE(result.text.find(c.text), std::string::npos) << result.text;
    EXPECT_EQ(bench.content("work/f.txt"), c.after);
  }
}

TEST(EditTool, FilesThatAreNotThere) {
  ToolBench bench;
  const ToolResult made =
      bench.call(ToolKind::Edit, R"({"file_path": "d/new.txt", "old_string": "", "new_string": "x"})");
  EXPECT_EQ(made.text, "created d/new.txt");
  EXPECT_EQ(bench.content("work/d/new.txt"), "x");
  const ToolResult missing =
      bench.call(ToolKind::Edit, R"({"file_path": "no.txt", "old_string": "a", "new_string": "x"})");
  EXPECT_EQ(missing.failure, ToolFailure::Failed);
  const ToolResult outside = bench.call(
      ToolKind::Edit, R"({"file_path": "../outside/secret.txt", "old_string": "secret", "new_string": "x"})");
  EXPECT_EQ(outside.failure, ToolFailure::Failed);
  EXPECT_EQ(bench.content("outside/secret.txt"), "secret\n");
}

}  // namespace

}  // namespace grapnel::agent
