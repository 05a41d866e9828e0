#include "base/text.h"
#include "cli/agent/slash.h"
#include "cli/helper_program.h"
#include "cli/journal_commands.h"

namespace grapnel::cli {

namespace {

/// The records can be large; after this long the user gets an error instead.
constexpr std::chrono::milliseconds kPatience{10000};

}  // namespace

/// The journal program explains events from the records on disk. Running it here gives the same text as `grapnel why`.
void run_why_command(Conversation& conversation, std::string_view arguments) {
  std::vector<std::string> words{"why", "--session", conversation.session->id()};
  if (!arguments.empty()) words.emplace_back(arguments);
  const auto told = run_helper_program(conversation.env, kJournalProgram, std::move(words), kPatience);
  const std::string text = told ? *told : told.error().message;
  for (const std::string_view line : text::split(text::trim(text), '\n')) conversation.ui.say(printable(line));
}

}  // namespace grapnel::cli
