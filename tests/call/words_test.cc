#include "call/words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "call/commands.h"

namespace grapnel::call {
namespace {

constexpr auto kNo = Certainty::No;
constexpr auto kMaybe = Certainty::Maybe;
constexpr auto kYes = Certainty::Yes;

// clang-format off
TEST(Words, ComparesLeadingWords) {
  struct WordsCase { const char* text; std::vector<std::string> pattern; Certainty want; };
  const std::vector<WordsCase> cases = {
    {"git push", {"git", "push"}, kYes},
    {"git push origin main", {"git", "push"}, kYes},
    {"/usr/bin/git push", {"git", "push"}, kYes},
    {"/usr/bin/git push", {"/usr/bin/git", "push"}, kYes},
    {"git push", {"/usr/bin/git", "push"}, kNo},
    {"git pushd", {"git", "push"}, kNo},
    {"git commit -m push", {"git", "push"}, kNo},
    {"git", {"git", "push"}, kNo},
    {"git -C dir push", {"git", "push"}, kYes},
    {"git -c a=b --no-pager push", {"git", "push"}, kYes},
    {"git -C push status", {"git", "push"}, kNo},
    {"cargo +nightly publish", {"cargo", "publish"}, kYes},
    {"tool -x value push", {"tool", "push"}, kMaybe},
    {"tool --x=value push", {"tool", "push"}, kYes},
    {"git remote add push", {"git", "*", "push"}, kYes},
    {"git push", {"git", "*", "push"}, kYes},
    {"git push", {"git", "*"}, kYes},
    {"npm run deploy:prod", {"npm", "run", "deploy:*"}, kYes},
    {"npm run test", {"npm", "run", "deploy:*"}, kNo},
    {"npm run $X", {"npm", "run", "deploy:*"}, kMaybe},
    {"git push -f", {"git", "push", "--force"}, kYes},
    {"git push", {"git", "push", "--force"}, kNo},
    {"$X", {"git", "push"}, kMaybe},
    {"g$X push", {"git", "push"}, kMaybe},
    {"x$X push", {"git", "push"}, kMaybe},
    {"\"$X\" push", {"git", "push"}, kMaybe},
    {"\"$X\" pull", {"git", "push"}, kMaybe},
    {"\"$X/ls\" push", {"git", "push"}, kNo},
    {"\"$X/git\" push", {"git", "push"}, kYes},
    {"git $X", {"git", "push"}, kMaybe},
    {"git pu$X", {"git", "push"}, kMaybe},
    {"git status $X", {"git", "push"}, kNo},
    {"git pu*", {"git", "push"}, kMaybe},
    {"/bin/r? x", {"rm"}, kMaybe},
    {"/bin/r? x", {"ls"}, kMaybe},
    {"xargs git", {"git", "push"}, kMaybe},
    {"A=1", {"git"}, kNo},
    {"echo 'git push'", {"git", "push"}, kNo},
    {"echo 'x", {"git", "push"}, kMaybe},
  };
  for (const WordsCase& c : cases) {
    SCOPED_TRACE(std::string(c.text) + " / " + c.pattern.back());
    EXPECT_EQ(any_matches(commands_of(c.text), c.pattern), c.want);
  }
}

TEST(Words, FindsFlagsHoweverSpelled) {
  struct WordsCase { const char* text; const char* flag; Certainty want; };
  const std::vector<WordsCase> cases = {
    {"rm -rf x", "-f", kYes},
    {"rm -rf x", "-r", kYes},
    {"rm -rf x", "-rf", kYes},
    {"rm -r x -f", "-rf", kYes},
    {"rm -r x", "-rf", kNo},
    {"rm -R x", "-r", kYes},
    {"rm --recursive x", "-r", kYes},
    {"rm --rec x", "-r", kYes},
    {"rm -f x", "--force", kYes},
    {"rm --forc x", "--force", kYes},
    {"rm --i x", "--force", kNo},
    {"rm -- -rf", "-f", kNo},
    {"rm a-f", "-f", kNo},
    {"rm \"$X\"", "-f", kMaybe},
    {"rm $X", "-f", kMaybe},
    {"rm \"$X/a.txt\"", "-f", kNo},
    {"rm \"a$X\"", "-f", kNo},
    {"rm -- $X", "-f", kNo},
    {"rm -$X", "-f", kMaybe},
    {"rm \u2013f", "-f", kMaybe},
    {"xargs rm", "-f", kMaybe},
    {"git push --force", "-f", kYes},
    {"git push --force-with-lease", "--force", kNo},
    {"git push --force", "--force-with-lease", kNo},
    {"git push --force-with-lease=x", "--force-with-lease", kYes},
    {"git commit -mfix", "-f", kNo},
    {"git commit -am fix", "-a", kYes},
    {"tool --dry", "--dry-run", kNo},
    {"tool --dr", "--dry-run", kMaybe},
    {"curl -ofile x", "-o", kYes},
    {"curl -ofile x", "-f", kNo},
    {"curl --output=x", "-o", kYes},
    {"find . -delete", "-delete", kYes},
    {"find . -delete", "-d", kNo},
    {"find . -name delete", "-delete", kNo},
    {"kill -9 1", "-9", kYes},
    {"tool -abcdefgh", "-h", kMaybe},
    {"$X -f", "-g", kMaybe},
  };
  for (const WordsCase& c : cases) {
    SCOPED_TRACE(std::string(c.text) + " / " + c.flag);
    const ParsedCommand parsed = commands_of(c.text);
    const bool is_wrapped = parsed.commands.back().wrappers == std::vector<std::string>{"xargs"};
    EXPECT_EQ(has_flag(is_wrapped ? parsed.commands.back() : parsed.commands.front(), c.flag), c.want);
  }
}

TEST(Words, AllowsOnlyWhatIsSureAsAWhole) {
  struct WordsCase { const char* text; Certainty want; };
  const std::vector<WordsCase> cases = {
    {"git status", kYes},
    {"git status && ls -la | ls", kYes},
    {"git status; rm x", kNo},
    {"git status $(rm x)", kNo},
    {"ls $X", kYes},
    {"$X status", kMaybe},
    {"ls; $X", kMaybe},
    {"sudo ls", kNo},
    {"ls 'x", kMaybe},
    {"", kNo},
    {"A=1", kNo},
    {"ls | sh", kNo},
  };
  for (const WordsCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(all_match(commands_of(c.text), {{"git", "status"}, {"ls"}}), c.want);
  }
}
// clang-format on

TEST(Words, KnowsWhatAPatternStandsFor) {
  struct WordsCase {
    const char* note;
    const char* text;
    std::vector<std::string> pattern;
    std::vector<WordRange> want;  ///< none when it is not sure
  };
  const WordsCase cases[] = {
      {"words", "git push origin", {"git", "push"}, {{0, 1}, {1, 2}}},
      {"a star at the end takes the rest", "pip install a b", {"pip", "install", "*"}, {{0, 1}, {1, 2}, {2, 4}}},
      {"or nothing", "pip install", {"pip", "install", "*"}, {{0, 1}, {1, 2}, {2, 2}}},
      {"each star takes a word", "cp a b", {"cp", "*", "*"}, {{0, 1}, {1, 2}, {2, 3}}},
      {"options are stepped over", "git -C dir push", {"git", "push"}, {{0, 1}, {3, 4}}},
      {"flags stand for no word", "rm -rf x", {"rm", "-r"}, {{0, 1}, {1, 1}}},
      {"no match", "git pull", {"git", "push"}, {}},
      {"not sure", "git $X", {"git", "push"}, {}},
  };
  for (const WordsCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(align_words(commands_of(c.text).commands.at(0), c.pattern).value_or(std::vector<WordRange>{}), c.want);
  }
}

}  // namespace
}  // namespace grapnel::call
