#include "fleet/record_rows.h"

#include <algorithm>
#include <iterator>

#include "grapnel/event.h"

#include "base/error.h"
#include "history/record_facts.h"
#include "record/chain.h"
#include "trust/sha256.h"

namespace grapnel::fleet {

namespace {

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

/// Takes the values out of the rows. `returning`: what to tell of those that were not there yet.
Result<std::vector<SqlRow>> insert_rows(Sql& sql, std::string_view table, std::vector<std::vector<SqlValue>>& rows,
                                        const std::string& returning = {}) {
  std::vector<SqlRow> out;
  std::string text;
  for (size_t from = 0, count = 0; from < rows.size(); from += count) {
    const size_t next = std::min(sql.rows_at_once(), rows.size() - from);
    if (next != count) text = insert_text(table, rows[from].size(), next) + returning;  // the same one, if it can be
    count = next;
    std::vector<SqlValue> values;
    for (size_t i = from; i < from + count; ++i) std::ranges::move(rows[i], std::back_inserter(values));
    auto done = sql.run(text, values);
    if (!done) return done;
    std::ranges::move(*done, std::back_inserter(out));
  }
  return out;
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

Result<std::map<std::string, int64_t>> RecordRows::insert(Sql& sql, int64_t first_number) {
  for (auto& row : records_) row.front() = first_number++;
  const auto machines = insert_rows(sql, "records", records_, " RETURNING machine");
  if (!machines) return std::unexpected(machines.error());
  if (auto done = insert_rows(sql, "runs", runs_); !done) return std::unexpected(done.error());
  if (auto done = insert_rows(sql, "registries", registries_); !done) return std::unexpected(done.error());
  std::map<std::string, int64_t> added;
  for (const SqlRow& row : *machines) ++added[row.front()];
  return added;
}

}  // namespace grapnel::fleet
