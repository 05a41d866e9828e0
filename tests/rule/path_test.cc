#include <unistd.h>

#include <filesystem>

#include "os/temp_dir.h"
#include "rule/respond.h"
#include "rule/support.h"

namespace grapnel::rule {
namespace {

using enum call::Certainty;
using enum Quantifier;
using testing::TempDir;

/// A project with a secret, ways to it, and harmless files.
class PathTest : public ::testing::Test {
 protected:
  PathTest() {
    dir_.put("p/.env", "KEY=1");
    dir_.put("p/src/a.py", "");
    dir_.put("p/config/prod.key", "k");
    dir_.put("home/.ssh/id_rsa", "k");
    std::filesystem::create_symlink(".env", dir_ / "p/link");
    std::filesystem::create_symlink("link", dir_ / "p/link2");
    std::filesystem::create_symlink("config", dir_ / "p/conf");
    std::filesystem::create_symlink("../outside/new.key", dir_ / "p/dangling");
    std::filesystem::create_directory(dir_ / "outside");
    std::filesystem::create_directory_symlink(dir_ / "p/src", dir_ / "outside/into");
    std::filesystem::create_hard_link(dir_ / "p/.env", dir_ / "p/src/hard.txt");
    std::filesystem::create_hard_link(dir_ / "p/config/prod.key", dir_ / "outside/other");
  }

  CallContext around() const { return {.project_dir = dir_ / "p", .home = dir_ / "home"}; }
  Event edit(std::string_view path) const {
    return tool_call("canonical", "Edit", Json::object({{"file_path", Json::string(path)}}).dump(), dir_ / "p");
  }
  Event run(std::string_view text) const { return shell_call(text, dir_ / "p"); }
  /// `@` stands for the test's directory.
  std::string at(std::string text) const {
    for (size_t i = text.find('@'); i != std::string::npos; i = text.find('@')) text.replace(i, 1, dir_.path());
    return text;
  }
  call::Certainty ask_some(const char* pattern, const Event& event) const {
    return answer_to(path({at(pattern)}), event, Some, around());
  }

  TempDir dir_;
};

TEST_F(PathTest, OneFileHasManyNames) {
  struct Case {
    const char* note;
    const char* pattern;
    const char* path;
    call::Certainty want;
  };
  const Case cases[] = {
      {"as it is", "**/.env*", ".env", Yes},
      {"absolute", "**/.env*", "@/p/.env", Yes},
      {"dot segments", "**/.env*", "src/.././.env", Yes},
      {"doubled slashes", "**/.env*", "@//p///.env", Yes},
      {"another file", "**/.env*", "src/a.py", No},
      {"a link to it", "**/.env*", "link", Yes},
      {"a link to a link", "**/.env*", "link2", Yes},
      {"a directory that is a link", "config/*.key", "conf/prod.key", Yes},
      {"the link's own name", "conf/*.key", "conf/prod.key", Yes},
      {"`..` behind a link is where the link leads to", "**/.env*", "@/outside/into/../.env", Yes},
      {"/proc/self/root", "**/.env*", "/proc/self/root@/p/.env", Yes},
      {"/proc/self/cwd is the call's", "**/.env*", "/proc/self/cwd/link", Yes},
      {"/proc of some process", "@/p/config/**", "/proc/1/root@/p/config/prod.key", Yes},
      {"/proc in a roundabout way", "**/.env*", "/proc/self/../self/root@/p/link", Yes},
      {"an absent file", "secrets/**", "secrets/new.txt", Yes},
      {"an absent file below a link", "config/**", "conf/new/file", Yes},
      {"an absent directory and back", "config/**", "nothing/../conf/new", Yes},
      {"a link that leads nowhere yet", "@/outside/*.key", "dangling", Yes},
      {"the same, by the base name", "*.key", "dangling", Yes},
      {"an absent file, by the base name", "*.key", "new/file", No},
      {"the same below a link", "*.key", "conf/new", No},
      {"the base name of a link's directory does not count", "con*", "conf/prod.key", No},
      {"a link by its own name", "lin*", "link", Yes},
      {"a link by the base name of what it leads to", ".en*", "link2", Yes},
      {"a link with a slash behind it", "config/**", "conf/", Yes},
      {"the same, by the base name", "confi*", "conf/", Yes},
      {"a hard link, by a literal pattern", ".env", "src/hard.txt", Yes},
      {"a hard link, by a glob", "**/.env*", "src/hard.txt", Yes},
      {"a hard link, by the base name", "*.key", "@/outside/other", Yes},
      {"a hard link from outside", "config/*.key", "@/outside/other", Yes},
      {"a link named by the rule", "link", ".env", Yes},
      {"the home", "~/.ssh/**", "~/.ssh/id_rsa", Yes},
      {"the home in full", "~/.ssh/**", "@/home/.ssh/id_rsa", Yes},
      {"the home from below", "~/.ssh/**", "../home/.ssh/id_rsa", Yes},
      {"outside of the project", "/etc/**", "/etc/passwd", Yes},
      {"base name", "*.key", "config/prod.key", Yes},
      {"from the project's root only", "src/**", "@/outside/src/x", No},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(ask_some(c.pattern, edit(at(c.path))), c.want);
  }
}

TEST_F(PathTest, AProjectThatIsReachedByALink) {
  struct Case {
    const char* note;
    const char* pattern;
    const char* path;
    call::Certainty want;
  };
  const Case cases[] = {
      {"relative", "src/*.py", "src/a.py", Yes},
      {"by its real name", "src/*.py", "@/p/src/a.py", Yes},
      {"the rule has the real name", "@/p/src/*.py", "src/a.py", Yes},
      {"a link in there", "**/.env*", "link", Yes},
      {"a hard link in there", "**/.env*", "src/hard.txt", Yes},
      {"a hard link by its real name", "**/.env*", "@/p/src/hard.txt", Yes},
      {"a hard link from outside", "config/*.key", "@/outside/other", Yes},
      {"another file", "**/.env*", "src/a.py", No},
  };
  std::filesystem::create_directory_symlink(dir_ / "p", dir_ / "q");
  const CallContext around{.project_dir = dir_ / "q", .home = dir_ / "home"};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const std::string input = Json::object({{"file_path", Json::string(at(c.path))}}).dump();
    EXPECT_EQ(answer_to(path({at(c.pattern)}), tool_call("canonical", "Edit", input, dir_ / "q"), Some, around),
              c.want);
  }
}

/// `tool: read` beside a path is also about tools that search, unless the rule allows.
TEST_F(PathTest, ToSearchIsToRead) {
  struct Case {
    const char* note;
    const char* dialect;
    const char* tool;
    const char* input;
    call::Certainty want;
  };
  const Case cases[] = {
      {"in that file", "claude", "Grep", R"({"pattern":".","path":".env"})", Yes},
      {"by a glob", "claude", "Grep", R"({"pattern":"KEY","glob":".env*"})", Yes},
      {"by a glob with directories", "claude", "Grep", R"({"pattern":"KEY","glob":"**/.env"})", Yes},
      {"hidden files are left out", "claude", "Grep", R"({"pattern":"KEY"})", No},
      {"other files", "claude", "Grep", R"({"pattern":"KEY","glob":"*.py"})", No},
      {"in another agent", "gemini", "grep_search", R"({"pattern":"KEY","include":".env"})", Yes},
      {"its name", "claude", "Glob", R"({"pattern":"**/.env*"})", Yes},
      {"other names", "claude", "Glob", R"({"pattern":"**/*.py"})", No},
      {"all names", "claude", "Glob", R"({"pattern":"**/*"})", No},
      {"read", "claude", "Read", R"({"file_path":".env"})", Yes},
      {"a page", "claude", "WebFetch", R"({"url":"file:.env"})", No},
  };
  const Condition guard = all({tool({ToolKind::Read}), path({"**/.env*"})});
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Event event = tool_call(c.dialect, c.tool, c.input, dir_ / "p");
    EXPECT_EQ(answer_to(guard, event, Some, around()), c.want);
  }
  const Event search = tool_call("claude", "Grep", R"({"pattern":".","path":"src/a.py"})", dir_ / "p");
  EXPECT_EQ(answer_to(all({tool({ToolKind::Read}), path({"src/**"})}), search, Every, around()), No);
  EXPECT_EQ(answer_to(tool({ToolKind::Read}), search, Some, around()), No);
}

TEST_F(PathTest, OneLookTellsThatAFileEndsAsItIsCalled) {
  struct Case {
    const char* note;
    const char* path;
    bool want;
  };
  const Case cases[] = {
      {"a file", "src/a.py", true},
      {"a directory", "config", true},
      {"a file that is not there", "src/new.py", true},
      {"nor is its directory", "new/file", true},
      {"below a link: that is not its last name", "conf/new", true},
      {"a link", "link", false},
      {"a link with a slash behind it", "conf/", false},
      {"a link that leads nowhere yet", "dangling", false},
      {"a file with another link", "src/hard.txt", false},
      {"`..` may be another directory than it seems", "conf/../new", false},
      {"/proc says other names", "/proc/self/cwd/new", false},
      {"below a file nothing can be", "src/a.py/x", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(call::keeps_base_name(call::normalise(c.path, dir_ / "p", ""), c.path, dir_ / "p"), c.want);
  }
}

TEST_F(PathTest, WhereCaseDoesNotCountItDoesNotHelp) {
  const FileNames names = call::find_names(".ENV", dir_ / "p", dir_ / "home", true);
  const PathRoots places{dir_ / "p", dir_ / "p", dir_ / "home"};
  bool found = false;
  for (const std::string& name : names.names) found |= call::matches_name(path_glob("**/.env*"), name, places) == Yes;
  EXPECT_TRUE(found);
  EXPECT_EQ(ask_some("**/.env*", edit(".ENV")), No) << "here it is another file";
}

TEST_F(PathTest, AnAllowNeedsEveryName) {
  struct Case {
    const char* note;
    const char* pattern;
    const char* path;
    call::Certainty want;
  };
  const Case cases[] = {
      {"inside", "src/**", "src/a.py", Yes},
      {"not inside", "src/**", "config/prod.key", No},
      {"a link and what it leads to", "{link,.env}", "link", Yes},
      {"its name is fine, what it leads to is not", "link", "link2", No},
      {"a link's name alone", "conf/**", "conf/prod.key", No},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(answer_to(path({c.pattern}), edit(c.path), Every, around()), c.want);
  }
}

TEST_F(PathTest, InShellText) {
  struct Case {
    const char* note;
    const char* pattern;
    const char* text;
    call::Certainty some;
    call::Certainty every;
  };
  const Case cases[] = {
      {"an operand", "**/.env*", "cat .env", Yes, Yes},
      {"one of two", "**/.env*", "cat src/a.py .env", Yes, No},
      {"redirected to", "config/**", "echo x > config/prod.key", Yes, Yes},
      {"quoted", "**/.env*", "cat '.e'\"nv\"", Yes, Yes},
      {"a link", "**/.env*", "cat link", Yes, No},
      {"behind cd", "config/**", "cd config && cat prod.key", Yes, No},
      {"behind cd to a link", "config/**", "cd conf; cat prod.key", Yes, No},
      {"behind cd into the unknown", "config/**", "cd \"$D\" && cat config/prod.key.$N", Maybe, Maybe},
      {"behind cd into the unknown, and nothing points there", "config/**", "cd \"$D\" && cat prod.key", No, No},
      {"a wildcard", "**/.env*", "cat .e??", Yes, Yes},
      {"a wildcard that does not lead there", "**/.env*", "cat src/*.py", No, No},
      {"a variable", "**/.env*", "cat \"$F\"", No, Maybe},
      {"a variable in a text that mentions it", "**/.env*", "cat \"$F\" # .env", Maybe, Maybe},
      {"names from elsewhere", "**/.env*", "cat list | xargs rm", No, No},
      {"names from a list of files that has it", "**/.env*", "find . -type f | xargs rm", Maybe, No},
      {"names from a list that cannot have it", "**/.env*", "find . -name '*.py' | xargs rm", No, No},
      {"names from a shell's own list", "**/.env*", "for f in .e*; do cat \"$f\"; done", Maybe, Maybe},
      {"names from a shell's own list that cannot have it", "**/.env*", "for f in *.py; do cat \"$f\"; done", No,
       Maybe},
      {"a recursive reader", "**/.env*", "grep -r KEY .", Yes, No},
      {"a recursive reader elsewhere", "**/.env*", "grep -r KEY src", No, No},
      {"a recursive reader of other names", "**/.env*", "grep -r --include='*.py' KEY .", No, No},
      {"a reader that leaves hidden files out", "**/.env*", "rg KEY", No, No},
      {"a reader that is told to take them", "**/.env*", "rg --hidden KEY", Yes, No},
      {"a copy of all", "**/.env*", "cp -r . /tmp/x", Yes, No},
      {"an archive", "**/.env*", "tar czf /tmp/x.tgz .", Yes, No},
      {"a revision's file", "**/.env*", "git show HEAD:.env", Yes, No},
      {"code of an interpreter", "**/.env*", "python3 -c 'open(\".env\")'", Maybe, No},
      {"what cannot be read", "**/.env*", "cat 'a", No, No},
      {"what cannot be read and mentions it", "**/.env*", "cat '.env", Maybe, No},
      {"something else beside it", "src/**", "cat src/a.py; reboot", Yes, Maybe},
      {"nothing beside it", "src/**", "cat src/a.py; echo done", Yes, Yes},
      {"words are no files", "**/.env*", "echo .env", No, No},
      {"home", "~/.ssh/**", "cat ~/.ssh/id_rsa", Yes, No},
      {"somebody's home", "~/.ssh/**", "cat ~bob/.ssh/x", Maybe, No},
      {"a patch", "**/.env*", "apply_patch <<'E'\n*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch\nE",
       Yes, Maybe},
      {"a diff", "**/.env*", "git apply <<'E'\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\nE", Yes, Maybe},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Event event = run(c.text);
    EXPECT_EQ(ask_some(c.pattern, event), c.some);
    EXPECT_EQ(answer_to(path({c.pattern}), event, Every, around()), c.every);
  }
}

TEST_F(PathTest, InArgumentsOfEveryAgent) {
  struct Case {
    const char* dialect;
    const char* tool;
    const char* input;
  };
  const Case cases[] = {
      {"claude", "Write", R"({"file_path":".env","content":""})"},
      {"claude", "NotebookEdit", R"({"notebook_path":".env"})"},
      {"claude", "mcp__files__move", R"({"source":".env","destination":"x"})"},
      {"claude", "mcp__files__read_all", R"({"paths":["a",".env"]})"},
      {"claude", "mcp__files__read", R"({"uri":"file:///tmp/.env"})"},
      {"gemini", "read_file", R"({"absolute_path":"/x/.env"})"},
      {"gemini", "write_file", R"({"file_path":"link"})"},
      {"kimi", "WriteFile", R"({"path":".env"})"},
      {"blade", "Write", R"({"filePath":".env"})"},
      {"codex", "apply_patch", R"({"command":"*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch"})"},
      {"codex", "apply_patch", R"({"input":"*** Begin Patch\n*** Update File: a\n*** Move to: .env\n*** End Patch"})"},
      {"codex", "Bash", R"({"command":"cat .env"})"},
      {"agenthooks", "Write", R"({"file_path":".env"})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.dialect) + " " + c.tool + " " + c.input);
    EXPECT_EQ(ask_some("**/.env*", tool_call(c.dialect, c.tool, c.input, dir_ / "p")), Yes);
  }
}

TEST_F(PathTest, ReasonsTellBothNames) {
  HookSpec hook;
  hook.name = "no-env";
  hook.dialect = &kCanonicalDialect;
  hook.when = path({"**/.env*"});
  RuleHandler rule{.verdict = Verdict::Deny, .reason = "{path} is secret"};
  hook.handler = rule;
  const auto reason = [&](const Event& event) {
    const CallContext here = around();
    call::ToolCall subject(event, here);
    const Match match = ask(hook, subject);
    return respond(hook, subject, match)->reasons.at(0).text;
  };
  EXPECT_EQ(reason(edit(".env")), ".env is secret");
  EXPECT_EQ(reason(edit("link")), "link is secret (link leads to .env)");
  rule.reason = "";
  hook.handler = rule;
  EXPECT_EQ(reason(edit("link")), "rule 'no-env': path \"link\" (link leads to .env)");
}

}  // namespace
}  // namespace grapnel::rule
