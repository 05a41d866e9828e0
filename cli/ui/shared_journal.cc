#include "cli/ui/shared_journal.h"

#include "cli/hook_source.h"

namespace grapnel::cli {

Result<std::unique_ptr<SharedJournal>> SharedJournal::open(const Environment& env) {
  auto reader = JournalReader::open(env.state_dir(), lost_records_dir(env));
  if (!reader) return std::unexpected(reader.error());
  return std::unique_ptr<SharedJournal>(new SharedJournal(std::move(*reader)));
}

}  // namespace grapnel::cli
