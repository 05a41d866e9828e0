#include "discover/formats/yaml_document.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

struct YamlCase {
  const char* note;
  const char* yaml;
  const char* want;
};

TEST(ReadYaml, SaysWhatTheTextSays) {
  const YamlCase cases[] = {
      {"nothing", "", "null"},
      {"comments only", "# a\n# b\n", "null"},
      {"a byte-order mark", "\xEF\xBB\xBF a: 1", R"({"a":1})"},
      {"plain scalars", "a: x\nb: true\nc: -7\nd: 1.5\ne: ~\nf:\ng: null",
       R"({"a":"x","b":true,"c":-7,"d":1.5,"e":null,"f":null,"g":null})"},
      {"text that only looks like something", "a: 0755\nb: yes\nc: 1.2.3\nd: +5\ne: 'true'\nf: \"7\"\ng: -x",
       R"({"a":"0755","b":"yes","c":"1.2.3","d":"+5","e":"true","f":"7","g":"-x"})"},
      {"keys are text", "1: a\ntrue: b", R"({"1":"a","true":"b"})"},
      {"lists", "- a\n- [b, {c: d}]\n- - e\n", R"(["a",["b",{"c":"d"}],["e"]])"},
      {"nothing inside", "a: {}\nb: []\nc: ''", R"({"a":{},"b":[],"c":""})"},
      {"long texts", "a: |\n  one\n  two\nb: >-\n  three\n  four\n", R"({"a":"one\ntwo\n","b":"three four"})"},
      {"escapes", R"(a: "q\"\té")", "{\"a\":\"q\\\"\\té\"}"},
      {"with its head", "---\na: 1\n", R"({"a":1})"},
      {"Windows lines", "a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
  };
  for (const YamlCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto document = read_yaml(c.yaml);
    ASSERT_TRUE(document.has_value()) << document.error().to_string();
    EXPECT_EQ(document->root.dump(), c.want);
  }
}

TEST(ReadYaml, NamesThePlaceOfAMistake) {
  const YamlCase cases[] = {
      {"a bracket that stays open", "a: 1\nb: [1, 2", "2:1"},
      {"twice the same key", "a: 1\nb: 2\na: 3", "3:1"},
      {"an anchor", "a: &x 1", "1:4"},
      {"an alias", "a: &x 1\nb: *x", "1:4"},
      {"a tag", "a: !!str 1", "1:4"},
      {"a key that is a list", "? [a]\n: 1", "1:3"},
      {"a second document", "a: 1\n---\nb: 2", "2:1"},
      {"a second document with a comment only", "a: 1\n---\n# nothing\n# more\n", "2:1"},
      {"a second document with nothing, behind a first one that starts with a mark", "---\na: 1\n---\n", "3:1"},
      {"a second document behind an end mark", "a: 1\n...\n---\n\n\n", "3:1"},
      {"no UTF-8", "a: \xFF", "1:1"},
  };
  for (const YamlCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto document = read_yaml(c.yaml);
    ASSERT_FALSE(document.has_value());
    ASSERT_TRUE(document.error().at.has_value());
    EXPECT_EQ(std::to_string(document.error().at->line) + ":" + std::to_string(document.error().at->column), c.want)
        << document.error().message;
  }
}

TEST(ReadYaml, KnowsWhereEverythingStands) {
  const auto document = read_yaml("# head\na: 1\nlist:\n  - ü: {x: y}\n");
  ASSERT_TRUE(document.has_value());
  std::string places;
  for (const TextPlace& place : document->places) {
    places += std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
  }
  EXPECT_EQ(places, "2:1 2:1 2:4 3:1 4:3 4:5 4:5 4:9 4:10 4:13 ");
  EXPECT_EQ(document->places[1].offset, document->root.document_text().find("\"a\""));
  EXPECT_EQ(document->places.back().offset, document->root["list"].at(0)["ü"]["x"].begin_offset());
}

}  // namespace
}  // namespace grapnel
