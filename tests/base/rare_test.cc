#include "base/rare.h"

#include <string>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

TEST(Rare, IsAValue) {
  Rare<std::string> empty;
  EXPECT_FALSE(empty);
  EXPECT_FALSE(Rare<std::string>(std::optional<std::string>()));
  Rare<std::string> one(std::string("a"));
  Rare<std::string> copy = one;
  *copy += "b";
  EXPECT_EQ(*one, "a") << "a copy has a value of its own";
  EXPECT_EQ(*copy, "ab");
  one = std::move(copy);
  EXPECT_EQ(*one, "ab");
  one = empty;
  EXPECT_FALSE(one.has_value());
  EXPECT_EQ(sizeof one, sizeof(void*));
}

}  // namespace
}  // namespace grapnel
