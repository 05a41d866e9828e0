#include "shell/parse.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "shell/shell_words.h"

namespace grapnel::shell {
namespace {

std::vector<std::string> programs_of(const ParsedCommand& parsed) {
  std::vector<std::string> out;
  for (const SimpleCommand& command : parsed.commands) out.push_back(command.words.at(0).text);
  return out;
}

// How texts are read is shown by the tables of tests/call, which see through wrappers as well.
TEST(ParseText, ListsWhatTheTextSaysAndNothingElse) {
  EXPECT_EQ(programs_of(parse("a; (b | c) && d $(e)")), (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(programs_of(parse("sudo bash -c 'rm x'")), std::vector<std::string>{"sudo"});
}

TEST(ParseText, AsksWhatACommandRuns) {
  const Unwrap runs_rest = [](const SimpleCommand& command, const Feed&) -> std::vector<Inner> {
    if (command.words[0].text == "say") return {{.wrapper = "say", .script = command.words.at(1).text}};
    return {};
  };
  const ParsedCommand parsed = parse("say 'a; say b'", runs_rest);
  EXPECT_EQ(programs_of(parsed), (std::vector<std::string>{"say", "a", "say", "b"}));
  EXPECT_EQ(parsed.commands[3].wrappers, (std::vector<std::string>{"say", "say"}));
}

TEST(ParseText, TellsBlocksApart) {
  for (const char* text : {"if a; then b; fi", "for x in a; do b; done", "while a; do b; done", "{ a; }", "f() { a; }",
                           "case a in b) c;; esac", "for ((;;)); do a; done", "select x in a; do b; done"}) {
    EXPECT_TRUE(parse(text).has_blocks) << text;
  }
  for (const char* text : {"a", "a && b | c; d", "(a; b)", "! a", "a $(b)", "a 'if b; then c; fi'"}) {
    EXPECT_FALSE(parse(text).has_blocks) << text;
  }
}

TEST(ShellWords, HaveTheirTraits) {
  EXPECT_TRUE(is_reserved("if") && is_reserved("export") && !is_reserved("echo") && !is_reserved("git"));
  EXPECT_TRUE(frames_command("then") && frames_command("!") && !frames_command("case") && !frames_command("echo"));
  EXPECT_TRUE(is_shell_word("if") && is_shell_word("echo") && is_shell_word("cd") && !is_shell_word("git"));
  EXPECT_TRUE(needs_own_shell("cd") && !needs_own_shell("echo") && !needs_own_shell("git"));
  EXPECT_TRUE(is_shell("fish") && is_shell("bash") && !is_shell("python"));
  EXPECT_TRUE(is_posix_shell("bash") && !is_posix_shell("fish") && !is_posix_shell("python"));
}

}  // namespace
}  // namespace grapnel::shell
