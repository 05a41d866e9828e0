#include "match/glob.h"

#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "match/brace.h"

namespace grapnel::match {
namespace {

struct GlobCase {
  const char* note;
  GlobStyle style;
  const char* pattern;
  const char* subject;
  bool want;
};

void expect_cases(const std::vector<GlobCase>& cases) {
  for (const GlobCase& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.pattern + " ~ " + c.subject);
    const auto glob = Glob::compile(c.pattern, c.style);
    ASSERT_TRUE(glob.has_value()) << glob.error().message;
    EXPECT_EQ(glob->matches(c.subject), c.want);
  }
}

TEST(Glob, differs_on_purpose_from_the_libraries) {
  expect_cases({
      {"differs: picomatch reads [!a] as a or !", kPicomatch, "[!a]b", "bb", true},
      {"differs: picomatch reads [!a] as a or !", kPicomatch, "[!a]b", "ab", false},
      {"differs: picomatch reads [1-12]", kPicomatch, "{1..12}.txt", "10.txt", true},
      {"differs: picomatch reads 01..03 as text", kPicomatch, "{01..03}", "02", true},
      {"differs: picomatch refuses any name that starts with test", kPicomatch, "src/!(test)/*.ts", "src/testing/x.ts",
       true},
      {"differs: picomatch refuses any name that starts with foo", kPicomatch, "!(foo).js", "foobar.js", true},
      {"differs: picomatch wants one more segment", kPicomatch, "/**/a", "/a", true},
      {"differs: picomatch wants a slash in braces", kPicomatch, "{**/*.ts,x}", "a.ts", true},
      {"differs: picomatch reads \\b as a word boundary", kPicomatch, "a\\b", "ab", true},
      {"differs: picomatch drops quotes", kPicomatch, "\"a\"*", "\"a\"b", true},
      {"differs: picomatch lets ** match .. once", kPicomatchBash, "src/**", "src/../a", false},
      {"differs: picomatch lets a .. hide a command", kPicomatchBash, "rm *", "rm a/../b", true},
      {"differs: picomatch lets a line break hide a command", kPicomatchBash, "rm *", "rm a\nb", true},
      {"differs: picomatch stops at a line break", kPicomatch, "**/*.ts", "a\nb/c.ts", true},
      {"differs: picomatch takes .. for a file", kPicomatch, ".*", "..", false},
      {"differs: minimatch wants more behind the group", kMinimatchBase, "@(a|b)*", "a", true},
      {"differs: minimatch forgets the dot behind a group", kMinimatchBase, "?(a)*", ".x", false},
      {"differs: in JavaScript an astral character is two", kPicomatch, "?", "\xF0\x9F\x98\x80", true},
      {"differs: minimatch takes letters of every script", kMinimatchBase, "[[:alpha:]]", "\xC3\xA9", false},
  });
}

TEST(Glob, text_that_a_subject_needs_is_looked_for_first) {
  expect_cases({
      {"there", kRulePath, "**/.env*", "a/.env.local", true},
      {"not there", kRulePath, "**/.env*", "a/env", false},
      {"in another segment than the one that counts", kRulePath, ".env*", ".env/a", false},
      {"there, and yet no match", kRulePath, "**/.env", "a/.envrc", false},
      {"of one alternative only", kRulePath, "{long-name,b}.c", "b.c", true},
      {"in a group it may be missing", kPicomatch, "?(long)a", "a", true},
      {"in a class it is not text", kRulePath, "[abc]x", "cx", true},
      {"runs end at wildcards", kRulePath, "ab*cd", "abXcd", true},
      {"a pattern without any", kRulePath, "**", "a/b", true},
      {"negated", kPicomatch, "!*.ts", "a.js", true},
      {"by doubled slashes", kRulePath, "src//*.py", "src/a.py", true},
  });
}

TEST(Glob, knows_when_it_is_about_the_base_name_alone) {
  struct BaseCase {
    const char* note;
    GlobStyle style;
    const char* pattern;
    bool want;
  };
  const BaseCase cases[] = {
      {"anywhere", kRulePath, "**/.env*", true},
      {"without a slash", kRulePath, "*.pem", true},
      {"its own text is a name, too, and not of that kind", kRulePath, "**/{.env*,*.pem}", false},
      {"one of them is about a directory", kRulePath, "{.env*,secrets/*}", false},
      {"a directory in it", kRulePath, "**/secrets/*", false},
      {"everything below", kRulePath, "secrets/**", false},
      {"from the root", kRulePath, "/*.pem", false},
      {"no wildcard: a link of that name may lead to another file", kRulePath, "**/.env", false},
      {"a class may be more than it seems", kRulePath, "**/[id]*", false},
      {"so may a group", kRulePath, "**/@(a|b)*", false},
      {"turned round", kRulePath, "!**/.env*", false},
      {"dots are guarded everywhere", kMinimatchBase, "*.pem", false},
      {"without a slash it is the whole path", kPicomatchBash, "*.pem", false},
  };
  for (const BaseCase& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.pattern);
    const auto glob = Glob::compile(c.pattern, c.style);
    ASSERT_TRUE(glob.has_value());
    EXPECT_EQ(glob->is_about_base_name(), c.want);
    if (!c.want) continue;
    for (const std::string base : {".env", ".env.local", "a.pem", ".pem", "env", "b", "*.pem", ".env*"}) {
      const bool alone = glob->matches(base);
      for (const char* directory : {"/", "/a/", "a/", ".git/", "/.x/b/", "**/", "a.pem/", ".env/", "{.env*,*.pem}/"}) {
        EXPECT_EQ(glob->matches(directory + base), alone) << directory << base;
      }
    }
  }
}

TEST(Glob, takes_malformed_groups_for_what_they_are) {
  expect_cases({
      {"open bracket", kPicomatch, "a[b*", "a[bc", true},
      {"open brace", kPicomatch, "a{b*", "a{bc", true},
      {"open group", kMinimatchBase, "@(a*", "@(ab", true},
      {"backslash at the end", kPicomatch, "a*\\", "ab\\", true},
      {"empty branch", kPicomatch, "a@(|b)c", "ac", true},
      {"empty class never closes", kPicomatch, "x[]*", "x[]y", true},
      {"a range the wrong way round holds nothing", kMinimatchBase, "x[c-a]y", "xby", false},
      {"not UTF-8", kPicomatch, "?x", "\xFFx", true},
      {"empty subject", kPicomatch, "*", "", false},
      {"empty subject, negated", kPicomatch, "!a", "", false},
  });
}

TEST(Glob, loops_and_negations_nest) {
  expect_cases({
      {"a loop around what may be nothing", kPicomatch, "*(a|?(b))c", "abbac", true},
      {"a loop around a loop", kPicomatch, "+(+(a)b)c", "aababc", true},
      {"a loop that must run", kPicomatch, "+(a|b)c", "c", false},
      {"a loop around a star", kPicomatch, "x+(*)y", "xabcy", true},
      {"a loop of loops of nothing", kPicomatch, "*(*(*(a)))b", "aaab", true},
      {"a negation in a choice", kPicomatch, "x@(!(a)|b)", "xa", false},
      {"a negation in a choice", kPicomatch, "x@(!(a)|b)", "xc", true},
      {"a choice in a negation", kMinimatchBase, "x!(@(a|b)c)", "xbc", false},
      {"dots inside a run of characters", kMinimatchBase, "*(?)", "x.y", true},
      {"no dot at its start", kMinimatchBase, "*(?)", ".y", false},
  });
}

TEST(Glob, stays_fast_on_hostile_patterns) {
  const std::clock_t started = std::clock();  // of the processor: a busy machine is none of it
  const std::string as(20'000, 'a');
  std::string stars;
  std::string nested = "a";
  for (int i = 0; i < 30; ++i) {
    stars += "*a";
    nested = "+(" + nested + "|a)";
  }
  for (const std::string& pattern : {stars + "b", "**/" + stars + "b", nested + "b", std::string("*(*(*(a)))b")}) {
    const auto glob = Glob::compile(pattern, kPicomatch);
    ASSERT_TRUE(glob.has_value()) << pattern;
    EXPECT_FALSE(glob->matches(as)) << pattern;
  }
  std::string braces;
  for (int i = 0; i < 200; ++i) braces += "{a,b}";
  const auto glob = Glob::compile(braces, kPicomatch);
  ASSERT_TRUE(glob.has_value());
  EXPECT_TRUE(glob->matches(std::string(200, 'b')));
  EXPECT_LT((std::clock() - started) / CLOCKS_PER_SEC, 30);
}

TEST(Glob, refuses_what_is_over_a_limit) {
  std::string deep = "a";
  for (int i = 0; i < 40; ++i) deep = "@(" + deep + ")";
  std::string many;
  for (int i = 0; i < 11; ++i) many += "{a,b}";
  const std::vector<std::pair<const GlobStyle*, std::string>> cases = {
      {&kPicomatch, std::string(5000, 'a')},
      {&kPicomatch, deep},
      {&kPicomatch, "{1..2000}"},
      {&kMinimatchBase, many},
      {&kMinimatchBase, "{1..99999}"},
      {&kPicomatch, "{1..900}{1..900}{1..900}"},
  };
  for (const auto& [style, pattern] : cases) {
    SCOPED_TRACE(pattern.substr(0, 40));
    const auto glob = Glob::compile(pattern, *style);
    ASSERT_FALSE(glob.has_value());
    EXPECT_EQ(glob.error().code, Errc::LimitExceeded);
  }
}

TEST(Braces, expand_as_in_a_shell) {
  struct Expansion {
    const char* pattern;
    std::vector<std::string> want;
  };
  const std::vector<Expansion> cases = {
      {"a", {"a"}},
      {"{a,b}c", {"ac", "bc"}},
      {"x{a,b{c,d}}", {"xa", "xbc", "xbd"}},
      {"{a,b}{1,2}", {"a1", "a2", "b1", "b2"}},
      {"{1..3}", {"1", "2", "3"}},
      {"{3..1}", {"3", "2", "1"}},
      {"{-1..1}", {"-1", "0", "1"}},
      {"{08..10}", {"08", "09", "10"}},
      {"{a..e..2}", {"a", "c", "e"}},
      {"{a}", {"{a}"}},
      {"{a,b", {"{a,b"}},
      {"\\{a,b\\}", {"\\{a,b\\}"}},
      {"${a,b}", {"${a,b}"}},
      {"{,x}", {"", "x"}},
      {"{}", {"{}"}},
  };
  for (const Expansion& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto got = expand_braces(c.pattern, 100);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(*got, c.want);
  }
}

}  // namespace
}  // namespace grapnel::match
