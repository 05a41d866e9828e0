#include <charconv>
#include <thread>

#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "history/verify.h"

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

/// The last part of a line: who decided and why; or else the first hook that failed or made an error; or else how many
/// hooks ran.
std::string outcome_text(const Json& record) {
  if (is_open_by_cap(record)) return "closed too often in one turn";
  const std::string by = text_of(record, "decided_by");
  const std::string reason = text_of(record, "reason");
  if (!by.empty()) return by + (reason.empty() ? "" : ": " + reason);
  // Without a hook that decided, the origin tells who did: the engine, a limit, …
  if (!reason.empty()) return text_of(record, "origin") + ": " + reason;
  for (const Json& hook : record["hooks"].elements()) {
    const bool failed = hook["fate"].equals_string(to_string(HookFate::Kind::Failed));
    if (failed) return text_of(hook, "name") + " failed: " + text_of(hook, "detail");
  }
  for (const Json& hook : record["hooks"].elements()) {
    if (hook["error"]) return text_of(hook, "name") + " error: " + text_of(hook, "error");
  }
  const size_t count = record["hooks"].size();
  return count == 0 ? "no hook" : count_text(count, "hook");
}

/// One line of the log. A record marked "background" is not an event: it tells how an async hook ended, later.
std::string line_of(const Json& record, const Console& console) {
  if (record["background"]) {
    std::string out = time_text(text_of(record, "time")) + "  " + text_of(record, "id") + "  later ";
    for (const Json& hook : record["hooks"].elements()) {
      out += " " + text_of(hook, "name") + " " + text_of(hook, "fate") + ", " + text_of(hook, "detail");
    }
    return printable(out) + "\n";
  }
  const std::string event = text_of(record, "event");
  const std::string tool = text_of(record, "tool");
  return time_text(text_of(record, "time")) + "  " + printable(text_of(record, "id")) + "  " +
         status_text(console, record, 5) + "  " + (event.empty() ? "?" : printable(event)) +
         (tool.empty() ? "" : " " + printable(tool)) + "  " + printable(outcome_text(record)) + "  (" +
         cost_text(std::chrono::microseconds(record["us"].as_integer().value_or(0))) + ")\n";
}

/// Prints the entries as lines, or as the records' own JSON.
void print(Invocation& in, const std::vector<JournalEntry>& entries) {
  const bool as_json = in.args.has("--json");
  for (const JournalEntry& entry : entries) {
    in.console.out(as_json ? entry.record.dump() + "\n" : line_of(entry.record, in.console));
  }
}

/// Prints new entries until standard output is closed. The number of the newest entry is remembered, so that each entry
/// is printed once, even if the first query matched nothing.
int follow(Invocation& in, JournalReader& journal, JournalQuery query, const std::vector<JournalEntry>& shown) {
  query.limit = 0;
  const auto newest = journal.find({.limit = 1});
  if (newest && !newest->empty()) query.after = newest->back().number;
  if (!shown.empty()) query.after = std::max(query.after, shown.back().number);
  while (in.console.flush()) {
    std::this_thread::sleep_for(kFollowPause);
    if (auto done = journal.refresh(); !done) return report_input(in.console, done.error().message);
    const auto entries = journal.find(query);
    if (!entries) return report_input(in.console, entries.error().message);
    print(in, *entries);
    if (!entries->empty()) query.after = entries->back().number;
  }
  return kOk;
}

/// The file and the line of a fault, as editors understand it.
std::string place_of(const ChainFault& fault) {
  return place_text({fault.file, static_cast<uint32_t>(fault.line), 0});
}

void print_report_json(Invocation& in, const ChainReport& report) {
  std::vector<Json> faults;
  for (const ChainFault& fault : report.faults) {
    faults.push_back(Json::object({{"file", Json::string(fault.file)},
                                   {"line", Json::number(static_cast<int64_t>(fault.line))},
                                   {"what", Json::string(fault.what)}}));
  }
  const Json json = Json::object({{"records", Json::number(static_cast<int64_t>(report.records))},
                                  {"unfinished", Json::number(static_cast<int64_t>(report.torn))},
                                  {"faults", Json::array(faults)}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

/// Checks the chain of digests in the record files. The status is `kNo` when a record was removed, changed or cut off.
int verify(Invocation& in) {
  const auto report = verify_chain(in.env.state_dir());
  if (!report) {
    in.console.say(printable(report.error().to_string()));
    return kInternal;
  }
  if (in.args.has("--json")) {
    print_report_json(in, *report);
  } else {
    for (const ChainFault& fault : report->faults) in.console.out(place_of(fault) + ": " + fault.what + "\n");
    in.console.out(count_text(report->records, "record") + ", " +
                   (report->faults.empty() ? "all as they were written" : count_text(report->faults.size(), "fault")));
    // A writer could not finish such a line. That is no fault of the chain, because no record refers to it.
    if (report->torn > 0) in.console.out("; " + count_text(report->torn, "line") + " never finished");
    in.console.out("\n");
  }
  return report->faults.empty() ? kOk : kNo;
}

}  // namespace

int run_log(Invocation& in) {
  if (in.args.has("--verify")) return verify(in);
  auto query = read_filters(in);
  if (!query) return report_input(in.console, query.error().message);
  const auto limit = read_limit(in.args);
  if (!limit) return report_input(in.console, limit.error().message);
  query->limit = *limit;
  auto journal = open_journal(in);
  const auto entries = journal ? journal->find(*query) : std::unexpected(journal.error());
  if (!entries) {
    in.console.say(printable(entries.error().to_string()));
    return kInternal;
  }
  print(in, *entries);
  if (in.args.has("--follow")) return follow(in, *journal, *query, *entries);
  if (entries->empty() && !in.args.has("--json")) in.console.out("No recorded event matches.\n");
  return kOk;
}

}  // namespace grapnel::cli
