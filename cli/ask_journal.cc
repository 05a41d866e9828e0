#include "cli/ask_journal.h"

#include "cli/helper_program.h"
#include "cli/journal_commands.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel::cli {

Json ask_journal(const Environment& env, std::string_view verb) {
  constexpr std::chrono::milliseconds kPatience{10000};
  if (!os::stamp(env.state_dir() + std::string(kRecordFile))) return {};
  auto answer = run_helper_program(env, kJournalProgram, {std::string(verb)}, kPatience);
  return answer ? Json::parse(std::move(*answer)).value_or(Json()) : Json();
}

std::vector<std::string> recent_ids(const Environment& env, std::string_view of) {
  const Json recent = ask_journal(env, "recent");
  std::vector<std::string> ids;
  for (const Json& id : recent[of].elements()) ids.push_back(id.as_string().value_or(""));
  return ids;
}

}  // namespace grapnel::cli
