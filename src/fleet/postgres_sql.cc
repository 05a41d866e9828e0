#include "base/error.h"
#include "base/text.h"
#include "fleet/sql.h"
#include <libpq-fe.h>

namespace grapnel::fleet {

namespace {

using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

class PostgresSql final : public Sql {
 public:
  explicit PostgresSql(PGconn* connection) : connection_(connection, PQfinish) {}

  PGconn* get() const { return connection_.get(); }

  Result<std::vector<SqlRow>> run(const std::string& sql, const std::vector<SqlValue>& values) override {
    const Answer answer(ask(sql, values), PQclear);
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) return failure();
    std::vector<SqlRow> rows;
    for (int row = 0; row < PQntuples(answer.get()); ++row) {
      SqlRow& out = rows.emplace_back();
      for (int column = 0; column < PQnfields(answer.get()); ++column) {
        out.emplace_back(PQgetvalue(answer.get(), row, column),
                         static_cast<size_t>(PQgetlength(answer.get(), row, column)));
      }
    }
    return rows;
  }

  size_t rows_at_once() const override { return 100; }

  // Several collectors may write. They take turns, so that numbers of rows are in the order of their commits.
  Result<void> begin() override {
    if (auto done = run("BEGIN", {}); !done) return std::unexpected(done.error());
    const auto locked = run("SELECT pg_advisory_xact_lock(7161950)", {});
    return locked ? Result<void>() : std::unexpected(locked.error());
  }

 private:
  PGresult* ask(const std::string& sql, const std::vector<SqlValue>& values) {
    if (values.empty()) return PQexec(connection_.get(), sql.c_str());
    std::vector<std::string> texts(values.size());
    std::vector<const char*> pointers(values.size(), nullptr);
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::holds_alternative<std::monostate>(values[i])) continue;
      const auto* const number = std::get_if<int64_t>(&values[i]);
      texts[i] = number != nullptr ? std::to_string(*number) : without_nul(std::get<std::string>(values[i]));
      pointers[i] = texts[i].c_str();
    }
    return PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr, pointers.data(),
                        nullptr, nullptr, 0);
  }

  /// PostgreSQL's texts are valid UTF-8 and have no NUL.
  static std::string without_nul(const std::string& text) {
    std::string out = text::is_valid_utf8(text) ? text : text::to_valid_utf8(text);
    std::erase(out, '\0');
    return out;
  }

  std::unexpected<Error> failure() {
    const bool is_gone = PQstatus(connection_.get()) != CONNECTION_OK;
    return fail(is_gone ? Errc::Unavailable : Errc::System,
                "PostgreSQL: " + std::string(text::trim(PQerrorMessage(connection_.get()))));
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

}  // namespace

// What the address says wins over what stands before it. By default, libpq would wait for minutes for a computer that
// is away, and for hours for one that went away in the middle of a question.
Result<std::unique_ptr<Sql>> open_postgres(const std::string& address) {
  static constexpr const char* kWords[] = {"connect_timeout",           "tcp_user_timeout", "keepalives_idle",
                                           "fallback_application_name", "dbname",           nullptr};
  const char* const values[] = {"10", "30000", "30", "grapnel-fleet", address.c_str(), nullptr};
  auto sql = std::make_unique<PostgresSql>(PQconnectdbParams(kWords, values, 1));
  if (PQstatus(sql->get()) != CONNECTION_OK) {
    return fail(Errc::Unavailable, "PostgreSQL: " + std::string(text::trim(PQerrorMessage(sql->get()))));
  }
  PQsetNoticeProcessor(sql->get(), [](void*, const char*) {}, nullptr);  // `IF NOT EXISTS` would print one each time
  return sql;
}

}  // namespace grapnel::fleet
