#include "decide/output_json.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

TEST(ParseOutput, FindsTheObjectWhateverIsAroundIt) {
  struct Case {
    const char* note;
    std::string bytes;
    std::string object;  ///< compact JSON, "" for none
    std::string text;
    bool broken = false;
    std::string earlier = "[]";
  };
  const Case cases[] = {
      {"nothing", "", "", ""},
      {"white space", " \n\t", "", ""},
      {"an object", R"({"a":1})", R"({"a":1})", ""},
      {"with white space and a byte-order mark", "\xEF\xBB\xBF  {\"a\":1}\n", R"({"a":1})", ""},
      {"inside a JSON string", R"("{\"a\":1}")", R"({"a":1})", ""},
      {"a JSON string that holds text", R"("hi")", "", R"("hi")"},
      {"a number", "42", "", ""},
      {"true", "true", "", ""},
      {"null", "null", "", ""},
      {"an array", "[1,2]", "", ""},
      {"an array of objects", R"([{"a":1},2,{"b":2}])", R"({"b":2})", "", false, R"([{"a":1}])"},
      {"an array of texts", R"(["deny"])", "", R"(["deny"])"},
      {"colours", "\x1b[31m{\"a\":1}\x1b[0m\x1b]0;title\x07", R"({"a":1})", ""},
      {"an escape that does not end", "{\"a\":1}\x1b[", R"({"a":1})", ""},
      {"UTF-16 with a byte-order mark", std::string("\xFF\xFE{\0}\0", 6), "{}", ""},
      {"UTF-16 of the other order, without", std::string("\0{\0\"\0a\0\"\0:\0001\0}", 14), R"({"a":1})", ""},
      {"comments", "{\"a\":1, // one\n}", R"({"a":1})", ""},
      {"plain text", "all good", "", "all good"},
      {"half a document", R"({"decision":"deny")", "", R"({"decision":"deny")", true},
      {"two documents on two lines", "{\"a\":1}\n{\"b\":2}", R"({"b":2})", "", false, R"([{"a":1}])"},
      {"several documents behind a log line", "x\n{\"a\":1}\n{}\n{\"b\":2}", R"({"b":2})", "x", false,
       R"([{"a":1},{}])"},
      {"two documents on one line", R"({"a":1} {"b":2})", "", R"({"a":1} {"b":2})", true},
      {"a log line in front", "loading…\n{\"a\":1}", R"({"a":1})", "loading…"},
      {"a log line behind", "{\"a\":1}\ndone", R"({"a":1})", "done"},
      {"pretty JSON before log lines", "{\n  \"a\": {}\n}\nx\ny", R"({"a":{}})", "x\ny"},
      {"half a document before a log line", "{\"a\":{}\nx", "", "{\"a\":{}\nx", true},
      {"pretty JSON after log lines", "x\ny\n{\n  \"a\": 1\n}\n", R"({"a":1})", "x\ny"},
      {"invalid UTF-8 inside a string", "{\"a\":\"\xff\"}", "{\"a\":\"\xEF\xBF\xBD\"}", ""},
      {"NUL bytes", std::string("ab\0cd", 5), "", std::string("ab\0cd", 5)},
      {"a NUL in a JSON string", std::string("{\"a\":\"\0\"}", 9), "", std::string("{\"a\":\"\0\"}", 9), true},
      {"nested too deep", std::string(100000, '['), "", std::string(100000, '['), false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const ParsedOutput parsed = parse_output(c.bytes);
    EXPECT_EQ(parsed.object ? parsed.object.dump() : "", c.object);
    EXPECT_EQ(parsed.text, c.text);
    EXPECT_EQ(parsed.is_broken, c.broken);
    EXPECT_EQ(Json::array(parsed.earlier).dump(), c.earlier);
  }
}

TEST(ParseOutput, MegabytesOfNoiseAreJustText) {
  std::string noise;
  for (int i = 0; i < 2000; ++i) noise += "{ this is not JSON " + std::string(1000, 'n') + "\n";
  const ParsedOutput parsed = parse_output(noise);
  EXPECT_FALSE(parsed.object);
  EXPECT_TRUE(parsed.is_broken);
}

}  // namespace
}  // namespace grapnel
