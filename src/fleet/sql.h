#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grapnel/error.h"

/// One connection to a database, of either kind. Statements are written once, in the words that SQLite and PostgreSQL
/// share; parameters are `$1`, `$2`… in the order in which they occur.
namespace grapnel::fleet {

using SqlValue = std::variant<std::monostate, int64_t, std::string>;
/// All values as text; NULL is "".
using SqlRow = std::vector<std::string>;

class Sql {
 public:
  virtual ~Sql() = default;
  /// Runs one statement. Fails: System; Unavailable when the connection is gone.
  virtual Result<std::vector<SqlRow>> run(const std::string& statement, const std::vector<SqlValue>& values = {}) = 0;
  /// How many rows to insert with one statement. To ask a server costs time, to read a long statement costs more.
  virtual size_t rows_at_once() const = 0;
  /// Begins a transaction in which nobody else writes.
  virtual Result<void> begin() = 0;
  Result<void> commit();
  void roll_back();
};

/// Opens or creates the file. Fails: System.
Result<std::unique_ptr<Sql>> open_sqlite(const std::string& path);
/// Connects, for example to `postgresql://grapnel@db/grapnel`. Fails: Unavailable; NotFound if this program was built
/// without PostgreSQL.
Result<std::unique_ptr<Sql>> open_postgres(const std::string& address);
/// By the beginning of the address.
Result<std::unique_ptr<Sql>> open_sql(const std::string& address);

}  // namespace grapnel::fleet
