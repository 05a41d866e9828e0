#include <string>

#include <gtest/gtest.h>

#include "grapnel/json.h"

namespace grapnel {
namespace {

constexpr JsonReadOptions kWithComments{.comments = true};

std::string nested(size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonRead, AcceptsWhatTheGrammarAllows) {
  struct Case {
    const char* note;
    std::string in;
  };
  const Case cases[] = {
      {"null", "null"},
      {"true", "true"},
      {"false", "false"},
      {"zero", "0"},
      {"minus zero", "-0"},
      {"fraction", "-0.5"},
      {"exponents", "[1e5,1E+5,1.5e-05,0e0]"},
      {"more digits than a double holds", "123456789012345678901234567890.1234567890123456789"},
      {"empty string", R"("")"},
      {"simple escapes", R"("\"\\\/\b\f\n\r\t")"},
      {"unicode escapes", R"("\u00e9\u20AC\ud83d\ude00")"},
      {"escaped NUL", R"("\u0000")"},
      {"lone surrogates are grammatical", R"(["\ud800","\udc00","\ud800x","\ud800\u0041"])"},
      {"DEL is no control character", "\"\x7f\""},
      {"UTF-8 of every length", "\"\u00e9\u20ac\U0001f600\""},
      {"edges of UTF-8", "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
      {"empty containers", R"([{},[],{"":{}}])"},
      {"white space of every kind", " \t\r\n{ \"a\" :\t[ 1 ,\r\n 2 ] } \n"},
      {"long white space", "[" + std::string(100, ' ') + "1" + std::string(9, ' ') + "]"},
      {"byte-order mark", "\xEF\xBB\xBF{}"},
      {"duplicate keys", R"({"a":1,"a":2})"},
      {"as deep as allowed", nested(256)},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto strict = Json::parse(c.in);
    EXPECT_TRUE(strict.has_value()) << strict.error().to_string();
    EXPECT_TRUE(Json::parse(c.in, kWithComments).has_value());
  }
}

TEST(JsonRead, SaysWhereAndWhatIsWrong) {
  struct Case {
    const char* note;
    std::string in;
    uint32_t line, column;
    const char* message;
  };
  const Case cases[] = {
      {"nothing", "", 1, 1, "expected a value, found the end of the text"},
      {"only white space", " \n ", 2, 2, "expected a value, found the end of the text"},
      {"only a byte-order mark", "\xEF\xBB\xBF", 1, 4, "expected a value"},
      {"a word", "nul", 1, 1, "expected a value, found 'nul'"},
      {"a Python word", "[True]", 1, 2, "expected a value, found 'True'"},
      {"NaN", "NaN", 1, 1, "found 'NaN'"},
      {"a very long word", std::string(200, 'x'), 1, 1, "found 'xxxxxxxxxxxxxxxxxxxxxxxx…'"},
      {"single quotes", "{'a':1}", 1, 2, "expected a key in double quotes, found a single quote"},
      {"a bare key", "{a:1}", 1, 2, "expected a key in double quotes, found 'a'"},
      {"no colon", "{\"a\" 1}", 1, 6, "expected ':' after a key, found '1'"},
      {"no value", "{\"a\":}", 1, 6, "expected a value, found '}'"},
      {"no comma between members", "{\"a\":1\n \"b\":2}", 2, 2, "expected ',' or '}' after a member, found a string"},
      {"no comma between elements", "[1 2]", 1, 4, "expected ',' or ']' after an element, found '2'"},
      {"wrong bracket", "[1}", 1, 3, "expected ',' or ']' after an element, found '}'"},
      {"comma before a bracket", "[1,]", 1, 4, "expected a value, found ']'"},
      {"comma before a brace", "{\"a\":1,}", 1, 8, "expected a key in double quotes, found '}'"},
      {"comma first", "[,1]", 1, 2, "expected a value, found ','"},
      {"unclosed object", "{\n \"a\": 1", 2, 8, "found the end of the text (the '{' at line 1:1 is not closed)"},
      {"unclosed array", "[[1,2]", 1, 7, "(the '[' at line 1:1 is not closed)"},
      {"two documents", "{}\n{}", 2, 1, "expected the end of the text, found '{'"},
      {"rubbish after the document", "1 x", 1, 3, "expected the end of the text, found 'x'"},
      {"closing twice", "[]]", 1, 3, "expected the end of the text, found ']'"},
      {"comment in strict JSON", "{} // x", 1, 4, "expected the end of the text, found a comment"},
      {"leading zero", "[012]", 1, 2, "a number cannot have leading zeros"},
      {"plus", "+1", 1, 1, "expected a value, found '+'"},
      {"minus alone", "-", 1, 2, "expected a digit in a number, found the end of the text"},
      {"minus word", "-Infinity", 1, 2, "expected a digit in a number, found 'Infinity'"},
      {"point first", ".5", 1, 1, "expected a value, found '.'"},
      {"point last", "[1.]", 1, 4, "expected a digit after the decimal point, found ']'"},
      {"no exponent", "1e", 1, 3, "expected a digit in the exponent"},
      {"signed nothing", "1e+", 1, 4, "expected a digit in the exponent"},
      {"hexadecimal", "0x10", 1, 2, "expected the end of the text, found 'x10'"},
      {"open string", "[\"abc", 1, 2, "this string is not closed"},
      {"open string after a backslash", "\"abc\\", 1, 5, "unknown escape"},
      {"line break in a string", "\"a\nb\"", 1, 3, "a line break inside a string"},
      {"tab in a string", "\"a\tb\"", 1, 3, "control character inside a string: byte 0x09"},
      {"NUL in a string", std::string("\"a\0b\"", 5), 1, 3, "control character inside a string: byte 0x00"},
      {"NUL after the document", std::string("1\0", 2), 1, 2, "expected the end of the text, found byte 0x00"},
      {"NUL for a value", std::string("[\0]", 3), 1, 2, "expected a value, found byte 0x00"},
      {"unknown escape", R"("\x41")", 1, 2, "unknown escape in a string: a backslash before 'x41'"},
      {"short unicode escape", R"("\u12")", 1, 2, "expected four hexadecimal digits after \\u"},
      {"wrong unicode escape", R"("\u12g4")", 1, 2, "expected four hexadecimal digits after \\u"},
      {"other white space", "[\v1]", 1, 2, "expected a value, found byte 0x0b"},
      {"no-break space", "\u00a01", 1, 1, "expected a value, found '\u00a0'"},
      {"bad byte outside strings", "[\xff]", 1, 2, "expected a value, found byte 0xff"},
      {"columns count bytes", "[\"\u20ac\",x]", 1, 8, "found 'x'"},
      {"late in a long string", "\"" + std::string(100, 'a') + "\x01\"", 1, 102, "byte 0x01"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto got = Json::parse(c.in);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, Errc::BadInput);
    EXPECT_NE(got.error().message.find(c.message), std::string::npos) << got.error().message;
    EXPECT_EQ(got.error().at, (SourcePos{"", c.line, c.column}));
  }
}

TEST(JsonRead, RejectsInvalidUtf8) {
  struct Case {
    const char* note;
    std::string in;
  };
  const Case cases[] = {
      {"lone continuation", "\x80"},
      {"overlong slash", "\xC0\xAF"},
      {"overlong, two bytes", "\xC1\xBF"},
      {"cut after one", "\xC3"},
      {"cut after two", "\xE2\x82"},
      {"cut after three", "\xF0\x9F\x98"},
      {"overlong, three bytes", "\xE0\x9F\xBF"},
      {"surrogate", "\xED\xA0\x80"},
      {"last surrogate", "\xED\xBF\xBF"},
      {"overlong, four bytes", "\xF0\x8F\xBF\xBF"},
      {"beyond U+10FFFF", "\xF4\x90\x80\x80"},
      {"lead byte of five", "\xF8\x88\x80\x80\x80"},
      {"0xFF", "\xFF"},
      {"good, then bad", "\xC3\xA9\xC3("},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    for (const std::string& text : {"\"" + c.in + "\"", "{\"" + c.in + "\":1}", "[1 /*" + c.in + "*/]"}) {
      const auto got = Json::parse(text, kWithComments);
      ASSERT_FALSE(got.has_value());
      EXPECT_NE(got.error().message.find("invalid UTF-8: byte 0x"), std::string::npos) << got.error().message;
    }
  }
}

TEST(JsonRead, CommentsAndTrailingCommas) {
  struct Case {
    const char* note;
    std::string in;
    const char* want;  ///< compact, or null for a failure
  };
  const Case cases[] = {
      {"line comment", "// a\n1", "1"},
      {"line comment at the end of the text", "1 // a", "1"},
      {"line comment ended by CR", "// a\r1", "1"},
      {"block comment", "/* a\n * b **/1/**/", "1"},
      {"everywhere", "/*1*/{/*2*/\"a\"/*3*/:/*4*/[/*5*/1/*6*/,/*7*/2/*8*/]/*9*/,/*10*/}/*11*/", R"({"a":[1,2]})"},
      {"trailing commas", "[{\"a\":1,},[2,],]", R"([{"a":1},[2]])"},
      {"trailing comma and comment", "[1, // one\n]", "[1]"},
      {"comment signs in a string", R"({"a":"// /* */"})", R"({"a":"// /* */"})"},
      {"comma alone", "[,]", nullptr},
      {"two trailing commas", "[1,,]", nullptr},
      {"comma alone in an object", "{,}", nullptr},
      {"comma after the document", "1,", nullptr},
      {"open block comment", "1 /* a *", nullptr},
      {"slash alone", "1 /", nullptr},
      {"hash comment", "# a\n1", nullptr},
      {"nested block comment", "/* /* */ */1", nullptr},
      {"NUL in a comment", std::string("//\0\n1", 5), nullptr},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto got = Json::parse(c.in, kWithComments);
    ASSERT_EQ(got.has_value(), c.want != nullptr) << got.error().to_string();
    if (got) {
      EXPECT_EQ(got->dump(), c.want);
    }
  }
}

TEST(JsonRead, OpenCommentIsReportedWhereItBegins) {
  const auto got = Json::parse("{\n  /* never closed }", kWithComments);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().to_string(), "line 2:3: this comment is not closed");
}

TEST(JsonRead, Limits) {
  struct Case {
    const char* note;
    std::string in;
    JsonReadOptions options;
    bool good;
  };
  const Case cases[] = {
      {"deeper than the default", nested(257), {}, false},
      {"depth 2 of 2", "[[1]]", {.max_depth = 2}, true},
      {"depth 3 of 2", "[[[1]]]", {.max_depth = 2}, false},
      {"siblings do not add up", "[[],[],[{}]]", {.max_depth = 3}, true},
      {"scalars have no depth", "1", {.max_depth = 0}, true},
      {"containers have", "[]", {.max_depth = 0}, false},
      {"as long as allowed", "[1,2]", {.max_bytes = 5}, true},
      {"one byte more", "[1,2] ", {.max_bytes = 5}, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto got = Json::parse(c.in, c.options);
    ASSERT_EQ(got.has_value(), c.good);
    if (!got) {
      EXPECT_EQ(got.error().code, Errc::LimitExceeded) << got.error().message;
    }
  }
}

TEST(JsonRead, AHundredThousandLevelsNeedNoStack) {
  constexpr size_t kDepth = 100'000;
  const JsonReadOptions deep{.max_depth = kDepth};
  std::string text;
  for (size_t i = 0; i < kDepth / 2; ++i) text += R"({"a":[ )";
  for (size_t i = 0; i < kDepth / 2; ++i) text += "]}";
  const Json a = *Json::parse(text, deep);
  const Json b = *Json::parse(a.dump(JsonStyle::Spaced), deep);
  EXPECT_TRUE(a == b);
  EXPECT_EQ(Json::object().merged(a).with("b", a).without("b"), a);
  EXPECT_EQ(Json::array({a}).at(0), b);
  EXPECT_FALSE(Json::parse(text).has_value());
}

}  // namespace
}  // namespace grapnel
