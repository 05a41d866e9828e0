#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "fleet/sql.h"

namespace grapnel::fleet {

/// Rows that are collected and then inserted, many with each statement. Rows that are there already stay as they are.
class RecordRows {
 public:
  /// A line of a journal. Lines that are no records are left out.
  void add(const std::string& machine, const std::string& line);
  void add_registry(const std::string& digest, const Json& body);

  /// Numbers the records from there on. Fails: System, Unavailable.
  Result<void> insert(Sql& sql, int64_t first_number);

 private:
  using Rows = std::vector<std::vector<SqlValue>>;

  Rows records_, runs_, registries_;
};

}  // namespace grapnel::fleet
