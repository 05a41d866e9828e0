#include <charconv>
#include <thread>

#include "cli/journal/journal_verbs.h"
#include "cli/journal/log_table.h"

namespace grapnel::cli {

namespace {

constexpr size_t kUsualLimit = 50;
/// How often `--follow` looks for new records.
constexpr std::chrono::milliseconds kFollowPause{100};

/// How many events to show; 0 means all. Fails: BadInput.
Result<size_t> read_limit(const Arguments& args) {
  if (!args.has("--limit")) return kUsualLimit;
  const std::string text = args.text("--limit");
  size_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error == std::errc() && end == text.data() + text.size()) return limit;
  return fail(Errc::BadInput, "'" + printable(text) + "' is not a number");
}

/// Prints the entries as lines of a table, or as the records' own JSON.
void print(Invocation& in, JournalReader& journal, LogTable& table, const std::vector<JournalEntry>& entries) {
  if (!in.args.has("--json")) return in.console.out(table.lines_of(entries, journal));
  for (const JournalEntry& entry : entries) in.console.out(entry.record.dump() + "\n");
}

/// Prints new entries until standard output is closed. The number of the newest entry is remembered, so that each entry
/// is printed once, even if the first query matched nothing.
int follow(Invocation& in, JournalReader& journal, LogTable& table, JournalQuery query,
           const std::vector<JournalEntry>& shown) {
  query.limit = 0;
  const auto newest = journal.find({.limit = 1});
  if (newest && !newest->empty()) query.after = newest->back().number;
  if (!shown.empty()) query.after = std::max(query.after, shown.back().number);
  while (in.console.flush()) {
    std::this_thread::sleep_for(kFollowPause);
    if (auto done = journal.refresh(); !done) return report_input(in.console, done.error().message);
    const auto entries = journal.find(query);
    if (!entries) return report_input(in.console, entries.error().message);
    print(in, journal, table, *entries);
    if (!entries->empty()) query.after = entries->back().number;
  }
  return kOk;
}

}  // namespace

int run_log(Invocation& in) {
  if (in.args.has("--verify")) return verify_log(in);
  const auto limit = read_limit(in.args);
  if (!limit) return report_input(in.console, limit.error().message);
  auto journal = open_journal(in);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  auto query = read_filters(in, *journal);
  if (!query) return report_input(in.console, query.error().message);
  query->limit = *limit;
  const auto entries = journal->find(*query);
  if (!entries) {
    in.console.say(printable(entries.error().to_string()));
    return kInternal;
  }
  LogTable table(in.console, zone_of(in.args));
  print(in, *journal, table, *entries);
  if (in.args.has("--follow")) return follow(in, *journal, table, *query, *entries);
  if (entries->empty() && !in.args.has("--json")) in.console.out("No recorded event matches.\n");
  return kOk;
}

}  // namespace grapnel::cli
