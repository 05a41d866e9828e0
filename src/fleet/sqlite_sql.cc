#include "fleet/sql.h"

#include <map>

#include "base/error.h"
#include "history/database.h"

namespace grapnel::fleet {

namespace {

class SqliteSql final : public Sql {
 public:
  explicit SqliteSql(Database database) : database_(std::move(database)) {}

  Result<std::vector<SqlRow>> run(const std::string& sql, const std::vector<SqlValue>& values) override {
    auto statement = prepared(sql);
    if (!statement) return std::unexpected(statement.error());
    for (size_t i = 0; i < values.size(); ++i) bind(**statement, static_cast<int>(i + 1), values[i]);
    auto rows = rows_of(**statement);
    (*statement)->reset();
    return rows;
  }

  size_t rows_at_once() const override { return 1; }
  Result<void> begin() override { return database_.run("BEGIN IMMEDIATE"); }

 private:
  /// A statement is read once and used again and again.
  Result<Statement*> prepared(const std::string& sql) {
    constexpr size_t kMostStatements = 64;
    const auto known = statements_.find(sql);
    if (known != statements_.end()) return &known->second;
    auto statement = database_.prepare(sql);
    if (!statement) return std::unexpected(statement.error());
    if (statements_.size() >= kMostStatements) statements_.clear();
    return &statements_.emplace(sql, std::move(*statement)).first->second;
  }

  static Result<std::vector<SqlRow>> rows_of(Statement& statement) {
    std::vector<SqlRow> rows;
    for (;;) {
      const auto has_row = statement.step();
      if (!has_row) return std::unexpected(has_row.error());
      if (!*has_row) return rows;
      SqlRow& row = rows.emplace_back();
      for (int column = 0; column < statement.columns(); ++column) row.push_back(statement.text(column));
    }
  }

  static void bind(Statement& statement, int index, const SqlValue& value) {
    if (const auto* number = std::get_if<int64_t>(&value)) {
      statement.bind(index, *number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      statement.bind(index, std::string_view(*text));
    } else {
      statement.bind_null(index);
    }
  }

  Database database_;
  std::map<std::string, Statement> statements_;  ///< they end before their database
};

}  // namespace

Result<void> Sql::commit() {
  const auto done = run("COMMIT");
  return done ? Result<void>() : std::unexpected(done.error());
}

void Sql::roll_back() {
  static_cast<void>(run("ROLLBACK"));
}

// FULL: the mark of a machine moves only after the rows are on the disk. Hashes have no order, so a transaction changes
// pages all over the indexes; with SQLite's usual 2 MiB it would write and read each of them several times.
constexpr const char* kSqliteSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; "
    "PRAGMA wal_autocheckpoint = 4096;";

Result<std::unique_ptr<Sql>> open_sqlite(const std::string& path) {
  auto database = Database::open(path);
  if (!database) return std::unexpected(database.error());
  if (auto done = database->run(kSqliteSettings); !done) return std::unexpected(done.error());
  // After a full disk, the log may have no room to grow until it would be taken over by itself.
  static_cast<void>(database->run("PRAGMA wal_checkpoint(PASSIVE)"));
  return std::make_unique<SqliteSql>(std::move(*database));
}

Result<std::unique_ptr<Sql>> open_sql(const std::string& address) {
  if (address.starts_with("postgres://") || address.starts_with("postgresql://")) return open_postgres(address);
  return open_sqlite(address);
}

}  // namespace grapnel::fleet
