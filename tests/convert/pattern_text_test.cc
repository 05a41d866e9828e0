#include "convert/pattern_text.h"

#include <gtest/gtest.h>

/// Patterns of one syntax written in another: what is read from the result must be what was meant.
namespace grapnel {

namespace {

struct PatternCase {
  const char* note;
  const char* pattern;
  MatchSyntax from;
  MatchSyntax to;
  const char* want;  ///< "" when it cannot be said
};

constexpr PatternCase kPatternCases[] = {
    {"a name", "Bash", MatchSyntax::ListOrSearch, MatchSyntax::SearchRegex, "^Bash$"},
    {"a list", "Edit|Write", MatchSyntax::ListOrSearch, MatchSyntax::StrictRegex, "^(Edit|Write)$"},
    {"a list and back", "^(Edit|Write)$", MatchSyntax::SearchRegex, MatchSyntax::ListOrSearch, "Edit|Write"},
    {"a list with commas", "Edit, Write", MatchSyntax::ListOrSearch, MatchSyntax::NamesOrRegex, "Edit|Write"},
    {"a name with a hyphen", "a-b", MatchSyntax::ListOrSearch, MatchSyntax::WordsOrSearch, "^a-b$"},
    {"a name with a dot", "a.b", MatchSyntax::Exact, MatchSyntax::NamesOrRegex, "^a\\.b$"},
    {"names with dots", "^(a\\.b|c)$", MatchSyntax::StrictRegex, MatchSyntax::NamesOrRegex, "a\\.b|c"},
    {"one of a few", "startup|resume", MatchSyntax::ListOrSearch, MatchSyntax::ExactOrAny, ""},
    {"a star that is a name", "*", MatchSyntax::Exact, MatchSyntax::ListOrSearch, "^\\*$"},

    {"part of a name is no list", "Edit|Write", MatchSyntax::SearchRegex, MatchSyntax::ListOrSearch, "(?:Edit|Write)"},
    {"and back", "(?:Edit|Write)", MatchSyntax::ListOrSearch, MatchSyntax::SearchRegex, "Edit|Write"},
    {"part of a name, read whole", "Edit", MatchSyntax::SearchRegex, MatchSyntax::NamesOrRegex,
     "[\\s\\S]*(?:Edit)[\\s\\S]*"},
    {"and back", "[\\s\\S]*(?:Edit)[\\s\\S]*", MatchSyntax::NamesOrRegex, MatchSyntax::SearchRegex, "Edit"},
    {"the whole, searched", "mcp__.*", MatchSyntax::NamesOrRegex, MatchSyntax::ListOrSearch, "^(?:mcp__.*)$"},
    {"and back", "^(?:mcp__.*)$", MatchSyntax::ListOrSearch, MatchSyntax::NamesOrRegex, "mcp__.*"},
    {"a bar is a list there", "a.*|b.*", MatchSyntax::SearchRegex, MatchSyntax::NamesOrSearch, ""},
    {"a regex among names alone", "a.*", MatchSyntax::SearchRegex, MatchSyntax::ExactOrAny, ""},

    {"base names at any depth", "*.ts", MatchSyntax::GlobMatchBase, MatchSyntax::Glob, "**/*.ts"},
    {"and back", "**/*.ts", MatchSyntax::Glob, MatchSyntax::GlobMatchBase, "*.ts"},
    {"a path", "src/*.ts", MatchSyntax::Glob, MatchSyntax::GlobMatchBase, "src/*.ts"},
    {"here alone", "*.ts", MatchSyntax::Glob, MatchSyntax::GlobMatchBase, ""},
    {"a glob is no regex", "*.ts", MatchSyntax::Glob, MatchSyntax::NamesOrRegex, ""},
    {"a rule over commands", "git *", MatchSyntax::Command, MatchSyntax::NamesOrRegex, ""},
};

TEST(PatternText, IsWrittenInAnotherSyntax) {
  for (const PatternCase& c : kPatternCases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.pattern);
    const auto patterns = pattern_texts(*Matcher::compile(c.pattern, c.from));
    EXPECT_EQ(write_patterns(patterns, c.to).value_or(""), c.want);
  }
}

TEST(PatternText, PeelsMatchingGroupsOnly) {
  EXPECT_EQ(peel("(?:a|b)", "(?:", ")"), "a|b");
  EXPECT_EQ(peel("(?:a)|(?:b)", "(?:", ")"), std::nullopt);
  EXPECT_EQ(peel("(?:a[)]b)", "(?:", ")"), "a[)]b");
  EXPECT_EQ(peel("(?:a\\)", "(?:", ")"), std::nullopt);
  EXPECT_EQ(peel("^(?:a(b)c)$", "^(?:", ")$"), "a(b)c");
}

TEST(PatternText, SplitsOutsideGroups) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_alternatives("a|b"), (Parts{"a", "b"}));
  EXPECT_EQ(split_alternatives("a(b|c)|d"), (Parts{"a(b|c)", "d"}));
  EXPECT_EQ(split_alternatives("a[|]b"), (Parts{"a[|]b"}));
  EXPECT_EQ(split_alternatives("a\\|b|"), (Parts{"a\\|b", ""}));
}

}  // namespace

}  // namespace grapnel
