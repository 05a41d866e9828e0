#include "json/escapes.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grapnel/json.h"

namespace grapnel::json {
namespace {

/// Byte by byte, as the grammar has it.
size_t slow_skip(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '"' || byte < 0x20 || byte >= 0x80) return at;
    const bool is_escape = byte == '\\';
    if (is_escape && (at + 1 == text.size() || !std::string_view("\"\\/bfnrt").contains(text[at + 1]))) return at;
    at += is_escape ? 2 : 1;
  }
  return at;
}

std::string text_of(const std::vector<std::string>& pieces) {
  std::string out;
  for (const std::string& piece : pieces) out += piece;
  return out;
}

/// Mostly escapes, and now and then one of what ends them.
rc::Gen<std::string> some_text() {
  const auto piece = rc::gen::weightedElement<std::string>({{9, "\\\\"},
                                                            {9, "\\n"},
                                                            {9, "\\\""},
                                                            {5, "\\t"},
                                                            {3, "\\/"},
                                                            {3, "\\r"},
                                                            {3, "\\b"},
                                                            {3, "\\f"},
                                                            {20, "a"},
                                                            {20, "some words "},
                                                            {1, "\\u0041"},
                                                            {1, "\\x"},
                                                            {1, "\""},
                                                            {1, "\x1F"},
                                                            {1, "\xC3\xA9"}});
  return rc::gen::map(rc::gen::scale(3.0, rc::gen::container<std::vector<std::string>>(piece)), text_of);
}

RC_GTEST_PROP(Escapes, AreSkippedAsTheGrammarHasIt, ()) {
  const std::string text = "\\" + *some_text();
  const std::string_view all = text;
  const auto reached = static_cast<size_t>(skip_simple_escapes(all.begin(), all.end()) - all.begin());
  const size_t want = slow_skip(text);
  RC_CLASSIFY(reached >= 64);
  RC_ASSERT(reached <= want);
  // It may end sooner only near the end, and then between two escapes.
  if (reached < want) RC_ASSERT(text.size() - reached <= 64U);
  RC_ASSERT(reached + slow_skip(all.substr(reached)) == want);
}

RC_GTEST_PROP(Escapes, OfAnOddNumberOfBackslashes, ()) {
  const auto bits = *rc::gen::container<std::vector<bool>>(128, rc::gen::arbitrary<bool>());
  bool first_is_escaped = *rc::gen::arbitrary<bool>();
  bool is_escaped = first_is_escaped;
  for (size_t begin : {0U, 64U}) {
    uint64_t backslashes = 0, want = 0;
    for (size_t i = 0; i < 64; ++i) {
      const bool is_backslash = bits[begin + i];
      if (is_backslash) backslashes |= uint64_t{1} << i;
      if (is_escaped) want |= uint64_t{1} << i;
      is_escaped = is_backslash && !is_escaped;
    }
    const uint64_t found = find_escaped(backslashes, first_is_escaped);
    RC_ASSERT((found & ~backslashes) == (want & ~backslashes));
    RC_ASSERT(first_is_escaped == is_escaped);
  }
}

TEST(Escapes, ThatAreWrongAreToldWhereTheyAre) {
  struct Case {
    const char* note;
    std::string text;
    uint32_t column;
  };
  const std::string many(62, 'x');
  const Case cases[] = {
      {"behind many", "\"\\n" + many + "\\x\"", 66},
      {"over the end of a block", "\"\\n" + std::string(61, 'x') + "\\x" + many + "\"", 65},
      {"in the next block", "\"\\n" + many + many + "\\q" + many + "\"", 128},
      {"a digit that is none", "\"\\n" + many + "\\u00g0" + many + "\"", 66},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto read = Json::parse(c.text);
    ASSERT_FALSE(read.has_value());
    ASSERT_TRUE(read.error().at.has_value()) << read.error().message;
    EXPECT_EQ(read.error().at->column, c.column) << read.error().message;
  }
}

}  // namespace
}  // namespace grapnel::json
