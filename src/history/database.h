#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

/// Declared here, so that only database.cc includes SQLite's header.
struct sqlite3;
struct sqlite3_stmt;

namespace grapnel {

// A thin wrapper of SQLite, as far as the journal needs it. Errors are System, BadInput when the file is damaged or is
// not a database, or Unavailable when another connection holds the lock for too long.

/// A prepared statement. As in SQLite, parameters are numbered from 1 and columns from 0.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  /// Sets a parameter. The text is copied.
  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, int64_t number);
  Statement& bind_blob(int index, std::string_view bytes);
  Statement& bind_null(int index);

  /// Goes to the next row and returns whether there is one. Fails: System, BadInput.
  Result<bool> step();
  /// Runs a statement that returns no rows, and resets it so that parameters can be bound again. Fails: System,
  /// BadInput.
  Result<void> run();
  /// Sets the first parameters and runs it.
  Result<void> run_with(std::initializer_list<int64_t> numbers);
  /// Ends a query before its last row, so that parameters can be bound again.
  void reset();

  /// How many columns each row has.
  int columns() const;
  /// A column of the current row; NULL is read as "".
  std::string text(int column) const;
  int64_t number(int column) const;
  /// The same as `text`, until the next step, without a copy.
  std::string_view view(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection to one SQLite file. Besides SQLite's own functions, statements can use `has_text(text, part)`: whether
/// a part occurs in a text, in any case. It waits a few seconds if another connection holds the lock. Thread: one.
class Database {
 public:
  /// Opens or creates the file. `:memory:` makes a database that exists only in this object. Fails: System, BadInput.
  static Result<Database> open(const std::string& path);

  /// Runs one or several statements without parameters. Fails: System, BadInput.
  Result<void> run(const char* sql);
  Result<Statement> prepare(std::string_view sql);

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
};

/// Does the work while nobody else can write. What it changed is kept only if it succeeds.
template <typename Work>
auto in_transaction(Database& database, Work work) -> decltype(work()) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return std::unexpected(begun.error());
  auto done = work();
  if (done) {
    if (auto committed = database.run("COMMIT"); !committed) done = std::unexpected(committed.error());
  }
  if (!done) static_cast<void>(database.run("ROLLBACK"));
  return done;
}

}  // namespace grapnel
