#include "match/regex.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "match/required_text.h"

namespace grapnel::match {
namespace {

struct Row {
  const char* pattern;
  std::vector<std::string_view> matched;
  std::vector<std::string_view> not_matched;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.pattern);
    const auto regex = Regex::compile(row.pattern, Regex::Anchor::Search);
    ASSERT_TRUE(regex.has_value()) << regex.error().message;
    for (const auto subject : row.matched) EXPECT_EQ(regex->match(subject), MatchOutcome::Yes) << subject;
    for (const auto subject : row.not_matched) EXPECT_EQ(regex->match(subject), MatchOutcome::No) << subject;
  }
}

// clang-format off
// What `new RegExp(pattern).test(subject)` answers in Node 20.
TEST(Regex, reads_patterns_as_ecmascript_does) {
  expect_rows({
    // pattern, matched, not matched
    {"a.c", {"abc", "aéc"}, {"a\nc", "a\015c", "a\342\200\250c"}},
    {"^a$", {"a"}, {"a\n", "\na", "b"}},
    {"^a$|b", {"xb", "ab"}, {}},
    {"\\d+", {"x1"}, {"x", "١"}},
    {"^\\w+$", {"ab_1"}, {"é", "a-b"}},
    {"^\\s$", {" ", "\013", "\302\240", "\357\273\277", "\342\200\203"}, {"a"}},
    {"^\\S$", {"a", "é"}, {" ", "\302\240", "\342\200\250"}},
    {"^[\\s]$", {" ", "\302\240"}, {"a"}},
    {"^[^\\s]$", {"a"}, {" ", "\343\200\200"}},
    {"^[\\S]$", {"a", "\343\200\201"}, {" ", "\343\200\200"}},
    {"\\bfoo\\b", {"a foo b", "foo", "éfoo"}, {"afoo"}},
    {"a\\/b", {"a/b"}, {"ab"}},
    {"\\u0041", {"A"}, {"a"}},
    {"\\u00e9", {"é"}, {"e"}},
    {"\\ud83d\\ude00", {"😀"}, {"x"}},
    {"\\x41", {"A"}, {"x41"}},
    {"\\u004", {"u004"}, {}},
    {"\\x4", {"x4"}, {}},
    {"\\cA", {"\001"}, {"cA"}},
    {"\\c1", {"\\c1"}, {"c1"}},
    {"\\0", {{"\000", 1}}, {"0"}},
    {"\\A\\z\\Z\\Q\\E\\h\\p", {"AzZQEhp"}, {"x"}},
    {"\\a\\e", {"ae"}, {"\007\033"}},
    {"(?<n>a)b", {"ab"}, {"b"}},
    {"(?<n>a)\\k<n>", {"aa"}, {"ab"}},
    {"\\k<n>", {"k<n>"}, {"n"}},
    {"(a)\\1", {"aa"}, {"a"}},
    {"\\1(a)", {"a"}, {"b"}},
    {"(a)|\\1b", {"a", "b"}, {}},
    {"\\101", {"A"}, {"101"}},
    {"\\8", {"8"}, {}},
    {"(a)\\01", {"a\001"}, {"aa"}},
    {"[\\c_]", {"\037"}, {"c", "_"}},
    {"(?:a|b)c", {"ac", "bc"}, {"c"}},
    {"(?=a)a", {"a"}, {"b"}},
    {"a(?!b)", {"ac", "a"}, {"ab"}},
    {"(?<=a)b", {"ab"}, {"cb"}},
    {"(?<!a)b", {"cb", "b"}, {"ab"}},
    {"(?=a)*b", {"b"}, {}},
    {"[]", {}, {"a", ""}},
    {"[^]", {"a", "\n"}, {""}},
    {"[a-]", {"-", "a"}, {"b"}},
    {"[\\w-.]", {"-", ".", "a"}, {"!"}},
    {"[a-\\d]", {"-", "a", "5"}, {"b"}},
    {"[[:alpha:]]", {":]", "a]", "[]"}, {"a"}},
    {"[\\b]", {"\010"}, {"b"}},
    {"[\\]]", {"]"}, {"a"}},
    {"[.*+?^${}()|]", {".", "^", "}"}, {"a", "\\"}},
    {"[é-ï]", {"ê"}, {"e"}},
    {"[\\u0041-\\u0043]", {"B"}, {"D"}},
    {"a{2}", {"aa"}, {"a"}},
    {"a{2,}", {"aaa"}, {"a"}},
    {"a{,2}", {"a{,2}"}, {"aa"}},
    {"a{", {"a{"}, {"a"}},
    {"a{b}", {"a{b}"}, {"ab"}},
    {"{", {"{"}, {"a"}},
    {"{}", {"{}"}, {}},
    {"a}", {"a}"}, {"a"}},
    {"a]", {"a]"}, {"a"}},
    {"a+?b", {"aab"}, {"b"}},
    {"a{1,2}?", {"a"}, {}},
    {"x*", {"", "y"}, {}},
    {"a|", {"", "b"}, {}},
    {"()", {"", "b"}, {}},
    {"$a", {}, {"a", ""}},
    {"a$b", {}, {"ab"}},
    {"^^a", {"a"}, {}},
    {"[^a]", {"b", "\n"}, {"a"}},
    {"a#b c", {"a#b c"}, {}},
    {"日本", {"日本語"}, {"日"}},
    {"mcp__[^_]+__.*", {"mcp__gh__push"}, {"mcp__gh"}},
    {"^(?!.*Read).*$", {"Write"}, {"ReadFile"}},
    {"^(Bash|Edit)(?!Tool)", {"Bash", "Edit"}, {"BashTool"}},
    {"rm\\s+-rf?\\s", {"rm -rf /", "rm  -r x"}, {"rm x"}},
  });
}
// clang-format on

TEST(Regex, differs_on_purpose_from_ecmascript) {
  expect_rows({
      // inline flags and Python's group names: errors there, but a guard that uses them should guard
      {"(?i)bash", {"Bash", "BASH"}, {"ash"}},
      {"(?i:b)ash", {"Bash"}, {"BASH"}},
      {"a(?-i:b)", {"ab"}, {"aB"}},
      {"(?s)a.b", {"a\nb"}, {"ab"}},
      {"(?s:a.b)c.d", {"a\nbcxd"}, {"a\nbc\nd"}},
      {"(?P<n>a)b", {"ab"}, {"b"}},
      // a character is a code point
      {"^.$", {"\xF0\x9F\x98\x80"}, {"ab"}},
      {"^[\xF0\x9F\x98\x80]$", {"\xF0\x9F\x98\x80"}, {"a"}},
      // bytes that are no text still are something
      {"^a.b$",
       {"a\xFF"
        "b"},
       {"ab"}},
  });
}

TEST(Regex, refuses_what_ecmascript_refuses) {
  for (const char* pattern : {"(",
                              "a(b",
                              "a)",
                              "[a",
                              "a[",
                              "*",
                              "+a",
                              "?",
                              "a**",
                              "a++",
                              "a*+",
                              "a{2}{3}",
                              "a??b+*",
                              "(?",
                              "(?<",
                              "(?<n",
                              "(?<1>a)",
                              "(?>a)",
                              "(?#c)",
                              "(?R)",
                              "(?1)",
                              "(*ACCEPT)",
                              "\\",
                              "a\\",
                              "[b-a]",
                              "[z-\\u0041]",
                              "a{3,2}",
                              "^*",
                              "$+",
                              "\\b+",
                              "(?<n>a)(?<n>b)",
                              "(?<n>a)\\k<m>",
                              "(?<n>a)\\k",
                              "(?<=a)*",
                              "|*",
                              "(|+)",
                              "(?:",
                              "(?=",
                              "{1}",
                              "[\\d-a-\\w"}) {
    SCOPED_TRACE(pattern);
    const auto regex = Regex::compile(pattern, Regex::Anchor::Search);
    ASSERT_FALSE(regex.has_value());
    EXPECT_EQ(regex.error().kind, RegexError::Kind::Syntax) << regex.error().message;
  }
}

TEST(Regex, says_where_it_went_wrong) {
  struct Case {
    const char* pattern;
    size_t offset;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"ab(c", 2, "missing )"},
      {"ab)c", 2, "unmatched )"},
      {"a[b", 1, "missing ]"},
      {"a[c-b]", 5, "range out of order in character class"},
      {"a(?z)", 1, "invalid group"},
      {"x+*", 2, "nothing to repeat"},
      {"a\\", 1, "\\ at the end of the pattern"},
      {"a{2,1}", 1, "numbers out of order in {} quantifier"},
      {"\xFF", 0, "not valid UTF-8"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto regex = Regex::compile(c.pattern, Regex::Anchor::Search);
    ASSERT_FALSE(regex.has_value());
    EXPECT_EQ(regex.error().offset, c.offset);
    EXPECT_EQ(regex.error().message, c.message);
  }
}

TEST(Regex, anchors_at_both_ends_on_demand) {
  struct Case {
    const char* pattern;
    const char* subject;
    MatchOutcome want;
  };
  const std::vector<Case> cases = {
      {"a|ab", "ab", MatchOutcome::Yes},
      {"a|b", "ab", MatchOutcome::No},
      {"a", "a\n", MatchOutcome::No},
      {"(?=a)a|(?=a)ab", "ab", MatchOutcome::Yes},
      {"(?=a)a|(?=b)b", "ab", MatchOutcome::No},
      {"(?=a).*$", "ab\n", MatchOutcome::No},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    const auto regex = Regex::compile(c.pattern, Regex::Anchor::Whole);
    ASSERT_TRUE(regex.has_value()) << regex.error().message;
    EXPECT_EQ(regex->match(c.subject), c.want);
  }
}

TEST(Regex, gives_up_instead_of_hanging) {
  const auto regex = Regex::compile("^(?=((a+)+)+$)b", Regex::Anchor::Search);
  ASSERT_TRUE(regex.has_value());
  EXPECT_EQ(regex->match(std::string(5000, 'a') + "cb"), MatchOutcome::Limit);
  const auto linear = Regex::compile("^((a+)+)+$", Regex::Anchor::Search);
  ASSERT_TRUE(linear.has_value());
  EXPECT_EQ(linear->match(std::string(5000, 'a') + "c"), MatchOutcome::No);
}

TEST(Regex, copes_with_deep_matches_of_large_subjects) {
  const auto regex = Regex::compile("^(?:(?=.)[^x])*y$", Regex::Anchor::Search);
  ASSERT_TRUE(regex.has_value());
  EXPECT_NE(regex->match(std::string(100'000, 'a') + "y"), MatchOutcome::No);
}

TEST(RequiredText, is_in_everything_that_matches) {
  struct Case {
    const char* pattern;
    std::string want;
  };
  const Case cases[] = {
      {"abc", "abc"},
      {"curl.*token[0-9]+$", "token"},
      {"^rm -rf\\b", "rm -rf"},
      {"a\\.env\\/x", "a.env/x"},
      {"abcd?ef", "abc"},
      {"abcd*", "abc"},
      {"ab+cde", "cde"},
      {"abc{2}de", "ab"},
      {"abc{0,}", "ab"},
      {"(abc)?de", "de"},
      {"(?:abc|d)ef(?=ghij)", "ef"},
      {"[abc]de[]fgh]", "fgh]"},
      {"abc|de", ""},
      {"(?i)abc", ""},
      {"abc(?i:d)", ""},
      {"\\x41bc", ""},
      {"\\u0041bc", ""},
      {"(a)bc\\1", ""},
      {"a{b", ""},
      {"é", ""},
      {"xéyz", "yz"},
      {"", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    EXPECT_EQ(required_text(c.pattern), c.want);
  }
}

TEST(Regex, whose_engine_comes_later_matches_alike) {
  for (const char* pattern : {"a.c", "^a$", "(a)\\1", "x(?=y)", "(?i)AbC"}) {
    SCOPED_TRACE(pattern);
    const auto now = Regex::compile(pattern, Regex::Anchor::Search);
    const Regex later = Regex::known(pattern, Regex::Anchor::Search);
    for (const char* subject : {"abc", "a", "aa", "xy", "x", "", "ABC"}) {
      EXPECT_EQ(later.match(subject), now->match(subject)) << subject;
    }
  }
  EXPECT_EQ(Regex::known("(", Regex::Anchor::Search).match("a"), MatchOutcome::Limit) << "a guard runs";
}

}  // namespace
}  // namespace grapnel::match
