#pragma once

#include <string>

#include <gtest/gtest.h>

#include "fleet/sql.h"

namespace grapnel::testing {

/// Removes the tables of a central store that an earlier test has left in a database.
inline void empty_database(const std::string& address) {
  const auto sql = fleet::open_sql(address);
  ASSERT_TRUE(sql) << sql.error().message;
  for (const char* table : {"records", "runs", "registries", "marks", "machines", "counts"})
    ASSERT_TRUE((*sql)->run(std::string("DROP TABLE IF EXISTS ") + table));
}

}  // namespace grapnel::testing
