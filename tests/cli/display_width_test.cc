#include "cli/display_width.h"

#include <rapidcheck.h>

#include <gtest/gtest.h>

#include "base/text.h"

namespace grapnel::cli {
namespace {

TEST(DisplayWidth, IsWhatATerminalShows) {
  struct Case {
    const char* text;
    size_t want;
  };
  for (const Case& c : std::vector<Case>{
           {"", 0},
           {"abc", 3},
           {"Prüfung", 7},
           {"Pru\u0308fung", 7},  // u and a mark
           {"…", 1},
           {"日本語", 6},
           {"한국", 4},
           {"ｆｕｌｌ", 8},
           {"ガ", 2},
           {"カ\u3099", 2},  // the same with a mark
           {"✅ ok", 5},
           {"✓ ok", 4},
           {"🔒", 2},
           {"❤\uFE0F", 1},
           {"→", 1},
           {"\xFF", 1},  // no UTF-8
       }) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(display_width(c.text), c.want);
  }
}

TEST(CutToWidth, ShowsWhereSomethingIsMissing) {
  struct Case {
    const char* note;
    const char* text;
    size_t width;
    Keep keep;
    const char* want;
  };
  for (const Case& c : std::vector<Case>{
           {"fits", "abcdef", 6, Keep::Start, "abcdef"},
           {"one too many", "abcdef", 5, Keep::Start, "abcd…"},
           {"only room for the ellipsis", "abcdef", 1, Keep::Start, "…"},
           {"no room", "abcdef", 0, Keep::Start, ""},
           {"the end of a path", "/home/you/.claude/settings.json", 15, Keep::End, "…/settings.json"},
           {"a wide character does not fit by half", "日本語", 4, Keep::Start, "日…"},
           {"nor at the start", "日本語", 4, Keep::End, "…語"},
           {"exactly", "日本語", 5, Keep::Start, "日本…"},
           {"a mark stays with its letter", "u\u0308berall", 3, Keep::Start, "u\u0308b…"},
           {"no mark without its letter", "abcu\u0308d", 2, Keep::End, "…d"},
       }) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(cut_to_width(c.text, c.width, c.keep), c.want);
  }
}

TEST(CutToWidth, NeverIsWiderAndStaysUtf8) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& picks, uint8_t width) {
    constexpr const char* kPieces[] = {"a", "é", "e\u0301", "日", "🔒", "…", "\u0301"};
    std::string text;
    for (const uint8_t pick : picks) text += kPieces[pick % std::size(kPieces)];
    for (const Keep keep : {Keep::Start, Keep::End}) {
      const std::string cut = cut_to_width(text, width % 40, keep);
      RC_ASSERT(display_width(cut) <= width % 40);
      RC_ASSERT(text::is_valid_utf8(cut));
      RC_ASSERT(display_width(text) > width % 40 || cut == text);
    }
  }));
}

TEST(WrapWords, BreaksAtSpaces) {
  struct Case {
    const char* note;
    const char* text;
    size_t indent, width;
    const char* want;
  };
  for (const Case& c : std::vector<Case>{
           {"fits", "one two", 2, 9, "one two"},
           {"does not fit", "one two", 2, 8, "one\n  two"},
           {"a word that is too long", "a verylongword b", 0, 5, "a\nverylongword\nb"},
           {"wide characters", "日本 日本", 0, 8, "日本\n日本"},
           {"nothing", "", 2, 8, ""},
       }) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(wrap_words(c.text, c.indent, c.width), c.want);
  }
}

}  // namespace
}  // namespace grapnel::cli
