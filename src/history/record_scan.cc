#include "history/record_scan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "grapnel/tool.h"

#include "base/text.h"
#include "dialect/dialect.h"
#include "history/importer.h"
#include "history/record_facts.h"
#include "history/schema.h"
#include "history/text_blocks.h"

namespace grapnel {

namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
/// To read this many rows for nothing takes less time than to start another query.
constexpr int64_t kSmallGap = 64;

/// ` IN (1,2)`, or ` NOT IN (1,2)`.
std::string in_text(const std::vector<int64_t>& numbers, bool is_negated) {
  std::vector<std::string> words;
  for (const int64_t number : numbers) words.push_back(std::to_string(number));
  return std::string(is_negated ? " NOT" : "") + " IN (" + text::join(words, ",") + ")";
}

/// Whether one of these hooks took part in a record.
std::string has_hook(const std::vector<int64_t>& hooks) {
  return "EXISTS (SELECT 1 FROM runs o WHERE o.record = r.number AND o.hook" + in_text(hooks, false) + ")";
}

std::string with_alias(std::string conditions, const std::string& alias) {
  for (size_t at = 0; (at = conditions.find('%', at)) != std::string::npos; at += alias.size()) {
    conditions.replace(at, 1, alias);
  }
  return conditions;
}

/// The numbers that a query with the value as its parameter returns.
Result<std::vector<int64_t>> numbers_of(Database& database, const char* sql, const std::string& value) {
  auto select = database.prepare(sql);
  if (!select) return std::unexpected(select.error());
  select->bind(1, value);
  std::vector<int64_t> numbers;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return numbers;
    numbers.push_back(select->number(0));
  }
}

constexpr const char* kExactName = "SELECT number FROM names WHERE text = ?1";
constexpr const char* kAnyCaseName = "SELECT number FROM names WHERE text = ?1 COLLATE NOCASE";
/// `0` is the character behind `/`, so the range contains everything below the directory.
constexpr const char* kDirectory =
    "SELECT number FROM names WHERE text = ?1 OR (text >= ?1 || '/' AND text < ?1 || '0')";
/// In short, the name of the directory alone.
constexpr const char* kDirectoryOrName =
    "SELECT number FROM names WHERE text = ?1 OR (text >= ?1 || '/' AND text < ?1 || '0') OR "
    "(instr(?1, '/') = 0 AND substr(text, -length(?1) - 1) = '/' || ?1)";
constexpr const char* kExactSession = "SELECT number FROM sessions WHERE id = ?1";
/// U+10FFFF sorts behind everything that a name can contain.
constexpr const char* kSessionBeginning = "SELECT number FROM sessions WHERE id >= ?1 AND id < ?1 || char(1114111)";

/// `mcp` and `other` say only what a tool is not.
bool is_tool_kind(std::string_view name) {
  constexpr auto kKinds =
      std::to_array({ToolKind::Shell, ToolKind::Read, ToolKind::Write, ToolKind::Edit, ToolKind::Delete, ToolKind::Glob,
                     ToolKind::Grep, ToolKind::Fetch, ToolKind::Search, ToolKind::Task, ToolKind::Todo});
  return std::ranges::any_of(kKinds, [&](ToolKind kind) { return to_string(kind) == name; });
}

/// The tools of a kind (`shell`, `read`…), whatever their agents call them. Paths are no names of tools.
Result<std::vector<int64_t>> tools_of_kind(Database& database, const std::string& kind) {
  auto select = database.prepare("SELECT number, text FROM names WHERE text <> '' AND instr(text, '/') = 0");
  if (!select) return std::unexpected(select.error());
  std::vector<int64_t> numbers;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return numbers;
    const std::string name = select->text(1);
    const auto is_of_kind = [&](const Dialect* dialect) { return to_string(tool_kind(name, dialect->name)) == kind; };
    if (std::ranges::any_of(all_dialects(), is_of_kind)) numbers.push_back(select->number(0));
  }
}

/// The columns that have the number of a name, and how the name is found.
struct NameColumn {
  std::string JournalQuery::* value;
  const char* column;
  const char* sql;
  bool is_shared;  ///< also a column of `hours`
};
constexpr auto kNameColumns = std::to_array<NameColumn>({
    {&JournalQuery::agent, "agent", kExactName, true},
    {&JournalQuery::project, "project", kDirectory, true},
    {&JournalQuery::event, "event", kExactName, true},
    {&JournalQuery::tool, "tool", kExactName, true},
    {&JournalQuery::cwd, "cwd", kDirectory, false},
    {&JournalQuery::registry, "registry", kExactName, false},
    {&JournalQuery::session, "session", kExactSession, false},
});

Result<std::vector<NumberRange>> select_ranges(Database& database, const std::string& sql) {
  auto select = database.prepare(sql);
  if (!select) return std::unexpected(select.error());
  std::vector<NumberRange> ranges;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    ranges.push_back({select->number(0), select->number(1)});
  }
  std::ranges::sort(ranges, {}, &NumberRange::low);
  std::vector<NumberRange> merged;
  for (const NumberRange& range : ranges) {
    if (!merged.empty() && range.low <= merged.back().high + kSmallGap) {
      merged.back().high = std::max(merged.back().high, range.high);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

/// Both lists are sorted.
std::vector<NumberRange> common_ranges(const std::vector<NumberRange>& a, const std::vector<NumberRange>& b) {
  std::vector<NumberRange> common;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const NumberRange both{std::max(a[i].low, b[j].low), std::min(a[i].high, b[j].high)};
    if (both.low <= both.high) common.push_back(both);
    a[i].high < b[j].high ? ++i : ++j;
  }
  return common;
}

}  // namespace

Result<RecordScan> RecordScan::plan(Database& database, const JournalQuery& query, int64_t session) {
  RecordScan scan;
  scan.database_ = &database;
  scan.since_ = ms_of(query.since);
  scan.until_ = ms_of(query.until);
  scan.after_ = query.after;
  scan.before_ = query.before;
  scan.limit_ = query.limit;
  if (session > 0) {
    scan.has_sessions_ = true;
    scan.own_ += " AND r.session = " + std::to_string(session);
  }
  if (auto done = scan.add_members(database, query); !done) return std::unexpected(done.error());
  if (auto done = scan.add_conditions(database, query); !done) return std::unexpected(done.error());
  return scan;
}

/// The members of the query with one exact value.
Result<void> RecordScan::add_members(Database& database, const JournalQuery& query) {
  for (const NameColumn& column : kNameColumns) {
    const std::string& value = query.*column.value;
    if (value.empty()) continue;
    const auto numbers = numbers_of(database, column.sql, value);
    if (!numbers) return std::unexpected(numbers.error());
    if (numbers->empty()) is_empty_ = true;
    if (column.value == &JournalQuery::session) has_sessions_ = true;
    const std::string condition = std::string(column.column) + in_text(*numbers, false);
    if (column.is_shared) {
      add_shared("%." + condition);
    } else {
      own_ += " AND r." + condition;
    }
  }
  if (query.stops)
    add_shared("%.verdict" + in_text({static_cast<int64_t>(Verdict::Ask), static_cast<int64_t>(Verdict::Deny)}, false));
  for (const auto& [key, value] : {std::pair(QueryKey::Verdict, query.verdict), std::pair(QueryKey::Text, query.text),
                                   std::pair(QueryKey::Hook, query.hook), std::pair(QueryKey::Id, query.id),
                                   std::pair(QueryKey::Would, std::string(query.would.empty() ? "" : "any"))}) {
    if (value.empty()) continue;
    if (auto done = add_condition(database, key, {value}, false); !done) return done;
  }
  return {};
}

Result<void> RecordScan::add_conditions(Database& database, const JournalQuery& query) {
  // Texts must all occur; other values of one key are alternatives.
  std::map<std::pair<QueryKey, bool>, std::vector<std::string>> grouped;
  for (const QueryCondition& condition : query.where) {
    grouped[{condition.key, condition.is_negated}].push_back(condition.value);
  }
  for (const auto& [key, values] : grouped) {
    if (auto done = add_condition(database, key.first, values, key.second); !done) return done;
  }
  return {};
}

Result<void> RecordScan::add_condition(Database& database, QueryKey key, const std::vector<std::string>& values,
                                       bool is_negated) {
  // Each key: the column, and how a value becomes numbers of that column.
  const auto resolve = [&](const char* sql) -> Result<std::vector<int64_t>> {
    std::vector<int64_t> all;
    for (const std::string& value : values) {
      const auto numbers = numbers_of(database, sql, value);
      if (!numbers) return std::unexpected(numbers.error());
      all.insert(all.end(), numbers->begin(), numbers->end());
      // Agents have different names for the same tools, so the kind of a tool finds them all.
      const auto kinds = key == QueryKey::Tool && is_tool_kind(value) ? tools_of_kind(database, value)
                                                                      : Result<std::vector<int64_t>>();
      if (!kinds) return std::unexpected(kinds.error());
      all.insert(all.end(), kinds->begin(), kinds->end());
    }
    if (all.empty() && !is_negated) is_empty_ = true;
    return all;
  };
  const auto add_names = [&](const char* column, const char* sql) -> Result<void> {
    const auto numbers = resolve(sql);
    if (!numbers) return std::unexpected(numbers.error());
    add_shared("%." + std::string(column) + in_text(*numbers, is_negated));
    return {};
  };
  switch (key) {
    case QueryKey::Tool:
      return add_names("tool", kAnyCaseName);
    case QueryKey::Event:
      return add_names("event", kAnyCaseName);
    case QueryKey::Agent:
      return add_names("agent", kAnyCaseName);
    case QueryKey::Project:
      return add_names("project", kDirectoryOrName);
    case QueryKey::Verdict:
    case QueryKey::Would: {
      std::vector<int64_t> numbers;
      for (const std::string& value : values) {
        const auto verdict = verdict_from(value);
        const int64_t added = key == QueryKey::Would ? 1 : 0;
        if (verdict) numbers.push_back(static_cast<int64_t>(*verdict) + added);
        for (int64_t any = 1; added == 1 && value == "any" && any <= 4; ++any) numbers.push_back(any);
      }
      add_shared(std::string(key == QueryKey::Would ? "%.would" : "%.verdict") + in_text(numbers, is_negated));
      return {};
    }
    case QueryKey::Session: {
      const auto numbers = resolve(kSessionBeginning);
      if (!numbers) return std::unexpected(numbers.error());
      has_sessions_ |= !is_negated;
      own_ += " AND r.session" + in_text(*numbers, is_negated);
      return {};
    }
    case QueryKey::Hook: {
      const auto numbers = resolve(kExactName);
      if (!numbers) return std::unexpected(numbers.error());
      if (!is_negated) {
        hooks_.insert(hooks_.end(), numbers->begin(), numbers->end());
      } else if (!numbers->empty()) {
        own_ += " AND NOT " + has_hook(*numbers);
      }
      return {};
    }
    case QueryKey::Id: {
      std::string any;
      for (const std::string& value : values) {
        const auto [low, high] = id_keys(value);
        any += std::string(any.empty() ? "" : " OR ") + "r.id BETWEEN " + std::to_string(low) + " AND " +
               std::to_string(high);
      }
      has_ids_ |= !is_negated;
      own_ += std::string(" AND ") + (is_negated ? "NOT " : "") + "(" + any + ")";
      return {};
    }
    case QueryKey::Text: {
      std::vector<std::string>& texts = is_negated ? other_texts_ : texts_;
      texts.insert(texts.end(), values.begin(), values.end());
      return {};
    }
  }
  return {};
}

std::string RecordScan::hour_conditions(const std::string& alias) const {
  return with_alias(shared_, alias);
}

std::string RecordScan::hook_conditions(const std::string& alias) const {
  return hooks_.empty() ? "" : " AND " + alias + ".hook" + in_text(hooks_, false);
}

std::string RecordScan::conditions() const {
  std::string out = with_alias(shared_, "r") + own_;
  if (is_by_hook()) {
    // A hook may have several shares in one record, which must still be found only once.
    const std::string hook = "hook" + in_text(hooks_, false);
    out += " AND h." + hook + " AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.record = h.record AND o." + hook +
           " AND o.position < h.position)";
  } else if (!hooks_.empty()) {
    out += " AND " + has_hook(hooks_);
  }
  if (since_ > 0) out += " AND r.time >= " + std::to_string(since_);
  if (until_ > 0) out += " AND r.time < " + std::to_string(until_);
  return out;
}

std::string RecordScan::hour_span(const std::string& alias) const {
  std::string out;
  if (since_ > 0) out += " AND " + alias + ".hour >= " + std::to_string(since_ / kHourMs);
  if (until_ > 0) out += " AND " + alias + ".hour <= " + std::to_string((until_ - 1) / kHourMs);
  return out;
}

Result<std::vector<NumberRange>> RecordScan::find_ranges() const {
  if (!ranges_) {
    auto ranges = select_all_ranges();
    if (!ranges) return ranges;
    ranges_ = std::move(*ranges);
  }
  return *ranges_;
}

/// From low to high numbers. Sessions and ids are found by their own indexes, so they need no ranges.
Result<std::vector<NumberRange>> RecordScan::select_all_ranges() const {
  std::vector<NumberRange> ranges{{after_ + 1, before_ > 0 ? before_ - 1 : kEnd}};
  if (is_empty_ || has_sessions_ || has_ids_) return ranges;
  const auto narrow = [&](const std::string& conditions) -> Result<void> {
    const auto found = select_ranges(*database_, "SELECT h.low, h.high FROM " + conditions);
    if (!found) return std::unexpected(found.error());
    ranges = common_ranges(ranges, *found);
    return {};
  };
  if (!shared_.empty()) {
    if (auto done = narrow("hours h WHERE 1" + hour_conditions("h") + hour_span("h")); !done)
      return std::unexpected(done.error());
  } else if (hooks_.empty() && (since_ > 0 || until_ > 0)) {
    // Numbers grow with the time, so one range is as good as many.
    if (auto done = narrow("(SELECT min(h.low) AS low, max(h.high) AS high FROM hours h WHERE 1" + hour_span("h") +
                           ") h WHERE h.low > 0");
        !done)
      return std::unexpected(done.error());
  }
  if (!hooks_.empty()) {
    if (auto done = narrow("hook_hours h WHERE 1" + hook_conditions("h") + hour_span("h")); !done)
      return std::unexpected(done.error());
  }
  if (!texts_.empty()) {
    const auto found = find_text_ranges(*database_, texts_);
    if (!found) return std::unexpected(found.error());
    ranges = common_ranges(ranges, *found);
  }
  return ranges;
}

Result<int64_t> RecordScan::size() const {
  if (is_empty_ || has_sessions_ || has_ids_) return 0;
  const auto ranges = find_ranges();
  if (!ranges) return std::unexpected(ranges.error());
  int64_t size = 0;
  for (const NumberRange& range : *ranges) {
    if (range.high == kEnd) return kEnd;
    size += range.high - range.low + 1;
  }
  return size;
}

/// The order of the tables is forced: SQLite cannot know how many rows fit.
RecordScan::Source RecordScan::source() const {
  if (has_ids_) return {"records r INDEXED BY records_id", "r.number"};
  if (has_sessions_) return {"records r INDEXED BY records_session", "r.number"};
  if (is_by_subject()) return {"subjects s CROSS JOIN records r ON r.number = s.record", "s.record"};
  if (is_by_hook()) return {"runs h CROSS JOIN records r ON r.number = h.record", "h.record"};
  return {"records r NOT INDEXED", "r.number"};
}

Result<void> RecordScan::run(const std::string& columns, const Take& take, Order order) const {
  return run_joined(columns, "", take, order);
}

Result<void> RecordScan::run_hooks(const std::string& columns, const Take& take) const {
  const std::string join = " CROSS JOIN runs x ON x.record = r.number" + hook_conditions("x");
  return run_joined(columns, join, take, Order::OldestFirst);
}

Result<void> RecordScan::run_joined(const std::string& columns, const std::string& join, const Take& take,
                                    Order order) const {
  if (is_empty_) return {};
  const auto [tables, number] = source();
  std::string sql = "SELECT " + columns + " FROM " + tables + join + " WHERE " + number + " BETWEEN ?1 AND ?2";
  int next = 3;
  const auto add_texts = [&](const std::vector<std::string>& texts, const std::string& before) {
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::string name = "?" + std::to_string(next++);
      const std::string has =
          "(has_text(s.text, " + name + ") OR (s.rewritten IS NOT NULL AND has_text(s.rewritten, " + name + ")))";
      sql += " AND " + before +
             (is_by_subject() ? has : "EXISTS (SELECT 1 FROM subjects s WHERE s.record = r.number AND " + has + ")");
    }
  };
  add_texts(texts_, "");
  add_texts(other_texts_, "NOT ");
  sql += conditions();
  sql += " ORDER BY " + number + (order == Order::NewestFirst ? " DESC" : "");
  auto select = database_->prepare(sql);
  if (!select) return std::unexpected(select.error());
  next = 3;
  for (const auto* texts : {&texts_, &other_texts_}) {
    for (const std::string& text : *texts) select->bind(next++, text);
  }
  auto ranges = find_ranges();
  if (!ranges) return std::unexpected(ranges.error());
  if (order == Order::NewestFirst) std::ranges::reverse(*ranges);
  size_t taken = 0;
  for (const NumberRange& range : *ranges) {
    select->bind(1, range.low).bind(2, range.high);
    for (;;) {
      const auto row = select->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) break;
      const auto goes_on = take(*select);
      if (!goes_on) return std::unexpected(goes_on.error());
      if (!*goes_on || ++taken == limit_) return {};
    }
    select->reset();
  }
  return {};
}

}  // namespace grapnel
