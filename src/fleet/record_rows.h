#pragma once

#include <map>
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

  /// Numbers the records from there on. Once, because the rows are gone afterwards. Returns how many of each machine
  /// were not there yet. Fails: System, Unavailable.
  Result<std::map<std::string, int64_t>> insert(Sql& sql, int64_t first_number);

 private:
  using Rows = std::vector<std::vector<SqlValue>>;

  Rows records_, runs_, registries_;
};

}  // namespace grapnel::fleet
