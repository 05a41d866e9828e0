#include "match/command_rule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grapnel::match {
namespace {

struct Case {
  const char* line;
  std::vector<std::string> commands;
  bool clear = true;
};

TEST(SplitCommands, EverySimpleCommandOfALine) {
  const Case cases[] = {
      {"", {}},
      {"ls", {"ls"}},
      {"  ls   -l  ", {"ls -l"}},
      {"a && b || c; d | e |& f & g\nh", {"a", "b", "c", "d", "e", "f", "g", "h"}},
      {"A=1 B='x y' C=\"a 'b\" D=a\\ b ls", {"ls"}},
      {"A=1 B=2 ls", {"ls"}},
      {"A=1", {"A=1"}},
      {"echo 'a; b' \"c && d\"", {"echo 'a; b' \"c && d\""}},
      {"echo a\\;b", {"echo a\\;b"}},
      {"echo a \\\n b", {"echo a  b"}},
      {"ls 2>&1 | cat &>x", {"ls 2>&1", "cat &>x"}},
      {"echo $(rm x) y", {"rm x", "echo $ y"}},
      {"echo \"$(rm \"x y\")\"", {"rm \"x y\"", "echo \"$\""}},
      {"echo `rm x`", {"rm x", "echo `"}},
      {"diff <(a) <(b)", {"a", "b", "diff < <"}},
      {"(a; b)", {"a", "b"}},
      {"if a; then b; else c; fi", {"a", "b", "c", "fi"}},
      {"while ! a; do b; done", {"a", "b", "done"}},
      {"{ a; }", {"a", "}"}},
      {"echo 'x", {}, false},
      {"echo \"x", {}, false},
      {"echo $(x", {}, false},
      {"cat <<X", {}, false},
      {"f() { a; }", {}, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    const SplitLine split = split_commands(c.line);
    EXPECT_EQ(split.is_clear, c.clear);
    if (!c.clear) continue;
    std::vector<std::string> commands;
    for (const SplitLine::Command& command : split.commands) commands.push_back(command.text);
    EXPECT_EQ(commands, c.commands);
  }
  EXPECT_FALSE(split_commands(std::string(1000, '(')).is_clear) << "too deep";
  EXPECT_FALSE(split_commands(std::string_view("a\0b", 3)).is_clear);
}

TEST(CommandRule, CoversALineOnlyWhenAllOfItFits) {
  struct Row {
    const char* pattern;
    const char* line;
    bool covered;
  };
  const Row rows[] = {
      {"npm *", "npm test", true},
      {"npm *", "npm", true},
      {"npm *", "npm run a && npm run b", true},
      {"npm test", "npm test", true},
      {"npm test", "npm test -- --all", false},
      {"npm *", "npmx", false},
      {"npm *", "npm test; rm -r /", false},
      {"npm *", "npm test | sh", false},
      {"npm *", "npm $(rm -r /)", false},
      {"npm *", "npm `rm -r /`", false},
      {"npm *", "npm run $SCRIPT", false},
      {"npm *", "npm test > /etc/motd", false},
      {"npm * > log", "npm test > log", true},
      {"npm *", "PATH=/tmp npm test", false},
      {"npm *", "npm 'unclosed", false},
      {"npm *", "npm test\nrm x", false},
      {"npm *", "", false},
  };
  for (const Row& row : rows) EXPECT_EQ(CommandRule(row.pattern).covers(row.line), row.covered) << row.line;
}

RC_GTEST_PROP(CommandRuleProperty, ACommandIsFoundBehindOthers, ()) {
  const auto word = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  const std::string name = "x" + *word;  // no word of the shell's grammar starts with an x
  const std::string before =
      *rc::gen::elementOf(std::vector<std::string>{"", "ls; ", "a && ", "A=1 ", "b | ", "(", "$("});
  const std::string after = before == "(" || before == "$(" ? ")" : "";
  RC_ASSERT(CommandRule(name + " *").matches(before + name + " " + *word + after));
  RC_ASSERT(!CommandRule(name + "q *").matches("ls; " + name + " " + *word));
}

RC_GTEST_PROP(CommandRuleProperty, AnyLineCanBeRead, (const std::string& line, const std::string& pattern)) {
  CommandRule(pattern).matches(line);
  const std::string shellish =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab '\"`$()<>&|;\\\n=*")));
  CommandRule("a b *").matches(shellish);
}

}  // namespace
}  // namespace grapnel::match
