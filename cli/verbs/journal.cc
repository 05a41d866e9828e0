#include "cli/helper_program.h"
#include "cli/journal_commands.h"

namespace grapnel::cli {

namespace {

/// The journal is read by a program of its own, which parses the words again.
int start_journal(Invocation& in, std::string_view verb) {
  std::vector<std::string> words(in.words.begin(), in.words.end());
  words.insert(words.begin(), std::string(verb));
  return become_helper_program(in, kJournalProgram, std::move(words));
}

}  // namespace

const Command kLog = log_command([](Invocation& in) { return start_journal(in, kLog.name); });
const Command kStats = stats_command([](Invocation& in) { return start_journal(in, kStats.name); });
const Command kRecord = record_command([](Invocation& in) { return start_journal(in, kRecord.name); });
const Command kWhy = why_command([](Invocation& in) { return start_journal(in, kWhy.name); });

}  // namespace grapnel::cli
