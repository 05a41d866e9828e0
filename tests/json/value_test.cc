#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grapnel/json.h"

namespace grapnel {
namespace {

Json value_of(std::string text) {
  auto value = Json::parse(std::move(text), {.comments = true});
  EXPECT_TRUE(value.has_value()) << value.error().to_string();
  return value.value_or(Json());
}

TEST(JsonValue, Kinds) {
  struct Case {
    const char* in;
    JsonKind kind;
  };
  for (const Case& c : {Case{"null", JsonKind::Null},
                        {"true", JsonKind::Bool},
                        {"1", JsonKind::Number},
                        {"\"\"", JsonKind::String},
                        {"[]", JsonKind::Array},
                        {"{}", JsonKind::Object}}) {
    SCOPED_TRACE(c.in);
    EXPECT_EQ(value_of(c.in).kind(), c.kind);
    EXPECT_TRUE(value_of(c.in));
  }
  EXPECT_EQ(Json().kind(), JsonKind::Missing);
  EXPECT_FALSE(Json());
}

TEST(JsonValue, Strings) {
  struct Case {
    const char* note;
    const char* in;
    std::string want;
  };
  const Case cases[] = {
      {"plain", R"("abc")", "abc"},
      {"simple escapes", R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
      {"two bytes", R"("\u00E9")", "\u00e9"},
      {"three bytes", R"("x\u20acy")", "x\u20acy"},
      {"a pair is one character", R"("\ud83d\uDE00")", "\U0001f600"},
      {"highest character", R"("\udbff\udfff")", "\U0010ffff"},
      {"NUL", R"("a\u0000b")", std::string("a\0b", 3)},
      {"lone high surrogate", R"("a\ud83db")", "a\ufffdb"},
      {"lone low surrogate", R"("\ude00")", "\ufffd"},
      {"high surrogate before another escape", R"("\ud83d\u0041")", "\ufffdA"},
      {"two high surrogates", R"("\ud83d\ud83d\ude00")", "\ufffd\U0001f600"},
      {"high surrogate before a simple escape", R"("\ud83d\n")", "\ufffd\n"},
      {"escaped backslash before u", R"("\\u0041")", "\\u0041"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Json value = value_of(c.in);
    EXPECT_EQ(value.as_string(), c.want);
    EXPECT_TRUE(value.equals_string(c.want));
    EXPECT_FALSE(value.equals_string(c.want + "x"));
    EXPECT_FALSE(value.equals_string(c.want.substr(1)));
    EXPECT_EQ(Json::string(c.want), Json::string(*value.as_string()));
  }
  EXPECT_EQ(value_of("1").as_string(), std::nullopt);
  EXPECT_FALSE(value_of("1").equals_string("1"));
}

TEST(JsonValue, Numbers) {
  struct Case {
    const char* in;
    std::optional<double> number;
    std::optional<int64_t> integer;
  };
  const Case cases[] = {
      {"0", 0, 0},
      {"-0", -0.0, 0},
      {"-0.0e5", 0, 0},
      {"42", 42, 42},
      {"-7", -7, -7},
      {"2.0", 2, 2},
      {"2.50", 2.5, std::nullopt},
      {"1e3", 1000, 1000},
      {"1200e-2", 12, 12},
      {"1e-2", 0.01, std::nullopt},
      {"0.1e1", 1, 1},
      {"9223372036854775807", 9223372036854775807.0, INT64_MAX},
      {"-9223372036854775808", -9223372036854775808.0, INT64_MIN},
      {"-9223372036854775808.0", -9223372036854775808.0, INT64_MIN},
      {"9223372036854775808", 9223372036854775808.0, std::nullopt},
      {"1e19", 1e19, std::nullopt},
      {"1e308", 1e308, std::nullopt},
      {"1e400", std::nullopt, std::nullopt},
      {"-1e99999999999999999999", std::nullopt, std::nullopt},
      {"1e-400", 0, std::nullopt},
      {"0e99999999999999999999", 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.in);
    EXPECT_EQ(value_of(c.in).as_number(), c.number);
    EXPECT_EQ(value_of(c.in).as_integer(), c.integer);
  }
  EXPECT_EQ(value_of("\"1\"").as_number(), std::nullopt);
  EXPECT_EQ(value_of("true").as_integer(), std::nullopt);
}

TEST(JsonValue, Booleans) {
  EXPECT_EQ(value_of("true").as_bool(), true);
  EXPECT_EQ(value_of("false").as_bool(), false);
  EXPECT_EQ(value_of("null").as_bool(), std::nullopt);
  EXPECT_EQ(Json().as_bool(), std::nullopt);
}

TEST(JsonValue, LookingUpWhatIsNotThereIsMissingAllTheWay) {
  const Json value = value_of(R"({"a": {"b": [1, null]}})");
  EXPECT_EQ(value["a"]["b"].at(0).as_integer(), 1);
  EXPECT_TRUE(value["a"]["b"].at(1).is_null());
  for (const Json& missing : {value["x"], value["x"]["y"].at(3), value["a"].at(0), value["a"]["b"]["c"],
                              value["a"]["b"].at(2), Json()["a"], Json().at(0), Json().at_pointer("/a")}) {
    EXPECT_TRUE(missing.is_missing());
    EXPECT_EQ(missing.size(), 0U);
    EXPECT_EQ(missing.raw(), "");
    EXPECT_EQ(missing.as_string(), std::nullopt);
  }
}

TEST(JsonValue, OfDuplicateKeysTheLastCounts) {
  const Json value = value_of(R"({"a": 1, "b": 2, "\u0061": 3})");
  EXPECT_EQ(value["a"].as_integer(), 3);
  EXPECT_EQ(value.size(), 3U);
}

TEST(JsonValue, TheEmptyKeyIsAKey) {
  EXPECT_EQ(value_of(R"({"a": 1, "": 2})")[std::string_view()].as_integer(), 2);
  EXPECT_TRUE(value_of(R"({"a": 1})")[""].is_missing());
}

TEST(JsonValue, KeysAreComparedUnescaped) {
  const Json value = value_of(R"({"a\/b": 1, "\u00e9": 2, "": 3, "q\"": 4})");
  EXPECT_EQ(value["a/b"].as_integer(), 1);
  EXPECT_EQ(value["\u00e9"].as_integer(), 2);
  EXPECT_EQ(value[""].as_integer(), 3);
  EXPECT_EQ(value["q\""].as_integer(), 4);
  EXPECT_TRUE(value["a\\/b"].is_missing());
}

TEST(JsonValue, Pointers) {
  const Json value =
      value_of(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "x": {"y": [[2]]}, "~1": 9, "0": 7})");
  struct Case {
    const char* pointer;
    const char* want;  ///< compact, or null for missing
  };
  const Case cases[] = {
      {"/foo", R"(["bar","baz"])"},
      {"/foo/0", R"("bar")"},
      {"/foo/1", R"("baz")"},
      {"/", "0"},
      {"/a~1b", "1"},
      {"/m~0n", "8"},
      {"/x/y/0/0", "2"},
      {"/~01", "9"},
      {"/0", "7"},
      {"/foo/2", nullptr},
      {"/foo/-", nullptr},
      {"/foo/01", nullptr},
      {"/foo/+1", nullptr},
      {"/foo/", nullptr},
      {"/foo/18446744073709551616", nullptr},
      {"foo", nullptr},
      {"/m~n", nullptr},
      {"/m~", nullptr},
      {"/x/y/0/0/0", nullptr},
      {"/x//y", nullptr},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pointer);
    const Json got = value.at_pointer(c.pointer);
    ASSERT_EQ(got.is_missing(), c.want == nullptr);
    if (c.want != nullptr) {
      EXPECT_EQ(got.dump(), c.want);
    }
  }
  EXPECT_EQ(value.at_pointer("").raw(), value.raw());
}

TEST(JsonValue, WalksMembersAndElementsInOrder) {
  const Json value = value_of("{ \"b\": 1, \"a\\n\": [10, [20], {}] }");
  std::string seen;
  for (const JsonMember& member : value.members()) {
    seen += member.key + "=" + member.value.dump() + "@" + std::to_string(member.key_offset) + ";";
  }
  EXPECT_EQ(seen, "b=1@2;a\n=[10,[20],{}]@10;");

  std::vector<std::string> elements;
  for (const Json& element : value["a\n"].elements()) elements.push_back(element.dump());
  EXPECT_EQ(elements, (std::vector<std::string>{"10", "[20]", "{}"}));

  for (const JsonMember& member : value["a\n"].members()) ADD_FAILURE() << member.key;
  for (const Json& element : value.elements()) ADD_FAILURE() << element.dump();
  for (const Json& element : Json().elements()) ADD_FAILURE() << element.dump();
  EXPECT_EQ(value["a\n"].size(), 3U);
}

TEST(JsonValue, KnowsTheBytesItCameFrom) {
  const Json value = value_of("\xEF\xBB\xBF { \"a\": [1, /* two */ 2] } ");
  const Json list = value["a"];
  EXPECT_EQ(list.raw(), "[1, /* two */ 2]");
  EXPECT_EQ(list.begin_offset(), 11U);
  EXPECT_EQ(list.end_offset(), 27U);
  EXPECT_EQ(list.document_text().substr(11, 16), list.raw());
  EXPECT_EQ(value.raw().front(), '{');
}

TEST(JsonValue, Equality) {
  struct Case {
    const char* note;
    const char* a;
    const char* b;
    bool same;
  };
  const Case cases[] = {
      {"white space and comments", "[1, 2 /* x */]", "[1,2]", true},
      {"order of members", R"({"a":1,"b":{"c":2,"d":3}})", R"({"b":{"d":3,"c":2},"a":1})", true},
      {"order of elements", "[1,2]", "[2,1]", false},
      {"spelling of numbers", "[1,100,0.5,-0]", "[1.0,1e2,5E-1,0]", true},
      {"numbers alike as doubles", "9007199254740993", "9007199254740992", false},
      {"numbers beyond doubles", "1e400", "10e399", true},
      {"different beyond doubles", "1e400", "1e401", false},
      {"sign", "1", "-1", false},
      {"spelling of strings", R"("\u0061\/")", R"("a/")", true},
      {"both escaped", R"("\u0061\n")", R"("a\u000a")", true},
      {"different strings", R"("a")", R"("b")", false},
      {"spelling of keys", R"({"\u0061":1})", R"({"a":1})", true},
      {"last duplicate counts", R"({"a":1,"a":2})", R"({"a":2})", true},
      {"earlier duplicate does not", R"({"a":1,"a":2})", R"({"a":1})", false},
      {"one member more", R"({"a":1})", R"({"a":1,"b":2})", false},
      {"other key", R"({"a":1})", R"({"b":1})", false},
      {"one element more", "[1]", "[1,2]", false},
      {"empty and not", "[]", "[1]", false},
      {"kinds", "1", "\"1\"", false},
      {"object and array", "{}", "[]", false},
      {"true and false", "true", "false", false},
      {"null", "null", " null", true},
      {"nested difference", R"([{"a":[{"b":1}]}])", R"([{"a":[{"b":2}]}])", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(value_of(c.a) == value_of(c.b), c.same);
    EXPECT_EQ(value_of(c.b) == value_of(c.a), c.same);
  }
  EXPECT_EQ(Json(), Json());
  EXPECT_FALSE(Json() == Json::null());
}

}  // namespace
}  // namespace grapnel
