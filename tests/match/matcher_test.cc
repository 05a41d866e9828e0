#include "match/matcher.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grapnel {
namespace {

using S = MatchSyntax;

Matcher must_compile(std::string_view pattern, MatchSyntax syntax) {
  auto matcher = Matcher::compile(pattern, syntax);
  EXPECT_TRUE(matcher.has_value()) << pattern << ": " << matcher.error().message;
  return *matcher;
}

TEST(Matcher, reads_each_syntax_its_own_way) {
  struct Case {
    const char* note;
    MatchSyntax syntax;
    const char* pattern;
    std::vector<const char*> matched;
    std::vector<const char*> not_matched;
  };
  const std::vector<Case> cases = {
      {"the whole string", S::Exact, "Bash", {"Bash"}, {"bash", "Bash2", "", "xBash"}},
      {"nothing is special", S::Exact, "*", {"*"}, {"Bash", ""}},
      {"empty means empty", S::Exact, "", {""}, {"a"}},

      {"a list of names", S::NamesOrRegex, "Read | Write|Edit", {"Read", "Write", "Edit"}, {"Reader", "read", "Rea"}},
      {"a regex over the whole", S::NamesOrRegex, "B.sh", {"Bash", "Bush"}, {"xBashy", "Bashy"}},
      {"anchors are implied", S::NamesOrRegex, "^Wri", {}, {"Write", "Wri2"}},
      {"anchors are allowed", S::NamesOrRegex, "^Write$", {"Write"}, {"Write2"}},
      {"parts may be regexes", S::NamesOrRegex, "mcp__.*|Bash", {"mcp__a__b", "Bash"}, {"xmcp__a", "Bash2"}},
      {"a part is compared literally first", S::NamesOrRegex, "Bash(ls)|x", {"Bash(ls)", "Bashls", "x"}, {"Bash"}},
      {"names beside a regex are trimmed", S::NamesOrRegex, "Bash | mcp__.*", {"Bash", "Bash "}, {"Bas"}},
      {"no wildcard: a bad regex means itself", S::NamesOrRegex, "*", {"*"}, {"Bash", ""}},
      {"a bad regex means itself", S::NamesOrRegex, "(unclosed", {"(unclosed"}, {"unclosed"}},
      {"its parts still count", S::NamesOrRegex, "(x|Edit", {"Edit", "(x", "(x|Edit"}, {"x"}},
      {"a command is compared whole", S::NamesOrRegex, "npm *", {"npm", "npm  "}, {"npm test"}},
      {"empty is left out", S::NamesOrRegex, "", {"Bash", ""}, {}},

      {"any", S::NamesOrSearch, "*", {"Bash", ""}, {}},
      {"a name", S::NamesOrSearch, "Bash", {"Bash"}, {"xBash", "BashTool"}},
      {"a list of names", S::NamesOrSearch, "Edit| Write |Delete", {"Edit", "Write"}, {"Read", "Editor"}},
      {"parts are never regexes", S::NamesOrSearch, "mcp__.*|Bash", {"Bash", "mcp__.*"}, {"mcp__a__b"}},
      {"otherwise it is searched", S::NamesOrSearch, ".*Tool$", {"BashTool"}, {"Bash", "Toolx"}},
      {"otherwise it is searched", S::NamesOrSearch, "B.sh", {"xBashy"}, {"Bsh"}},
      {"a prefix", S::NamesOrSearch, "^Wri", {"Write"}, {"aWrite"}},
      {"a command", S::NamesOrSearch, "npm *", {"npm test", "xnpm"}, {"yarn test"}},
      {"a bad regex means itself", S::NamesOrSearch, "(unclosed", {"(unclosed"}, {"unclosed"}},

      {"any", S::ListOrSearch, "*", {"Bash", ""}, {}},
      {"a list, both separators", S::ListOrSearch, "Edit, Write|Read", {"Edit", "Write", "Read"}, {"NotebookEdit"}},
      {"a hyphen is part of a name", S::ListOrSearch, "my-tool", {"my-tool"}, {"my-tool-2"}},
      {"a server is not its tools", S::ListOrSearch, "mcp__github", {"mcp__github"}, {"mcp__github__push"}},
      {"a regex is searched", S::ListOrSearch, "mcp__github__.*", {"mcp__github__push", "xmcp__github__"}, {"mcp__x"}},
      {"a colon makes a regex", S::ListOrSearch, "a:b", {"a:b", "xa:bc"}, {"ab"}},
      {"anchored names", S::ListOrSearch, "^Edit$", {"Edit"}, {"NotebookEdit"}},

      {"a list", S::WordsOrSearch, "Edit|Write", {"Edit", "Write"}, {"NotebookEdit"}},
      {"a hyphen makes a regex", S::WordsOrSearch, "my-tool", {"my-tool", "my-tool-2"}, {"mytool"}},
      {"a comma makes a regex", S::WordsOrSearch, "Edit,Write", {"xEdit,Write"}, {"Edit", "Write"}},

      {"commands, which src/call understands", S::Command, "git push *", {"git push", "ls", "$X"}, {}},

      {"empty is any", S::SearchRegex, "  ", {"x", ""}, {}},
      {"star is any", S::SearchRegex, " * ", {"x", ""}, {}},
      {"searched", S::SearchRegex, "Edit|Write", {"Edit", "EditTool", "xWritey"}, {"edit", "Read"}},
      {"searched", S::SearchRegex, "write_.*", {"write_file", "overwrite_file"}, {"writefile"}},
      {"an empty branch is any", S::SearchRegex, "Edit|", {"Read", ""}, {}},
      {"dot star is any", S::SearchRegex, ".*", {"Read", "", "a\nb"}, {}},
      {"names in disguise", S::SearchRegex, "^(Edit|Write)$", {"Edit", "Write"}, {"EditTool", "Edit\n"}},
      {"names in disguise", S::SearchRegex, "^(?:Edit|Write)$", {"Edit", "Write"}, {"EditTool"}},
      {"anchors bind to one branch only", S::SearchRegex, "^Edit|Write$", {"Edits", "OverWrite"}, {"xEdits"}},
      {"a bad regex means itself", S::SearchRegex, "[invalid-regex", {"[invalid-regex"}, {"invalid-regex", "i"}},
      {"trimmed before it means itself", S::SearchRegex, " (a ", {"(a"}, {" (a "}},

      {"searched", S::StrictRegex, "^rm ", {"rm -rf x"}, {"farm x"}},

      {"empty is any", S::ExactOrAny, "", {"startup", ""}, {}},
      {"star is any", S::ExactOrAny, " *", {"startup"}, {}},
      {"the whole string", S::ExactOrAny, " startup ", {"startup"}, {"resume", "startup2"}},
      {"no alternatives", S::ExactOrAny, "startup|resume", {"startup|resume"}, {"startup"}},

      {"full path", S::Glob, "*.ts", {"a.ts"}, {"src/a.ts"}},
      {"any depth", S::Glob, "**/*.ts", {"a.ts", "/abs/a.ts", "src/a.ts"}, {"index.js"}},
      {"itself", S::Glob, "src/a.ts", {"src/a.ts"}, {"./src/a.ts", "/r/src/a.ts", "src/a.ts/"}},
      {"dot slash is dropped", S::Glob, "./a.ts", {"a.ts", "./a.ts"}, {"x/a.ts"}},
      {"empty is left out", S::Glob, "", {"a"}, {}},
      {"crosses slashes", S::GlobBash, "*.ts", {"src/main.ts", ".a.ts"}, {"a.js"}},
      {"a command", S::GlobBash, "npm test*", {"npm test", "npm test:unit", "npm test src/a.ts"}, {"npm install"}},
      {"base name", S::GlobMatchBase, "*.ts", {"a/b/c.ts", "a.ts"}, {"a.js"}},
      {"alternatives", S::GlobMatchBase, "*.ts | src/**", {"x/a.ts", "src/b"}, {"x/a.js", "src"}},
      {"alternatives split groups", S::GlobMatchBase, "@(a|b)", {"@(a", "b)"}, {"a", "b"}},
      {"a comment matches nothing", S::GlobMatchBase, "#a|b", {"b"}, {"#a", "a"}},
      {"no relativising", S::GlobMatchBase, "src/*.ts", {"src/a.ts"}, {"/repo/src/a.ts"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.pattern);
    const Matcher matcher = must_compile(c.pattern, c.syntax);
    for (const char* subject : c.matched) EXPECT_TRUE(matcher.matches(subject)) << subject;
    for (const char* subject : c.not_matched) EXPECT_FALSE(matcher.matches(subject)) << subject;
  }
}

TEST(Matcher, knows_what_it_is) {
  struct Case {
    MatchSyntax syntax;
    const char* pattern;
    bool everything;
    std::optional<std::vector<std::string>> names;
    bool literal;
    const char* description;
  };
  using Names = std::vector<std::string>;
  const std::vector<Case> cases = {
      {S::Exact, "Bash", false, Names{"Bash"}, false, "exactly Bash"},
      {S::NamesOrRegex, "Write|Edit", false, Names{"Edit", "Write"}, false, "exactly Edit or Write"},
      {S::NamesOrRegex, "mcp__.*", false, {}, false, "regex /mcp__.*/ (whole)"},
      {S::NamesOrRegex, "*", false, Names{"*"}, true, "literally * (not a valid regex)"},
      {S::NamesOrSearch, "*", true, {}, false, "anything"},
      {S::SearchRegex, "", true, {}, false, "anything"},
      {S::SearchRegex, "Edit|Write", false, {}, false, "regex /Edit|Write/ (search)"},
      {S::SearchRegex, "^Edit$", false, Names{"Edit"}, false, "exactly Edit"},
      {S::SearchRegex, "[x", false, Names{"[x"}, true, "literally [x (not a valid regex)"},
      {S::ExactOrAny, "startup", false, Names{"startup"}, false, "exactly startup"},
      {S::Glob, "src/a.ts", false, Names{"src/a.ts"}, false, "exactly src/a.ts"},
      {S::Glob, "src/**", false, {}, false, "glob src/**"},
      {S::GlobBash, "npm *", false, {}, false, "glob npm * (* crosses /)"},
      {S::GlobMatchBase, "*.ts", false, {}, false, "glob *.ts (base name)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    const Matcher matcher = must_compile(c.pattern, c.syntax);
    EXPECT_EQ(matcher.matches_everything(), c.everything);
    EXPECT_EQ(matcher.exact_names(), c.names);
    EXPECT_EQ(matcher.fell_back_to_literal(), c.literal);
    EXPECT_EQ(matcher.describe(), c.description);
    EXPECT_EQ(matcher.pattern(), c.pattern);
    EXPECT_EQ(matcher.syntax(), c.syntax);
  }
}

TEST(Matcher, refuses_with_a_reason) {
  struct Case {
    const char* note;
    MatchSyntax syntax;
    std::string pattern;
    Errc code;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"strict", S::StrictRegex, "ab(c", Errc::InvalidPattern, "bad regex: missing ) at byte 2"},
      {"strict", S::StrictRegex, "a**", Errc::InvalidPattern, "bad regex: nothing to repeat at byte 2"},
      {"Claude refuses too", S::ListOrSearch, "[a", Errc::InvalidPattern, "bad regex: missing ] at byte 0"},
      {"good ECMAScript that no engine runs is never taken literally", S::SearchRegex, "(?<=a+)b", Errc::InvalidPattern,
       "regex not supported: lookbehind assertion is not fixed length"},
      {"too many repetitions", S::SearchRegex, "a{1001}", Errc::LimitExceeded,
       "bad regex: more than 1000 repetitions at byte 1"},
      {"too large when compiled", S::SearchRegex, "((a{100}){100}){100}", Errc::LimitExceeded,
       "bad regex: invalid repetition size: {100}"},
      {"too long", S::SearchRegex, std::string(20'000, '.'), Errc::LimitExceeded,
       "bad regex: longer than 16384 bytes at byte 16384"},
      {"too long", S::Exact, std::string(70'000, 'a'), Errc::LimitExceeded, "the pattern is longer than 65536 bytes"},
      {"too much together", S::GlobMatchBase, "{1..400}a|{1..400}b", Errc::LimitExceeded, "the globs are too large"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.pattern.substr(0, 40));
    const auto matcher = Matcher::compile(c.pattern, c.syntax);
    ASSERT_FALSE(matcher.has_value());
    EXPECT_EQ(matcher.error().code, c.code);
    EXPECT_EQ(matcher.error().message, c.message);
  }
}

TEST(Matcher, runs_a_guard_whose_regex_gave_up) {
  const Matcher matcher = must_compile("^(?=(a+)+$)x", S::SearchRegex);
  const std::string hostile = std::string(64, 'a') + "bx";
  EXPECT_EQ(matcher.try_match(hostile), MatchOutcome::Limit);
  EXPECT_TRUE(matcher.matches(hostile));
  EXPECT_EQ(matcher.try_match("b"), MatchOutcome::No);
}

RC_GTEST_PROP(MatcherLaws, exact_names_are_all_it_matches, ()) {
  const auto syntax = *rc::gen::element(S::Exact, S::NamesOrRegex, S::NamesOrSearch, S::ListOrSearch, S::SearchRegex,
                                        S::ExactOrAny, S::Glob);
  const auto words = rc::gen::container<std::string>(rc::gen::element('a', 'b', '|', ' ', '^', '$', '(', ')', '*'));
  const auto matcher = Matcher::compile(*words, syntax);
  RC_PRE(matcher.has_value());
  const auto names = matcher->exact_names();
  RC_PRE(names.has_value());
  for (const std::string& name : *names) RC_ASSERT(matcher->matches(name));
  const std::string subject = *rc::gen::container<std::string>(rc::gen::element('a', 'b', '|', ' '));
  RC_ASSERT(matcher->matches(subject) == (std::ranges::find(*names, subject) != names->end()));
}

}  // namespace
}  // namespace grapnel
