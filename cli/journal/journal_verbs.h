#pragma once

#include <string>

#include "cli/command.h"
#include "history/journal_reader.h"

/// The program behind `grapnel log`, `stats`, `why` and `record`:
///
///   main.cc       the table of verbs
///   filters.cc    opens the journal; turns options into a query
///   past_event.h  one event, and what happened to every hook
///   history.h     one hook, and all its events
///   log.cc, stats.cc, why.cc, why_hook.cc, record.cc   the verbs
///   fired.cc      the counts that `grapnel list` shows
namespace grapnel::cli {

int run_log(Invocation& in);
int run_stats(Invocation& in);
int run_why(Invocation& in);
int run_record(Invocation& in);
int run_fired(Invocation& in);

/// `why --hook NAME`.
int explain_hook(Invocation& in, JournalReader& journal, const std::string& name);

/// Opens the user's journal and imports the newest records. Prints a warning when something is missing in it. Fails:
/// System.
Result<JournalReader> open_journal(Invocation& in);

/// The query that the options `--since`, `--event` and so on stand for. Fails: BadInput.
Result<JournalQuery> read_filters(const Invocation& in);

/// The text of a member of a record, or "" when there is none.
std::string text_of(const Json& object, std::string_view key);
/// `850 µs`, `1.2 ms`, `3.4 s`.
std::string cost_text(std::chrono::microseconds took);
/// The verdict in a colour, padded to `width` columns.
std::string verdict_text(const Console& console, std::string_view verdict, size_t width = 0);
/// Whether this is the record of a gate that opened because its hooks had denied it too often.
bool is_open_by_cap(const Json& record);
/// The outcome of an event in one word: the verdict, or `open` for such a gate.
std::string status_text(const Console& console, const Json& record, size_t width = 0);

}  // namespace grapnel::cli
