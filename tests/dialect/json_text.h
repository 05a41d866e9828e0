#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "grapnel/json.h"

namespace grapnel {

/// A JSON text of a test.
inline Json parse(std::string_view text) {
  auto json = Json::parse(std::string(text));
  EXPECT_TRUE(json.has_value()) << text;
  return json.value_or(Json());
}

}  // namespace grapnel
