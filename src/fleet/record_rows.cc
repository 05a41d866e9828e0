#include "fleet/record_rows.h"

#include <algorithm>

#include "grapnel/event.h"

#include "base/error.h"
#include "history/record_facts.h"
#include "record/chain.h"
#include "trust/sha256.h"

namespace grapnel::fleet {

namespace {

constexpr size_t kRowsAtOnce = 100;

std::string would_text(const std::optional<Verdict>& would) {
  return would ? std::string(to_string(*would)) : "";
}

/// `INSERT INTO table(columns) VALUES($1,$2),($3,$4)…`
std::string insert_text(std::string_view table, size_t columns, size_t rows) {
  std::string out = "INSERT INTO " + std::string(table) + " VALUES";
  size_t value = 0;
  for (size_t row = 0; row < rows; ++row) {
    out += row == 0 ? "(" : ",(";
    for (size_t column = 0; column < columns; ++column) {
      out += (column == 0 ? "$" : ",$") + std::to_string(++value);
    }
    out += ")";
  }
  return out + " ON CONFLICT DO NOTHING";
}

Result<void> insert_rows(Sql& sql, std::string_view table, const std::vector<std::vector<SqlValue>>& rows) {
  for (size_t from = 0; from < rows.size(); from += kRowsAtOnce) {
    const size_t count = std::min(kRowsAtOnce, rows.size() - from);
    std::vector<SqlValue> values;
    for (size_t i = from; i < from + count; ++i) values.insert(values.end(), rows[i].begin(), rows[i].end());
    const auto done = sql.run(insert_text(table, rows[from].size(), count), values);
    if (!done) return std::unexpected(done.error());
  }
  return {};
}

}  // namespace

// A line that was changed on its machine is kept, too, but never in the place of the record whose hash it bears.
void RecordRows::add(const std::string& machine, const std::string& line) {
  const auto link = read_link(line);
  const auto facts = read_facts(line);
  if (!link || !facts) return;
  const std::string hash = link->is_intact ? link->hash : sha256_of(line);
  const Json record = Json::parse(line).value_or(Json());
  records_.push_back({int64_t{0}, machine, hash, facts->id, facts->time, facts->event, facts->agent, facts->session,
                      facts->project, facts->tool, facts->subject, facts->verdict_text, would_text(facts->would),
                      record["decided_by"].as_string().value_or(""), facts->origin, facts->registry,
                      int64_t{facts->in_background}, line});
  for (size_t i = 0; i < facts->runs.size(); ++i) {
    const RunFacts& run = facts->runs[i];
    runs_.push_back({machine, hash, static_cast<int64_t>(i), run.name, std::string(to_string(run.fate)),
                     std::string(to_string(run.verdict)), would_text(run.would), run.us, facts->time});
  }
}

void RecordRows::add_registry(const std::string& digest, const Json& body) {
  registries_.push_back({digest, body.dump()});
}

Result<void> RecordRows::insert(Sql& sql, int64_t first_number) {
  for (auto& row : records_) row.front() = first_number++;
  if (auto done = insert_rows(sql, "records", records_); !done) return done;
  if (auto done = insert_rows(sql, "runs", runs_); !done) return done;
  return insert_rows(sql, "registries", registries_);
}

}  // namespace grapnel::fleet
