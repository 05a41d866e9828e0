#include "cli/table.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace grapnel::cli {
namespace {

/// Without colours, even if the tests run on a terminal.
const Console& plain() {
  static const Console console(Environment{"NO_COLOR=1"});
  return console;
}

TEST(Table, IsAsWideAsItsContents) {
  Table table({{"hook", 8}, {"runs", 0, Keep::Start, true}, {"state"}});
  table.add({{"format"}, {"7"}, {"on"}});
  table.add({{"日本"}, {"12345"}, {"off"}});
  EXPECT_EQ(table.text(plain(), 80),
            "hook     runs  state\n"
            "format      7  on\n"
            "日本    12345  off\n");
}

TEST(Table, TakesRoomFromTheWidestColumnFirst) {
  Table table({{"name", 4}, {"action", 4}, {"state"}});
  table.add({{"a-long-name"}, {"an action that is much longer"}, {"enabled"}});
  EXPECT_EQ(table.text(plain(), 40),
            "name         action              state\n"
            "a-long-name  an action that is…  enabled\n");
  EXPECT_EQ(table.text(plain(), 27),
            "name      action    state\n"
            "a-long-…  an acti…  enabled\n");
}

TEST(Table, StopsAtTheLeastWidths) {
  Table table({{"", 4}, {"", 0}});
  table.add({{"abcdefgh"}, {"a column that is never cut"}});
  EXPECT_EQ(table.text(plain(), 10), "abc…  a column that is never cut\n");
}

TEST(Table, KeepsTheEndOfPaths) {
  Table table({{"", 10, Keep::End}});
  table.add({{"/home/you/.gemini/settings.json"}});
  EXPECT_EQ(table.text(plain(), 15), "…/settings.json\n");
}

TEST(Table, LeavesOutEmptyColumnsAndBlanksAtTheEnd) {
  Table table({{"a"}, {"b"}, {"c"}});
  table.add({{"1"}});
  table.add({{"2"}, {""}, {"3"}});
  EXPECT_EQ(table.text(plain(), 80),
            "a  c\n"
            "1\n"
            "2  3\n");
  EXPECT_EQ(Table({{"a"}, {"b"}}).text(plain(), 80), "");
}

TEST(Table, LetsNothingEscapeFromItsCell) {
  Table table({{""}, {""}});
  table.add({{"two\nlines"}, {"\x1b[2Jx"}});
  EXPECT_EQ(table.text(plain(), 80), "two\\nlines  \\x1b[2Jx\n");
}

}  // namespace
}  // namespace grapnel::cli
