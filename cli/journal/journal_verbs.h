#pragma once

#include <string>

#include "cli/command.h"
#include "history/journal_reader.h"

/// The program behind `grapnel log`, `stats`, `why` and `record`:
///
///   main.cc       the table of verbs
///   filters.cc    options → a query; opening the journal
///   past_event.h  one event and every hook's fate
///   history.h     one hook and all its events
///   log.cc, stats.cc, why.cc, why_hook.cc, record.cc
///   fired.cc      for `grapnel list`
namespace grapnel::cli {

int run_log(Invocation& in);
int run_stats(Invocation& in);
int run_why(Invocation& in);
int run_record(Invocation& in);
int run_fired(Invocation& in);

/// `why --hook NAME`.
int explain_hook(Invocation& in, JournalReader& journal, const std::string& name);

/// The user's journal, up to date. Says on standard error what is missing in it. Fails: System.
Result<JournalReader> open_journal(Invocation& in);

/// What `--since`, `--event` and the like mean. Fails: BadInput.
Result<JournalQuery> read_filters(const Invocation& in);

/// Members of a record, "" when it has none of that name.
std::string text_of(const Json& object, std::string_view key);
/// `850 µs`, `1.2 ms`, `3.4 s`.
std::string cost_text(std::chrono::microseconds took);
/// The verdict, coloured by how bad it is for the agent.
std::string verdict_text(const Console& console, std::string_view verdict, size_t width = 0);

}  // namespace grapnel::cli
