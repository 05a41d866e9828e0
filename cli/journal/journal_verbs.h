#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/local_time.h"
#include "history/journal_reader.h"

/// The program behind `grapnel log`, `stats`, `why` and `record`:
///
///   main.cc       the table of verbs
///   filters.cc    opens the journal; turns options into a query
///   past_event.h  one event, and what happened to every hook
///   history.h     one hook, and all its events
///   log.cc, stats.cc, why.cc, why_hook.cc, record.cc   the verbs
///   log_table.h   the lines of `log`
///   verify.cc     `log --verify`
///   fired.cc      the counts that `grapnel list` shows
///   recent.cc     the ids that shells complete
namespace grapnel::cli {

int run_log(Invocation& in);
int run_stats(Invocation& in);
int run_why(Invocation& in);
int run_record(Invocation& in);
int run_fired(Invocation& in);
int run_recent(Invocation& in);

/// `log --verify`.
int verify_log(Invocation& in);

/// `why --hook NAME`.
int explain_hook(Invocation& in, JournalReader& journal, const std::string& name);

/// What `stats --json` prints. Fails: System.
Result<Json> stats_json(JournalReader& journal, const JournalQuery& query);

/// A test file with a case for each of these records, all of which have a payload.
std::string fixture_text(const Environment& env, const std::vector<Json>& records);
/// What `record` prints for these events. Fails: BadInput when one is not on record, or its payload is not.
Result<std::string> fixture_of(const Environment& env, JournalReader& journal, const std::vector<std::string>& ids);

/// Opens the user's journal and imports the newest records. Prints a warning when something is missing in it. Fails:
/// System.
Result<JournalReader> open_journal(Invocation& in);

/// How long records are kept: the value of GRAPNEL_KEEP.
Retention read_retention(Invocation& in);

/// The query that the options `--since`, `--event` and so on stand for. Fails: BadInput.
Result<JournalQuery> read_filters(const Invocation& in, JournalReader& journal);

/// The whole id of an event, or of a session, of which people give the beginning. Fails: BadInput when none begins with
/// the text, or more than one; then the message names them.
Result<std::string> find_id(JournalReader& journal, const std::string& beginning);
Result<std::string> find_session(JournalReader& journal, const std::string& beginning);

/// Local time, or UTC with `--utc`.
Zone zone_of(const Arguments& args);

/// The text of a member of a record, or "" when there is none.
std::string text_of(const Json& object, std::string_view key);
/// `850 µs`, `1.2 ms`, `3.4 s`.
std::string cost_text(std::chrono::microseconds took);
/// Whether this is the record of a gate that opened because its hooks had denied it too often.
bool is_open_by_cap(const Json& record);
/// The outcome of an event in a word or two: the verdict, `open` for such a gate, `would deny` if only hooks that
/// observe objected.
std::string status_word(const Json& record);
/// The colour of such a word; nothing for `pass`.
std::optional<Style> status_style(std::string_view status);
/// The word in its colour.
std::string verdict_text(const Console& console, std::string_view verdict);

}  // namespace grapnel::cli
