#include "base/row_index.h"

#include <string>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

struct Row {
  std::string_view name;
  int number;
};
constexpr auto kRows = std::to_array<Row>({{"git", 1}, {"", 2}, {"docker", 3}, {"git", 4}, {"tig", 5}, {"g", 6}});
constexpr RowIndex kIndex(kRows, &Row::name);

TEST(RowIndex, FindsTheFirstRowOfEachName) {
  struct Case {
    const char* name;
    int want;  ///< 0: there is no such row
  };
  for (const auto& [name, want] :
       {Case{"git", 1}, {"", 2}, {"docker", 3}, {"tig", 5}, {"g", 6}, {"gi", 0}, {"gut", 0}, {"Git", 0}, {"gitt", 0}}) {
    SCOPED_TRACE(name);
    const Row* found = kIndex.find(name);
    EXPECT_EQ(found == nullptr ? 0 : found->number, want);
    EXPECT_EQ(kIndex.contains(name), want != 0);
  }
}

TEST(RowIndex, GivesAllRowsOfANameInTheOrderOfTheTable) {
  std::string numbers;
  kIndex.each("git", [&](const Row& row) { numbers += std::to_string(row.number); });
  EXPECT_EQ(numbers, "14");
}

TEST(RowIndex, TakesPlainNames) {
  static constexpr auto kNames = std::to_array<std::string_view>({"cat", "tee"});
  static constexpr RowIndex kPlain(kNames);
  EXPECT_TRUE(kPlain.contains("tee"));
  EXPECT_FALSE(kPlain.contains("eet"));
}

}  // namespace
}  // namespace grapnel
