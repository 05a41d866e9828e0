#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grapnel/json.h"

namespace grapnel {
namespace {

Json read(const char* text) {
  auto value = Json::parse(text, {.comments = true});
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Json());
}

TEST(JsonBuild, Numbers) {
  struct Case {
    Json value;
    const char* want;
  };
  const Case cases[] = {
      {Json::number(int64_t{0}), "0"},
      {Json::number(INT64_MIN), "-9223372036854775808"},
      {Json::number(INT64_MAX), "9223372036854775807"},
      {Json::number(0.1), "0.1"},
      {Json::number(1.0 / 3), "0.3333333333333333"},
      {Json::number(-2.5), "-2.5"},
      {Json::number(100000.0), "100000"},
      {Json::number(-0.0), "-0"},
      {Json::number(1e21), "1e+21"},
      {Json::number(5e-324), "5e-324"},
      {Json::number(std::numeric_limits<double>::max()), "1.7976931348623157e+308"},
      {Json::number(std::numeric_limits<double>::infinity()), "null"},
      {Json::number(std::nan("")), "null"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.want);
    EXPECT_EQ(c.value.dump(), c.want);
    EXPECT_TRUE(Json::parse(c.value.dump()).has_value());
  }
}

TEST(JsonBuild, Strings) {
  struct Case {
    const char* note;
    std::string in;
    const char* want;
  };
  const Case cases[] = {
      {"plain", "abc", R"("abc")"},
      {"empty", "", R"("")"},
      {"quotes and backslashes", R"(a"b\c/)", R"("a\"b\\c/")"},
      {"short escapes", "\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {"other control characters", std::string("\0\x1f\x7f", 3), "\"\\u0000\\u001f\x7f\""},
      {"UTF-8 stays", "h\u00e9\u20ac\U0001f600", "\"h\u00e9\u20ac\U0001f600\""},
      {"bad bytes", "a\xff\"b\xC3", "\"a\ufffd\\\"b\ufffd\""},
      {"surrogate bytes", "\u00e9\xED\xA0\x80", "\"\u00e9\ufffd\ufffd\ufffd\""},
      {"escape at the end of a long run", "0123456789abcdef\n", R"("0123456789abcdef\n")"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Json::string(c.in).dump(), c.want);
    EXPECT_TRUE(Json::parse(c.want).has_value());
    EXPECT_EQ(Json::string(c.in).as_string(), Json::parse(c.want)->as_string());
  }
}

TEST(JsonBuild, Containers) {
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::null().dump() + Json::boolean(true).dump() + Json::boolean(false).dump(), "nulltruefalse");
  const Json inner = read("{ \"x\": [1, /* two */ 2] }");
  const Json made =
      Json::object({{"in\n", inner}, {"none", Json()}, {"part", inner["x"].at(1)}, {"s", Json::string("é")}});
  EXPECT_EQ(made.dump(), R"({"in\n":{"x":[1,2]},"part":2,"s":"é"})");
  EXPECT_EQ(made["in\n"]["x"].at(0).as_integer(), 1);
  const std::vector<std::pair<std::string, Json>> members{{"b", Json::null()}, {"a", Json::array({made["part"]})}};
  EXPECT_EQ(Json::object(members).dump(), R"({"b":null,"a":[2]})");
  EXPECT_EQ(Json::array({Json(), inner}).dump(), R"([null,{"x":[1,2]}])") << "a missing element keeps its place";
}

TEST(JsonBuild, With) {
  struct Case {
    const char* note;
    const char* in;
    const char* key;
    const char* value;  ///< null removes
    const char* want;
  };
  const Case cases[] = {
      {"append", R"({"a": 1})", "b", "[2, 3]", R"({"a":1,"b":[2,3]})"},
      {"append to nothing", "{}", "b", "2", R"({"b":2})"},
      {"in place", R"({"a":1,"b":2,"c":3})", "b", "{}", R"({"a":1,"b":{},"c":3})"},
      {"key keeps its spelling", R"({"\u0061":1})", "a", "2", R"({"\u0061":2})"},
      {"new key is escaped", "{}", "a\"\n", "1", R"({"a\"\n":1})"},
      {"duplicates become one", R"({"a":1,"b":2,"a":3,"c":4})", "a", "5", R"({"b":2,"a":5,"c":4})"},
      {"remove the first", R"({"a":1,"b":2})", "a", nullptr, R"({"b":2})"},
      {"remove the last", R"({"a":1,"b":2})", "b", nullptr, R"({"a":1})"},
      {"remove the only one", R"({"a":1})", "a", nullptr, "{}"},
      {"remove duplicates", R"({"a":1,"b":2,"a":3})", "a", nullptr, R"({"b":2})"},
      {"remove what is not there", R"({"a": 1})", "x", nullptr, R"({"a":1})"},
      {"comments go", "{/*x*/\"a\":1,}", "b", "2", R"({"a":1,"b":2})"},
      {"on a number", "1", "a", "2", R"({"a":2})"},
      {"on an array", "[1]", "a", "2", R"({"a":2})"},
      {"removing from a string", R"("x")", "a", nullptr, "{}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Json before = read(c.in);
    const Json after = before.with(c.key, c.value == nullptr ? Json() : read(c.value));
    EXPECT_EQ(after.dump(), c.want);
    EXPECT_EQ(after.raw(), c.want);
    EXPECT_EQ(before.dump(), read(c.in).dump()) << "the original does not change";
    if (c.value == nullptr) {
      EXPECT_EQ(before.without(c.key).dump(), c.want);
    }
  }
  EXPECT_EQ(Json().with("a", Json::null()).dump(), R"({"a":null})");
}

TEST(JsonBuild, WithWorksOnPartsOfADocument) {
  const Json part = read(R"({"x": {"a": 1}, "y": 2})")["x"];
  EXPECT_EQ(part.with("b", Json::number(int64_t{2})).dump(), R"({"a":1,"b":2})");
  EXPECT_EQ(part.with_pointer("/a/b", Json::null()).dump(), R"({"a":{"b":null}})");
}

TEST(JsonBuild, Merged) {
  struct Case {
    const char* note;
    const char* in;
    const char* patch;
    const char* want;
  };
  const Case cases[] = {
      {"set and append", R"({"a":1,"b":2})", R"({"c":3,"a":{"x":4}})", R"({"a":{"x":4},"b":2,"c":3})"},
      {"shallow", R"({"a":{"x":1}})", R"({"a":{"y":2}})", R"({"a":{"y":2}})"},
      {"null is a value", R"({"a":1})", R"({"a":null})", R"({"a":null})"},
      {"nothing", R"({"a": 1})", "{}", R"({"a":1})"},
      {"onto nothing", "{}", R"({"a": 1})", R"({"a":1})"},
      {"duplicates in the object", R"({"a":1,"b":2,"a":3})", R"({"a":4})", R"({"b":2,"a":4})"},
      {"duplicates in the patch", R"({"x":0})", R"({"a":1,"a":2})", R"({"x":0,"a":2})"},
      {"escaped keys", R"({"\u0061":1})", R"({"a":2})", R"({"\u0061":2})"},
      {"patch that is no object", R"({"a":1})", "[1]", R"({"a":1})"},
      {"on a scalar", "1", R"({"a":1})", R"({"a":1})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(read(c.in).merged(read(c.patch)).dump(), c.want);
  }
  EXPECT_EQ(Json().merged(Json()).dump(), "{}");
}

TEST(JsonBuild, WithPointer) {
  struct Case {
    const char* note;
    const char* in;
    const char* pointer;
    const char* value;  ///< null removes
    const char* want;
  };
  const Case cases[] = {
      {"the whole", "{}", "", "1", "1"},
      {"a member", R"({"a": {"b": 1, "c": 2}})", "/a/b", "[]", R"({"a":{"b":[],"c":2}})"},
      {"a new member", R"({"a":{}})", "/a/b", "1", R"({"a":{"b":1}})"},
      {"objects on the way", R"({"x":0})", "/a/b/c", "1", R"({"x":0,"a":{"b":{"c":1}}})"},
      {"over a scalar", R"({"a":1})", "/a/b", "2", R"({"a":{"b":2}})"},
      {"from a scalar", "null", "/a", "2", R"({"a":2})"},
      {"an element", R"({"a":[1,2,3]})", "/a/1", "9", R"({"a":[1,9,3]})"},
      {"into an element", R"([{"a":1},{"a":2}])", "/1/a", "9", R"([{"a":1},{"a":9}])"},
      {"append", "[1]", "/-", "2", "[1,2]"},
      {"append at the size", "[1]", "/1", "2", "[1,2]"},
      {"append a path", R"({"a":[]})", "/a/-/b", "2", R"({"a":[{"b":2}]})"},
      {"past the end", "[1]", "/5", "2", "[1]"},
      {"a name in an array", "[1]", "/x", "2", "[1]"},
      {"array on the way", "{}", "/a/-", "2", R"({"a":[2]})"},
      {"escaped token", "{}", "/a~1b~0", "1", R"({"a/b~":1})"},
      {"malformed pointer", "{}", "a", "1", "{}"},
      {"remove a member", R"({"a":{"b":1,"c":2}})", "/a/b", nullptr, R"({"a":{"c":2}})"},
      {"remove an element", "[1,2,3]", "/1", nullptr, "[1,3]"},
      {"remove what is not there", R"({"a":1})", "/b/c", nullptr, R"({"a":1})"},
      {"remove below a scalar", R"({"a":1})", "/a/b", nullptr, R"({"a":1})"},
      {"remove past the end", "[1]", "/-", nullptr, "[1]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(read(c.in).with_pointer(c.pointer, c.value == nullptr ? Json() : read(c.value)).dump(), c.want);
  }
  EXPECT_EQ(Json().with_pointer("/a", Json::null()).dump(), R"({"a":null})");
}

}  // namespace
}  // namespace grapnel
