#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace grapnel {

/// SQLite, as far as the journal needs it. What fails is a System error, or BadInput when the file is no database or a
/// damaged one.

/// A prepared statement. Numbers of parameters count from 1, columns from 0, as in SQLite.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, int64_t number);

  /// Whether there is a row. Fails: System, BadInput.
  Result<bool> step();
  /// One step without a row, then ready to be bound anew. Fails: System, BadInput.
  Result<void> run();

  std::string text(int column) const;
  int64_t number(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection to one SQLite file. Waits for other connections. Thread: one.
class Database {
 public:
  /// `:memory:` for one that is gone with its scope. Fails: System, BadInput.
  static Result<Database> open(const std::string& path);

  Result<void> run(const char* sql);
  Result<Statement> prepare(std::string_view sql);

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace grapnel
