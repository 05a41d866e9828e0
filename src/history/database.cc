#include "history/database.h"

#include <algorithm>
#include <filesystem>

#include <sqlite3.h>

namespace grapnel {

namespace {

constexpr int kPatienceMs = 5000;

/// The caller throws a damaged database away and builds a new one, so damage has a code of its own.
std::unexpected<Error> fail_sqlite(sqlite3* connection) {
  const int code = sqlite3_errcode(connection);
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  const Errc kind = is_damaged ? Errc::BadInput : code == SQLITE_BUSY ? Errc::Unavailable : Errc::System;
  return fail(kind, std::string("journal: ") + sqlite3_errmsg(connection));
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view text_of(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<size_t>(sqlite3_value_bytes(value)));
}

/// Most texts do not contain the part, so its first character is searched in both cases before anything is compared.
bool contains(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  const char first = lower(part.front());
  const char other = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
  const auto is_same = [](char a, char b) { return lower(a) == lower(b); };
  while (text.size() >= part.size()) {
    const std::string_view starts = text.substr(0, text.size() - part.size() + 1);
    const size_t at = std::min(starts.find(first), starts.find(other));
    if (at == std::string_view::npos) return false;
    if (std::ranges::equal(text.substr(at, part.size()), part, is_same)) return true;
    text.remove_prefix(at + 1);
  }
  return false;
}

/// `has_text(text, part)`. SQLite's own functions would copy the text, which takes longer than to search it.
void has_text(sqlite3_context* context, int, sqlite3_value** values) {
  sqlite3_result_int(context, contains(text_of(values[0]), text_of(values[1])) ? 1 : 0);
}

/// The path without links on the way to the file. A home directory may be behind one.
std::string without_links_before(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole(path);
  const auto directory = std::filesystem::canonical(whole.parent_path(), error);
  return error ? path : (directory / whole.filename()).string();
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

/// SQLITE_TRANSIENT makes SQLite copy the text, so it need not outlive the call.
Statement& Statement::bind(int index, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int index, int64_t number) {
  sqlite3_bind_int64(statement_.get(), index, number);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail_sqlite(sqlite3_db_handle(statement_.get()));
}

Result<void> Statement::run() {
  const auto row = step();
  if (!row) return std::unexpected(row.error());
  // Without the reset, the next `bind` would fail.
  reset();
  return {};
}

Result<void> Statement::run_with(std::initializer_list<int64_t> numbers) {
  int next = 1;
  for (const int64_t number : numbers) bind(next++, number);
  return run();
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

int Statement::columns() const {
  return sqlite3_column_count(statement_.get());
}

std::string_view Statement::view(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

std::string Statement::text(int column) const {
  return std::string(view(column));
}

int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

void Database::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

Result<Database> Database::open(const std::string& path) {
  sqlite3* connection = nullptr;
  // NOFOLLOW: a link in the place of the database could point to any file. SQLite refuses links on the way, too.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW;
  const int code = sqlite3_open_v2(without_links_before(path).c_str(), &connection, flags, nullptr);
  // SQLite returns a connection even if opening failed, and it has to be closed. The wrapper does that.
  Database database(connection);
  if (code != SQLITE_OK) return fail(Errc::System, "cannot open " + path + ": " + sqlite3_errstr(code));
  sqlite3_busy_timeout(connection, kPatienceMs);
  sqlite3_create_function_v2(connection, "has_text", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, has_text, nullptr,
                             nullptr, nullptr);
  return database;
}

Result<void> Database::run(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return fail_sqlite(connection_.get());
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return fail_sqlite(connection_.get());
  return Statement(statement);
}

}  // namespace grapnel
