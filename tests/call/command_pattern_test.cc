#include "call/command_pattern.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "call/commands.h"

namespace grapnel::call {
namespace {

bool may_match(std::string_view pattern, std::string_view line) {
  return CommandPattern(pattern).matches(commands_of(line)) != Certainty::No;
}

bool covers(std::string_view pattern, std::string_view line) {
  return CommandPattern(pattern).covers(commands_of(line));
}

// What the pattern's own words mean.
TEST(CommandPattern, FitsTextAsItIsDocumented) {
  struct Row {
    const char* note;
    const char* pattern;
    const char* line;
    bool matches;
  };
  const Row rows[] = {
      {"the whole command", "npm test", "npm test", true},
      {"and nothing behind it", "npm test", "npm test -x", false},
      {"a trailing star ends at a word", "git push *", "git push", true},
      {"with words", "git push *", "git push -f origin", true},
      {"not inside a word", "git push *", "git pushd", false},
      {"the other spelling", "rm:*", "rm -rf /", true},
      {"of a word's end", "rm:*", "rmdir x", false},
      {"without a blank", "npm run*", "npm runner", true},
      {"in the middle", "git * main", "git push origin main", true},
      {"and another end", "git * main", "git push origin dev", false},
      {"a star spans words and slashes", "cat */secret *", "cat a b/c/secret d", true},
      {"many blanks", "git   push *", "git  push  x", true},
      {"quotes of the pattern", "echo \"a b\"", "echo 'a b'", true},
      {"are no words apart", "echo a b", "echo 'a b'", false},
      {"a star in quotes is itself", "echo '*' x", "echo y x", false},
      {"nor a name with a blank", "git push *", "'git push' x", false},
      {"a redirection", "* > /etc/*", "echo x > /etc/passwd", true},
      {"written otherwise", "* >/etc/*", "echo x 2> /etc/passwd", true},
      {"to elsewhere", "* > /etc/*", "echo x > /tmp/y", false},
      {"any other redirection", "npm test", "npm test > log", true},
      {"an assignment alone", "PATH=*", "PATH=/tmp", true},
      {"several commands are none", "a && b", "a && b", false},
  };
  for (const Row& row : rows) EXPECT_EQ(may_match(row.pattern, row.line), row.matches) << row.note << ": " << row.line;
}

// One rule as deny or ask sees it, and as allow does.
TEST(CommandPattern, SeesThroughSpellingsButAllowsNone) {
  struct Row {
    const char* line;
    bool denied = true;
    bool allowed = false;
  };
  const Row rows[] = {
      {"git push", true, true},
      {"git push origin main", true, true},
      {"git  push   'origin'", true, true},
      {"g\"i\"t push", true, true},
      {"git push && git push -f", true, true},
      {"(git push)", true, true},
      {"! git push", true, true},
      {"time git push", true, true},
      {"git push # later", true, true},
      {"git pushd", false, false},
      {"git pull", false, false},
      {"echo git push", false, false},
      {"git log --grep push", false, false},
      {"git commit -m 'git push'", false, false},
      {"cat <<X\ngit push\nX", false, false},
      {"sudo git push"},
      {"sudo -u me git push"},
      {"git -C . push"},
      {"git -c a.b=c push"},
      {"git --git-dir=x push"},
      {"git --no-pager push"},
      {"bash -c 'git push'"},
      {"sh -lc \"git push\""},
      {"/usr/bin/git push"},
      {"/tmp/evil/git push"},
      {"./git push"},
      {"env X=1 git push"},
      {"env LD_PRELOAD=x git push"},
      {"LD_PRELOAD=x git push"},
      {"(cd x && git push)"},
      {"$(git push)"},
      {"`git push`"},
      {"echo $(git push)"},
      {"diff <(git push) x"},
      {"ls; git push"},
      {"ls | xargs git push"},
      {"xargs git"},
      {"find . -exec git push ;"},
      {"if true; then git push; fi"},
      {"f() { git push; }; f"},
      {"for PATH in /tmp; do git push; done"},
      {"{ git push; }"},
      {"[[ -n $(git push) ]]"},
      {"[ -n \"$(git push)\" ] && git push"},
      {"[[ a -eq 'b[$(rm x)]' ]] && git push"},
      {"(( x = y )); git push"},
      {"bash <<X\ngit push\nX"},
      {"echo git push | sh"},
      {"echo Z2l0IHB1c2g= | base64 -d | sh"},
      {"eval git push"},
      {"ssh host git push"},
      {"timeout 5 nice git push"},
      {"time -o f git push"},
      {"git push > log"},
      {"git push 2>&1"},
      {"git push < file"},
      {"git push <<< x"},
      {"git $VERB"},
      {"git push $BRANCH"},
      {"$CMD push"},
      {"git${IFS}push"},
      {"{git,push}"},
      {"X=git; $X push"},
      {"gi? push"},
      {"git 'push"},
      {"python3 -c 'os.system(\"git push\")'"},
      {"PATH=/tmp; git push"},
      {"export PATH=/tmp; git push"},
      {"git push; rm x"},
      {"git push | tee log"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(may_match("git push *", row.line), row.denied) << row.line;
    EXPECT_EQ(covers("git push *", row.line), row.allowed) << row.line;
  }
}

TEST(CommandPattern, CoversALineOnlyWhenAllOfItFits) {
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
      {"npm * > log", "npm test >log", true},
      {"npm * > log", "npm test", false},
      {"npm * > log", "npm test > /etc/motd > log", false},
      {"npm * > log", "npm test > log 2>&1", false},
      {"npm *", "PATH=/tmp npm test", false},
      {"npm *", "npm 'unclosed", false},
      {"npm *", "npm test\nrm x", false},
      {"npm *", "npm test\nnpm run x", true},
      {"npm *", "", false},
      {"npm *", "'npm run' x", false},
      {"ls *", "bash -c 'ls'", false},
      {"ls *", "sudo ls", false},
      {"ls *", "ls *.c", true},
      {"ls *", "l? x", false},
      {"sudo *", "sudo git push", true},
      {"bash *", "bash -c 'rm x'", true},
      {"/usr/bin/git *", "/usr/bin/git push", true},
      {"/usr/bin/git *", "git push", false},
      {"A=*", "A=1", false},
      {"npm *", "NPM=1", false},
      {"echo \"$HOME\" *", "echo $HOME x", false},
      {"git push -f *", "git push --force", false},
      {"git push *", "git -C . push", false},
  };
  for (const Row& row : rows) EXPECT_EQ(covers(row.pattern, row.line), row.covered) << row.pattern << ": " << row.line;
}

RC_GTEST_PROP(CommandPatternProperty, ACommandIsFoundBehindOthers, ()) {
  const auto word = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  const std::string name = "x" + *word;  // no word of the shell's grammar starts with an x, and no known program
  RC_PRE(!name.starts_with("xargs") && name != "xxd");
  const std::string before =
      *rc::gen::elementOf(std::vector<std::string>{"", "ls; ", "a && ", "A=1 ", "b | ", "(", "$("});
  const std::string after = before == "(" || before == "$(" ? ")" : "";
  RC_ASSERT(may_match(name + " *", before + name + " " + *word + after));
  RC_ASSERT(!may_match(name + "q *", "ls; " + name + " " + *word));
}

RC_GTEST_PROP(CommandPatternProperty, AnyLineCanBeRead, (const std::string& line, const std::string& pattern)) {
  may_match(pattern, line);
  covers(pattern, line);
  const std::string shellish =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab '\"`$()<>&|;\\\n=*")));
  may_match("a b *", shellish);
  // Whoever allows a line by a pattern could also be told that the line matches it.
  if (covers("a *", shellish)) RC_ASSERT(may_match("a *", shellish));
}

}  // namespace
}  // namespace grapnel::call
