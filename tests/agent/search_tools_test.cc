#include "agent/tool_bench.h"
#include "agent/tools/file_walk.h"

namespace grapnel::agent {

namespace {

struct SearchToolCase {
  const char* note;
  const char* input;
  ToolFailure failure;
  std::string text;
};

class SearchTools : public ::testing::Test {
 protected:
  SearchTools() {
    bench_.dir.put("work/a.cc", "int main() {}\n");
    bench_.dir.put("work/src/b.cc", "// Main\nint b;\r\n");
    bench_.dir.put("work/src/b.h", "int b;\n");
    bench_.dir.put("work/src/deep/c.cc", "int main;\n");
    bench_.dir.put("work/.github/ci.yml", "on: push\n");
    bench_.dir.put("work/.git/main.cc", "int main;\n");
    bench_.dir.put("work/sub/.git/main.cc", "int main;\n");
    bench_.dir.put("work/binary.cc", std::string("main\0", 5));
    std::filesystem::create_directory_symlink("../outside", bench_.dir / "work/away");
    std::filesystem::create_symlink("../outside/secret.txt", bench_.dir / "work/link.txt");
    std::filesystem::remove(bench_.dir / "work/.keep");
  }

  void run(ToolKind kind, std::span<const SearchToolCase> cases) {
    for (const SearchToolCase& c : cases) {
      SCOPED_TRACE(c.note);
      const ToolResult result = bench_.call(kind, c.input);
      EXPECT_EQ(result.failure, c.failure);
      EXPECT_EQ(result.text, c.text);
    }
  }

  ToolBench bench_;
};

TEST_F(SearchTools, Glob) {
  const std::string outside = "../outside is outside the workspace " + bench_.workspace->root();
  const SearchToolCase cases[] = {
      {"within a directory", R"({"pattern": "*.cc"})", kNone, "a.cc\nbinary.cc"},
      {"across directories, sorted, without .git", R"({"pattern": "**/*.cc"})", kNone,
       "a.cc\nbinary.cc\nsrc/b.cc\nsrc/deep/c.cc"},
      {"below a path, shown from the root", R"({"pattern": "*.cc", "path": "src"})", kNone, "src/b.cc"},
      {"alternatives", R"({"pattern": "src/*.{cc,h}"})", kNone, "src/b.cc\nsrc/b.h"},
      {"dots are ordinary", R"({"pattern": "**/*.yml"})", kNone, ".github/ci.yml"},
      {"a dot and a slash in front", R"({"pattern": "./src/*.h"})", kNone, "src/b.h"},
      {"links are not followed", R"({"pattern": "**/*.txt"})", kNone, "link.txt"},
      {"none", R"({"pattern": "*.py"})", kNone, "no file matches *.py"},
      {"a directory that does not exist", R"({"pattern": "*", "path": "no"})", ToolFailure::Failed,
       "no does not exist"},
      {"outside", R"({"pattern": "*", "path": "../outside"})", ToolFailure::Failed, outside},
      {"no pattern", R"({"path": "src"})", ToolFailure::InvalidInput, "/pattern is missing"},
  };
  run(ToolKind::Glob, cases);
}

TEST_F(SearchTools, GlobOfAnAbsolutePattern) {
  const ToolResult result =
      bench_.call(ToolKind::Glob, Json::object({{"pattern", Json::string(bench_.workspace->root() + "/src/*.h")}}));
  EXPECT_EQ(result.text, "src/b.h");
  EXPECT_EQ(result.data, parse(R"({"files": ["src/b.h"], "complete": true})"));
}

TEST_F(SearchTools, GlobSaysThatThereIsMore) {
  for (int i = 0; i < 1001; ++i) bench_.dir.put("work/many/" + std::to_string(i), "");
  const ToolResult result = bench_.call(ToolKind::Glob, R"({"pattern": "many/*"})");
  EXPECT_TRUE(result.text.ends_with("\n[there are more results; narrow the pattern or the path]"));
  EXPECT_EQ(result.data["files"].size(), 1000U);
  EXPECT_EQ(result.data["complete"].as_bool(), false);
}

TEST_F(SearchTools, Grep) {
  const std::string outside = "../outside is outside the workspace " + bench_.workspace->root();
  const SearchToolCase cases[] = {
      {"everywhere but .git and binaries", R"({"pattern": "main"})", kNone,
       "a.cc:1:int main() {}\nsrc/deep/c.cc:1:int main;"},
      {"in any case", R"({"pattern": "MAIN", "-i": true, "path": "src"})", kNone,
       "src/b.cc:1:// Main\nsrc/deep/c.cc:1:int main;"},
      {"a regular expression", R"({"pattern": "^int \\w;$"})", kNone, "src/b.cc:2:int b;\nsrc/b.h:1:int b;"},
      {"in one file", R"({"pattern": "int", "path": "src/b.h"})", kNone, "src/b.h:1:int b;"},
      {"names that fit", R"({"pattern": "int b", "glob": "*.h"})", kNone, "src/b.h:1:int b;"},
      {"paths that fit", R"({"pattern": "int", "glob": "src/*.cc"})", kNone, "src/b.cc:2:int b;"},
      {"links are not followed", R"({"pattern": "secret"})", kNone, "no line matches"},
      {"no regular expression", R"({"pattern": "a("})", ToolFailure::InvalidInput,
       "the pattern cannot be used: missing )"},
      {"a path that does not exist", R"({"pattern": "a", "path": "no"})", ToolFailure::Failed, "no does not exist"},
      {"outside", R"({"pattern": "a", "path": "../outside"})", ToolFailure::Failed, outside},
      {"no pattern", R"({})", ToolFailure::InvalidInput, "/pattern is missing"},
  };
  run(ToolKind::Grep, cases);
}

TEST_F(SearchTools, GrepCutsLongLinesAndManyMatches) {
  std::string many = std::string(500, 'x') + '\n';
  for (int i = 0; i < 600; ++i) many += "hit\n";
  bench_.dir.put("work/many.txt", many);
  const ToolResult lines = bench_.call(ToolKind::Grep, R"({"pattern": "x{100}"})");
  EXPECT_EQ(lines.text, "many.txt:1:" + std::string(400, 'x') + " [100 bytes cut]");
  const ToolResult hits = bench_.call(ToolKind::Grep, R"({"pattern": "^hit"})");
  EXPECT_TRUE(hits.text.ends_with("many.txt:501:hit\n[there are more results; narrow the pattern or the path]"))
      << hits.text;
  EXPECT_EQ(hits.data, parse(R"({"match_count": 500, "complete": false})"));
}

TEST_F(SearchTools, Interrupted) {
  std::stop_source stop;
  stop.request_stop();
  bench_.context.cancel = stop.get_token();
  EXPECT_EQ(bench_.call(ToolKind::Glob, R"({"pattern": "*"})").failure, ToolFailure::Interrupted);
  EXPECT_EQ(bench_.call(ToolKind::Grep, R"({"pattern": "a"})").failure, ToolFailure::Interrupted);
}

TEST_F(SearchTools, OutOfTime) {
  bench_.context.timeout = std::chrono::milliseconds(0);
  const ToolResult result = bench_.call(ToolKind::Grep, R"({"pattern": "main"})");
  EXPECT_EQ(result.text, "no line matches\n[out of time; some files were not searched]");
}

TEST_F(SearchTools, TheRootOfTheFilesystemIsADirectoryToo) {
  std::string first;
  const WalkEnd end = walk_files("/", bench_.context, [&](const WalkedFile& file) {
    first = file.path;
    return false;
  });
  EXPECT_EQ(end, WalkEnd::Enough);
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(first))) << first;
}

}  // namespace

}  // namespace grapnel::agent
