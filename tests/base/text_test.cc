#include "base/text.h"

#include <rapidcheck.h>

#include <gtest/gtest.h>

namespace grapnel::text {
namespace {

using Parts = std::vector<std::string_view>;

TEST(FormatPosition, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(format_position({"f", 3, 7}), "f:3:7");
  EXPECT_EQ(format_position({"f", 3, 0}), "f:3");
  EXPECT_EQ(format_position({"f", 0, 7}), "f");
  EXPECT_EQ(format_position({"", 3, 7}), "line 3:7");
  EXPECT_EQ(format_position({}), "");
}

TEST(PositionAt, CountsLinesAndBytes) {
  struct Case {
    const char* note;
    const char* content;
    size_t offset;
    uint32_t line, column;
  };
  const Case cases[] = {
      {"the start", "abc", 0, 1, 1},
      {"in the first line", "abc\nd", 2, 1, 3},
      {"the line feed belongs to its line", "abc\nd", 3, 1, 4},
      {"the next line", "abc\nd", 4, 2, 1},
      {"empty lines", "\n\nx", 2, 3, 1},
      {"CRLF", "a\r\nb", 3, 2, 1},
      {"bytes, not characters", "\xC3\xA9x", 2, 1, 3},
      {"the end", "ab\n", 3, 2, 1},
      {"past the end is the end", "ab", 99, 1, 3},
      {"nothing", "", 0, 1, 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const SourcePos at = position_at("f", c.content, c.offset);
    EXPECT_EQ(at.file, "f");
    EXPECT_EQ(at.line, c.line);
    EXPECT_EQ(at.column, c.column);
  }
}

TEST(Trim, TakesWhiteSpaceAndAByteOrderMark) {
  struct Case {
    const char* in;
    const char* want;
  };
  const Case cases[] = {
      {"", ""},
      {"  \t\r\n\v\f ", ""},
      {"a", "a"},
      {" \n a b\t", "a b"},
      {"\xEF\xBB\xBF {} ", "{}"},
      {" \xEF\xBB\xBFx", "\xEF\xBB\xBFx"},
      {"\xC2\xA0x", "\xC2\xA0x"},  // a no-break space is no ASCII
  };
  for (const Case& c : cases) EXPECT_EQ(trim(c.in), c.want) << '[' << c.in << ']';
}

TEST(Split, KeepsEveryPart) {
  EXPECT_EQ(split("a|b|c", '|'), (Parts{"a", "b", "c"}));
  EXPECT_EQ(split("a||b", '|'), (Parts{"a", "", "b"}));
  EXPECT_EQ(split("|", '|'), (Parts{"", ""}));
  EXPECT_EQ(split("", '|'), (Parts{""}));
  EXPECT_EQ(split("abc", '|'), (Parts{"abc"}));
}

TEST(Join, IsTheOppositeOfSplit) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
  EXPECT_TRUE(rc::check("join(split(s)) is s", [](const std::string& s) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(s, 'a')) parts.emplace_back(part);
    RC_ASSERT(join(parts, "a") == s);
  }));
}

#define FFFD "\xEF\xBF\xBD"

TEST(Utf8, EachMistakeBecomesOneReplacement) {
  struct Case {
    const char* note;
    std::string in;
    std::string want;
  };
  const Case cases[] = {
      {"nothing", "", ""},
      {"ASCII", "a\x7F", "a\x7F"},
      {"NUL", std::string("a\0b", 3), std::string("a\0b", 3)},
      {"two bytes", "\xC3\xA9", "\xC3\xA9"},
      {"three bytes", "\xE2\x82\xAC", "\xE2\x82\xAC"},
      {"four bytes", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"the last character", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"a lone continuation", "a\x80z", "a" FFFD "z"},
      {"two of them", "\x80\xBF", FFFD FFFD},
      {"cut after the lead byte", "\xC3", FFFD},
      {"cut in the middle", "\xE2\x82", FFFD},
      {"cut, then something else", "\xE2\x82x", FFFD "x"},
      {"cut, then a character", "\xF0\x9F\x98\xC3\xA9", FFFD "\xC3\xA9"},
      {"overlong slash", "\xC0\xAF", FFFD FFFD},
      {"overlong in three", "\xE0\x80\xAF", FFFD FFFD FFFD},
      {"overlong in four", "\xF0\x80\x80\xAF", FFFD FFFD FFFD FFFD},
      {"a surrogate", "\xED\xA0\x80", FFFD FFFD FFFD},
      {"just below the surrogates", "\xED\x9F\xBF", "\xED\x9F\xBF"},
      {"past the last character", "\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD},
      {"bytes that never occur", "\xFF\xFE\xF5", FFFD FFFD FFFD},
      {"a mistake behind much ASCII", "0123456789abcdef\x80ghi", "0123456789abcdef" FFFD "ghi"},
      {"a character across eight bytes", "0123456\xE2\x82\xAC 89abcdef", "0123456\xE2\x82\xAC 89abcdef"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(to_valid_utf8(c.in), c.want);
    EXPECT_EQ(is_valid_utf8(c.in), c.in == c.want);
  }
}

TEST(Utf8, WhatComesOutIsValidAndStays) {
  EXPECT_TRUE(rc::check("valid stays valid", [](const std::string& bytes) {
    const std::string valid = to_valid_utf8(bytes);
    RC_ASSERT(is_valid_utf8(valid));
    RC_ASSERT(to_valid_utf8(valid) == valid);
  }));
}

TEST(Cap, CutsBetweenCharactersAndSaysSo) {
  struct Case {
    const char* note;
    const char* in;
    size_t limit;
    const char* want;
  };
  const Case cases[] = {
      {"short enough", "abc", 3, "abc"},
      {"one over", "abcd", 3, "abc [1 bytes cut]"},
      {"not through a character", "a\xE2\x82\xAC!", 3, "a [4 bytes cut]"},
      {"after a character", "a\xE2\x82\xAC!", 4, "a\xE2\x82\xAC [1 bytes cut]"},
      {"nothing is left", "abc", 0, " [3 bytes cut]"},
      {"nothing was there", "", 0, ""},
      {"no character at all", "\x80\x80\x80", 2, " [3 bytes cut]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(cap(c.in, c.limit), c.want);
  }
}

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  const Parts events = {"PreToolUse", "PostToolUse", "Stop", "SubagentStop", "tools", "ask"};
  struct Case {
    const char* note;
    std::string word;
    const char* want;
  };
  const Case cases[] = {
      {"a letter left out", "PreTolUse", "PreToolUse"},
      {"a letter too many", "Stopp", "Stop"},
      {"two swapped", "Sotp", "Stop"},
      {"the case does not count", "PRETOOLUSE", "PreToolUse"},
      {"of two near ones the nearer", "PosToolUse", "PostToolUse"},
      {"nothing like it", "Frobnicate", ""},
      {"a short word is not like every other short word", "xy", ""},
      {"one letter suggests nothing", "a", ""},
      {"nor does nothing", "", ""},
      {"a very long word", std::string(1 << 20, 'S'), ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(nearest(c.word, events), c.want);
  }
  EXPECT_EQ(nearest("Stop", {}), "");
  EXPECT_EQ(nearest("cluade", {"blade", "claude"}), "claude") << "two letters swapped are one mistake";
}

TEST(ToLower, IsAboutAsciiAlone) {
  EXPECT_EQ(to_lower("AbZ@[\xC3\x84"), "abz@[\xC3\x84");
}

}  // namespace
}  // namespace grapnel::text
