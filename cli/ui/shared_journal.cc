#include "cli/ui/shared_journal.h"

#include <thread>

#include "base/error.h"
#include "cli/hook_source.h"

namespace grapnel::cli {

Result<std::unique_ptr<SharedJournal>> SharedJournal::open(const Environment& env) {
  auto reader = JournalReader::open(env.state_dir(), lost_records_dir(env));
  if (!reader) return std::unexpected(reader.error());
  return std::unique_ptr<SharedJournal>(new SharedJournal(std::move(*reader)));
}

void SharedJournal::import_new(const std::function<bool()>& go_on) {
  while (true) {
    ImportProgress reached;
    const auto import_part = [&](JournalReader& reader) {
      return reader.refresh([&](const ImportProgress& progress) {
        reached = progress;
        return false;
      });
    };
    const auto done = with([&](JournalReader& reader) {
      auto imported = import_part(reader);
      // A process that was stopped in the middle of an import keeps the lock; nobody waits for it again and again.
      if (imported || imported.error().code != Errc::Unavailable) return imported;
      auto moved = reader.move_to_memory();
      return moved ? import_part(reader) : moved;
    });
    const bool is_partial = done && reached.done < reached.total;
    {
      const std::scoped_lock lock(progress_mutex_);
      progress_ = is_partial ? std::optional(reached) : std::nullopt;
    }
    if (!go_on() || !is_partial) return;
    // A mutex is not fair: without a pause, nobody else would get it.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::optional<ImportProgress> SharedJournal::progress() const {
  const std::scoped_lock lock(progress_mutex_);
  return progress_;
}

}  // namespace grapnel::cli
