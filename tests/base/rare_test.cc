#include <string>

#include <gtest/gtest.h>

#include "base/boxed.h"

namespace grapnel {
namespace {

TEST(Boxed, IsAValue) {
  Boxed<std::string> empty;
  EXPECT_FALSE(empty);
  EXPECT_FALSE(Boxed<std::string>(std::optional<std::string>()));
  Boxed<std::string> one(std::string("a"));
  Boxed<std::string> copy = one;
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
