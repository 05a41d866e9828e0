#include "discover/formats/toml_document.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

struct TomlCase {
  const char* note;
  std::string toml;
  const char* want;
};

TEST(ReadToml, SaysWhatTheTextSays) {
  const TomlCase cases[] = {
      {"nothing", "", "{}"},
      {"a byte-order mark",
       "\xEF\xBB\xBF"
       "a = 1",
       R"({"a":1})"},
      {"scalars", "a = 'x'\nb = true\nc = -7\nd = 1.5\ne = 0xff", R"({"a":"x","b":true,"c":-7,"d":1.5,"e":255})"},
      {"in the order of the text", "z = 1\na = 2\nm = 3", R"({"z":1,"a":2,"m":3})"},
      {"escapes", R"(a = "q\"\t\u00e9")", "{\"a\":\"q\\\"\\té\"}"},
      {"a multi-line string", "a = '''\none\ntwo'''", R"({"a":"one\ntwo"})"},
      {"tables", "[a.b]\nc = 1\n[d]", R"({"a":{"b":{"c":1}},"d":{}})"},
      {"arrays of tables", "[[a]]\nb = 1\n[[a]]\nb = 2", R"({"a":[{"b":1},{"b":2}]})"},
      {"inline", "a = [{b = 1}, [], {}]", R"({"a":[{"b":1},[],{}]})"},
      {"dates and numbers that are none", "a = 1979-05-27\nb = nan\nc = inf\nd = 07:32:00",
       R"({"a":[],"b":[],"c":[],"d":[]})"},
      {"Windows lines", "a = 1\r\nb = 2\r\n", R"({"a":1,"b":2})"},
  };
  for (const TomlCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto document = read_toml(c.toml);
    ASSERT_TRUE(document.has_value()) << document.error().to_string();
    EXPECT_EQ(document->root.dump(), c.want);
  }
}

TEST(ReadToml, NamesThePlaceOfAMistake) {
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  const TomlCase cases[] = {
      {"no value", "a = 1\nb = ", "2:5"},
      {"twice the same key", "a = 1\na = 2", "2:5"},
      {"a table without a name", "a = 1\n[[.b]]", "2:3"},
      {"letters that need quotes", "a = 1\n[\xEF\xBB\x95hooks]", "2:2"},
      {"columns count bytes", "\"é\" = 1 x", "1:10"},
      {"a key without end", deep + " = 1", "1:32"},
      {"a table without end", "x = 1\n[" + deep + "]", "2:33"},
      {"with blanks and quotes", "'a' . \"a\".a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1", "1:38"},
      {"inside a table", "x = { " + deep + " = 1 }", "1:38"},
  };
  for (const TomlCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto document = read_toml(c.toml);
    ASSERT_FALSE(document.has_value());
    ASSERT_TRUE(document.error().at.has_value());
    EXPECT_EQ(std::to_string(document.error().at->line) + ":" + std::to_string(document.error().at->column), c.want)
        << document.error().message;
  }
}

TEST(ReadToml, DotsThatAreNoKeysAreFine) {
  const std::string dots(100, '.');
  const std::string cases[] = {
      "a = \"" + dots + "\"",
      "a = '" + dots + "'",
      "a = '''\n" + dots + "\n'''",
      "a = \"\"\"\n\\\"\"\"" + dots + "\"\"\"\"\"",
      "# " + dots,
      "a = [1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1]",
  };
  for (const std::string& toml : cases) {
    SCOPED_TRACE(toml);
    const auto document = read_toml(toml);
    EXPECT_TRUE(document.has_value()) << document.error().to_string();
  }
}

TEST(ReadToml, KnowsWhereValuesStand) {
  const auto document = read_toml("'é' = 1\n[[hooks]]\nevent = 'Stop'\n  [hooks.more]\n  'é' = [1, 'é', 2]\n");
  ASSERT_TRUE(document.has_value());
  const Problems problems("f", document->places);
  struct Place {
    const char* pointer;
    uint32_t line;
    uint32_t column;
  };
  const Place cases[] = {
      {"/hooks/0", 2, 1},           {"/hooks/0/event", 3, 9},     {"/hooks/0/more", 4, 3},
      {"/hooks/0/more/é/0", 5, 11}, {"/hooks/0/more/é/2", 5, 20},
  };
  for (const Place& c : cases) {
    SCOPED_TRACE(c.pointer);
    EXPECT_EQ(problems.position_of(document->root.at_pointer(c.pointer)), (SourcePos{"f", c.line, c.column}));
  }
}

}  // namespace
}  // namespace grapnel
