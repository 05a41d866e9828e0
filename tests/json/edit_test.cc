#include "json/edit.h"

#include <string>

#include <gtest/gtest.h>

namespace grapnel::json {
namespace {

struct EditCase {
  const char* note;
  std::string in;
  const char* pointer;
  const char* value;
  std::string want;
};

void expect_sets(const EditCase& c) {
  SCOPED_TRACE(c.note);
  const auto got = set_value(c.in, c.pointer, Json::parse(c.value).value());
  ASSERT_TRUE(got.has_value()) << got.error().to_string();
  EXPECT_EQ(*got, c.want);
}

TEST(JsonEdit, ReplacesInPlace) {
  const EditCase cases[] = {
      {"a scalar", "{ \"a\" : 1 , // one\n  \"b\": 2 }", "/a", "\"x\"", "{ \"a\" : \"x\" , // one\n  \"b\": 2 }"},
      {"an element", "[1, 2, 3,]", "/1", "20", "[1, 20, 3,]"},
      {"the root", "// settings\n1\n", "", "{\"a\":1}", "// settings\n{\n  \"a\": 1\n}\n"},
      {"a container over lines", "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n", "/a", "{\"c\":[]}",
       "{\n\t\"a\": {\n\t\t\"c\": []\n\t}\n}\n"},
      {"a scalar by a container", "{\r\n    \"a\": 1\r\n}", "/a", "[1]",
       "{\r\n    \"a\": [\r\n        1\r\n    ]\r\n}"},
      {"a container on one line", "{\n  \"a\": [1, 2]\n}", "/a", "[1,2,3]", "{\n  \"a\": [1, 2, 3]\n}"},
      {"in a document on one line", "{\"a\": 1}", "/a", "[1,2]", "{\"a\": [1, 2]}"},
      {"the last of duplicates", "{\"a\": 1, \"a\": 2}", "/a", "3", "{\"a\": 1, \"a\": 3}"},
      {"after a byte-order mark", "\xEF\xBB\xBF{\"a\": 1}", "/a", "2", "\xEF\xBB\xBF{\"a\": 2}"},
  };
  for (const EditCase& c : cases) expect_sets(c);
}

TEST(JsonEdit, AddsMembers) {
  const EditCase cases[] = {
      {"on its own line", "{\n  \"a\": 1\n}\n", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
      {"four blanks, CRLF", "{\r\n    \"a\": 1\r\n}", "/b", "{\"c\":[1]}",
       "{\r\n    \"a\": 1,\r\n    \"b\": {\r\n        \"c\": [\r\n            1\r\n        ]\r\n    }\r\n}"},
      {"tabs", "{\n\t\"a\": {\n\t\t\"x\": 1\n\t}\n}", "/a/y", "{\"z\":0}",
       "{\n\t\"a\": {\n\t\t\"x\": 1,\n\t\t\"y\": {\n\t\t\t\"z\": 0\n\t\t}\n\t}\n}"},
      {"after a comment on the line", "{\n  \"a\": 1 // one\n}", "/b", "2", "{\n  \"a\": 1, // one\n  \"b\": 2\n}"},
      {"after comments on lines of their own", "{\n  \"a\": 1\n  // the end\n}", "/b", "2",
       "{\n  \"a\": 1,\n  // the end\n  \"b\": 2\n}"},
      {"where commas trail", "{\n  \"a\": 1,\n}", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2,\n}"},
      {"where a comma trails before a comment", "{\n  \"a\": 1, // one\n}", "/b", "2",
       "{\n  \"a\": 1, // one\n  \"b\": 2,\n}"},
      {"on one line", "{\"a\": 1}", "/b", "{\"c\":[1,2]}", "{\"a\": 1, \"b\": {\"c\": [1, 2]}}"},
      {"on one compact line", "{\"a\":1}", "/b", "{\"c\":[1,2]}", "{\"a\":1,\"b\":{\"c\":[1,2]}}"},
      {"on one roomy line", "{ \"a\": 1 /* x */ }", "/b", "2", "{ \"a\": 1, /* x */ \"b\": 2 }"},
      {"one line within lines", "{\n  \"a\": {\"b\": 1}\n}", "/a/c", "2", "{\n  \"a\": {\"b\": 1, \"c\": 2}\n}"},
      {"an empty root", "{}\n", "/a", "1", "{\n  \"a\": 1\n}\n"},
      {"an empty object", "{\n    \"a\": {}\n}", "/a/b", "1", "{\n    \"a\": {\n        \"b\": 1\n    }\n}"},
      {"an empty object on the only line", "{\"a\": {}}", "/a/b", "1", "{\"a\": {\"b\": 1}}"},
      {"an object with nothing but a comment", "{\n  // no hooks yet\n}", "/a", "1",
       "{\n  // no hooks yet\n  \"a\": 1\n}"},
      {"what is missing of a path", "{\n  \"a\": 1\n}", "/h/Pre/-/c", "\"x\"",
       "{\n  \"a\": 1,\n  \"h\": {\n    \"Pre\": [\n      {\n        \"c\": \"x\"\n      }\n    ]\n  }\n}"},
      {"a key with escapes", "{}", "/a~1\"b", "1", "{\n  \"a/\\\"b\": 1\n}"},
      {"blank line at the end stays there", "{\n  \"a\": 1\n\n}", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n\n}"},
  };
  for (const EditCase& c : cases) expect_sets(c);
}

TEST(JsonEdit, AddsElements) {
  const EditCase cases[] = {
      {"on its own line", "[\n  1\n]", "/-", "2", "[\n  1,\n  2\n]"},
      {"at the index past the end", "[\n  1\n]", "/1", "2", "[\n  1,\n  2\n]"},
      {"on one line", "[1, 2]", "/-", "3", "[1, 2, 3]"},
      {"on one compact line", "[1,2]", "/-", "3", "[1,2,3]"},
      {"where a comma trails", "[1, 2,]", "/-", "3", "[1, 2, 3,]"},
      {"to an empty array", "{\n  \"a\": []\n}", "/a/-", "{\"b\":1}",
       "{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}"},
      {"objects bracket to bracket", "{\n  \"a\": [{\n    \"b\": 1\n  }]\n}", "/a/-", "{\"c\":2}",
       "{\n  \"a\": [{\n    \"b\": 1\n  }, {\"c\": 2}]\n}"},
  };
  for (const EditCase& c : cases) expect_sets(c);
}

TEST(JsonEdit, MakesADocumentFromNothing) {
  const EditCase cases[] = {
      {"empty text", "", "/hooks/Stop", "[]", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
      {"white space", " \n", "/a", "1", "{\n  \"a\": 1\n}\n"},
      {"whole value", "", "", "{\"a\":1}", "{\n  \"a\": 1\n}\n"},
      {"an array", "", "/a/-", "1", "{\n  \"a\": [\n    1\n  ]\n}\n"},
  };
  for (const EditCase& c : cases) expect_sets(c);
}

TEST(JsonEdit, Removes) {
  struct Removal {
    const char* note;
    std::string in;
    const char* pointer;
    std::string want;
  };
  const Removal cases[] = {
      {"the first line", "{\n  \"a\": 1,\n  \"b\": 2\n}", "/a", "{\n  \"b\": 2\n}"},
      {"a middle line", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "/b", "{\n  \"a\": 1,\n  \"c\": 3\n}"},
      {"the last line", "{\n  \"a\": 1,\n  \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"},
      {"the last line where commas trail", "{\n  \"a\": 1,\n  \"b\": 2,\n}", "/b", "{\n  \"a\": 1,\n}"},
      {"the only line", "{\n  \"a\": 1\n}", "/a", "{}"},
      {"the only line where a comma trails", "{\n  \"a\": 1,\n}", "/a", "{}"},
      {"on one line, first", "{\"a\": 1, \"b\": 2}", "/a", "{\"b\": 2}"},
      {"on one line, middle", "[1, 2, 3]", "/1", "[1, 3]"},
      {"on one line, last", "[1, 2, 3]", "/2", "[1, 2]"},
      {"on one line, only", "[ 1 ]", "/0", "[ ]"},
      {"CRLF", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", "/b", "{\r\n  \"a\": 1\r\n}"},
      {"comments stay", "{\n  // about a\n  \"a\": 1, // one\n  // about b\n  \"b\": 2 // two\n}", "/a",
       "{\n  // about a\n  // one\n  // about b\n  \"b\": 2 // two\n}"},
      {"comments around the last stay", "{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}", "/b",
       "{\n  \"a\": 1 // one\n   // two\n}"},
      {"comments around the only one stay", "{ // a\n  \"a\": 1 // b\n}", "/a", "{ // a\n   // b\n}"},
      {"a comment must not swallow the bracket", "[1, // one\n  2]", "/1", "[1 // one\n  ]"},
      {"nor the only bracket", "[ // none\n  1]", "/0", "[ // none\n  ]"},
      {"comment before the comma", "[1 /* x */, 2]", "/0", "[ /* x */2]"},
      {"every one of that name", "{\"a\": 1, \"b\": 2, \"a\": 3}", "/a", "{\"b\": 2}"},
      {"an element, not its successor", "[1, 1, 1]", "/0", "[1, 1]"},
      {"deep down", "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}", "/a/b/0",
       "{\n  \"a\": {\n    \"b\": []\n  }\n}"},
  };
  for (const Removal& c : cases) {
    SCOPED_TRACE(c.note);
    const auto got = remove_value(c.in, c.pointer);
    ASSERT_TRUE(got.has_value()) << got.error().to_string();
    EXPECT_EQ(*got, c.want);
  }
}

TEST(JsonEdit, SettingAndRemovingRestoresTheBytes) {
  const std::string texts[] = {
      "{}",
      "{ }",
      "{\n}",
      "{\r\n}\r\n",
      "{\n  // nothing\n}",
      "{ /* nothing */ }",
      "{\n  \"a\": 1\n}\n",
      "{\n  \"a\": 1   \n}",
      "{\n  \"a\": 1 // one  \n\n  /* end */ }",
      "{\"a\":1}",
      "{ \"a\": 1, }",
      "{\n\t\"a\": 1, // one\n}",
      "{\"a\": 1\n, \"b\": 2\n}",
      "\xEF\xBB\xBF{\r\n\t\"a\": [ 1 ],\r\n}\r\n// end",
  };
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const auto set = set_value(text, "/new", Json::parse(R"({"x":[1,{}]})").value());
    ASSERT_TRUE(set.has_value()) << set.error().to_string();
    EXPECT_EQ(remove_value(*set, "/new").value_or("failed"), text) << *set;
  }
}

TEST(JsonEdit, Refuses) {
  struct Refusal {
    const char* note;
    Result<std::string> got;
    Errc code;
    const char* message;
  };
  const Json one = Json::number(int64_t{1});
  const Refusal cases[] = {
      {"text that is no JSON", set_value("{\n  a: 1}", "/a", one), Errc::BadInput, "line 2:3: expected a key"},
      {"a missing value", set_value("{}", "/a", Json()), Errc::BadInput, "no value to set at '/a'"},
      {"a malformed pointer", set_value("{}", "a", one), Errc::BadInput, "not a JSON pointer: a"},
      {"a member of a number", set_value("{\"a\": 1}", "/a/b", one), Errc::BadInput, "line 1:7: cannot set 'b'"},
      {"a name in an array", set_value("[]", "/b", one), Errc::BadInput, "cannot set 'b'"},
      {"past the end", set_value("[1]", "/2", one), Errc::BadInput, "cannot set '2'"},
      {"removing the document", remove_value("{}", ""), Errc::BadInput, "the whole document"},
      {"removing nothing", remove_value("{\"a\": 1}", "/b"), Errc::NotFound, "nothing at '/b'"},
      {"removing below nothing", remove_value("{\"a\": 1}", "/b/c"), Errc::NotFound, "nothing at '/b/c'"},
      {"removing past the end", remove_value("[1]", "/-"), Errc::NotFound, "nothing at '/-'"},
      {"removing from rubbish", remove_value("{", "/a"), Errc::BadInput, "expected a key"},
  };
  for (const Refusal& c : cases) {
    SCOPED_TRACE(c.note);
    ASSERT_FALSE(c.got.has_value());
    EXPECT_EQ(c.got.error().code, c.code);
    EXPECT_NE(c.got.error().to_string().find(c.message), std::string::npos) << c.got.error().to_string();
  }
}

}  // namespace
}  // namespace grapnel::json
