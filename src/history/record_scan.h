#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/database.h"
#include "history/journal_query.h"
#include "history/number_range.h"

/// Turns a query into SQL.
///
/// Names become numbers first, so that conditions compare only numbers. Then the roll-ups (schema.h) tell in which
/// ranges of numbers there are records that can fit: conditions on the verdict, tool, event, agent, project, hook and
/// time need no index of their own. Only these ranges are read. Sessions and ids have indexes.
namespace grapnel {

class RecordScan {
 public:
  /// `session` is the number of a session, or 0 for all. Fails: System, BadInput.
  static Result<RecordScan> plan(Database& database, const JournalQuery& query, int64_t session = 0);

  enum class Order : uint8_t { NewestFirst, OldestFirst };
  /// Called for each record, with the columns that were selected; stops if it returns false.
  using Take = std::function<Result<bool>(const Statement& row)>;
  /// Selects columns of `r`, which is a row of `records`. Fails: System, BadInput.
  Result<void> run(const std::string& columns, const Take& take, Order order = Order::NewestFirst) const;
  /// The same with one row for each hook of a record: `x` is a row of `runs`. If the query names hooks, only these.
  Result<void> run_hooks(const std::string& columns, const Take& take) const;

  /// Whether only conditions apply that rows of `hours` can answer, apart from the time.
  bool is_of_hours() const { return is_of_rows() && hooks_.empty(); }
  /// These conditions, on rows of `hours` with that alias: ` AND h.tool IN (3)`.
  std::string hour_conditions(const std::string& alias) const;
  /// Whether only conditions apply that rows of `hook_hours` can answer, apart from the time.
  bool is_of_hooks() const { return is_of_rows() && shared_.empty(); }
  /// These conditions: ` AND h.hook IN (3)`.
  std::string hook_conditions(const std::string& alias) const;
  /// The hours in the span of the query, both included.
  std::string hour_span(const std::string& alias) const;
  /// How many records have to be looked at, at most; 0 if an index finds them.
  Result<int64_t> size() const;
  /// Nothing can fit.
  bool is_empty() const { return is_empty_; }
  int64_t since() const { return since_; }
  int64_t until() const { return until_; }

 private:
  /// A condition on rows of both `records` and `hours`. `%` stands for the alias.
  void add_shared(std::string condition) { shared_ += " AND " + std::move(condition); }
  Result<void> add_members(Database& database, const JournalQuery& query);
  Result<void> add_conditions(Database& database, const JournalQuery& query);
  Result<void> add_condition(Database& database, QueryKey key, const std::vector<std::string>& values, bool is_negated);
  Result<std::vector<NumberRange>> find_ranges() const;
  Result<std::vector<NumberRange>> select_all_ranges() const;
  bool is_of_rows() const {
    return own_.empty() && texts_.empty() && other_texts_.empty() && after_ == 0 && before_ == 0;
  }
  bool is_by_hook() const { return !hooks_.empty() && texts_.empty() && !has_sessions_ && !has_ids_; }
  bool is_by_subject() const { return !texts_.empty() && !has_sessions_ && !has_ids_; }
  std::string conditions() const;
  /// What the rows are read from, and which column of it has their numbers.
  struct Source {
    std::string tables;
    std::string number;
  };
  Source source() const;
  Result<void> run_joined(const std::string& columns, const std::string& join, const Take& take, Order order) const;

  Database* database_ = nullptr;
  std::string shared_;
  std::string own_;  ///< conditions on records alone, apart from those on the time and on hooks that took part
  std::vector<std::string> texts_;
  std::vector<std::string> other_texts_;  ///< must not occur
  std::vector<int64_t> hooks_;
  bool has_sessions_ = false;
  bool has_ids_ = false;
  bool is_empty_ = false;
  int64_t since_ = 0;
  int64_t until_ = 0;  ///< 0: no end
  int64_t after_ = 0;
  int64_t before_ = 0;
  size_t limit_ = 0;
  mutable std::optional<std::vector<NumberRange>> ranges_;  ///< once they are known
};

}  // namespace grapnel
