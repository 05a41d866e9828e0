#include <string>

#include <gtest/gtest.h>

#include "grapnel/json.h"

namespace grapnel {
namespace {

TEST(JsonWrite, Styles) {
  struct Case {
    const char* note;
    const char* in;
    const char* compact;
    const char* spaced;
    const char* pretty;
  };
  const Case cases[] = {
      {"scalar", " 1 ", "1", "1", "1"},
      {"empty object", "{ }", "{}", "{}", "{}"},
      {"empty array", "[ // none\n]", "[]", "[]", "[]"},
      {"small object", R"({"a": 1, "b":[2,3]})", R"({"a":1,"b":[2,3]})", R"({"a": 1, "b": [2, 3]})",
       "{\n  \"a\": 1,\n  \"b\": [\n    2,\n    3\n  ]\n}"},
      {"empty inside", "[{},[],{\"a\":{}}]", R"([{},[],{"a":{}}])", R"([{}, [], {"a": {}}])",
       "[\n  {},\n  [],\n  {\n    \"a\": {}\n  }\n]"},
      {"closing several at once", "[[[1]],2]", "[[[1]],2]", "[[[1]], 2]",
       "[\n  [\n    [\n      1\n    ]\n  ],\n  2\n]"},
      {"scalars as they stand", R"( [1.0, 1E5, "\u0061\/", "é"] )", R"([1.0,1E5,"\u0061\/","é"])",
       R"([1.0, 1E5, "\u0061\/", "é"])", "[\n  1.0,\n  1E5,\n  \"\\u0061\\/\",\n  \"é\"\n]"},
      {"duplicates as they stand", R"({"a": 1, "a": 2})", R"({"a":1,"a":2})", R"({"a": 1, "a": 2})",
       "{\n  \"a\": 1,\n  \"a\": 2\n}"},
      {"comments and trailing commas go", "{\"a\":[1,],/*x*/}", R"({"a":[1]})", R"({"a": [1]})",
       "{\n  \"a\": [\n    1\n  ]\n}"},
      {"trailing comma alone", "[[1,]]", "[[1]]", "[[1]]", "[\n  [\n    1\n  ]\n]"},
      {"white space in strings stays", R"(["a  b"])", R"(["a  b"])", R"(["a  b"])", "[\n  \"a  b\"\n]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto value = Json::parse(c.in, {.comments = true});
    ASSERT_TRUE(value.has_value()) << value.error().to_string();
    EXPECT_EQ(value->dump(), c.compact);
    EXPECT_EQ(value->dump(JsonStyle::Spaced), c.spaced);
    EXPECT_EQ(value->dump(JsonStyle::Pretty), c.pretty);
  }
}

TEST(JsonWrite, SubtreesStandAlone) {
  const Json value = *Json::parse(R"({"tight":{"a":[1,2]}, "loose": {"a": [1,2]}})");
  EXPECT_EQ(value["tight"].dump(), R"({"a":[1,2]})");
  EXPECT_EQ(value["loose"].dump(), R"({"a":[1,2]})");
  EXPECT_EQ(value["loose"]["a"].dump(JsonStyle::Spaced), "[1, 2]");
  EXPECT_EQ(value["tight"]["a"].at(1).dump(), "2");
}

TEST(JsonWrite, MissingIsNull) {
  EXPECT_EQ(Json().dump(), "null");
}

}  // namespace
}  // namespace grapnel
