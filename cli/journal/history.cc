#include "cli/journal/history.h"

#include "cli/hook_text.h"
#include "history/hook_totals.h"
#include "plan/registry_snapshot.h"

namespace grapnel::cli {

namespace {

/// The configurations of the past. Many events share one, so each snapshot is read only once.
class Registries {
 public:
  explicit Registries(const JournalReader& journal) : journal_(journal) {}

  /// Null when the snapshot is gone or cannot be read.
  const Registry* find(const std::string& digest) {
    const auto [at, is_new] = known_.try_emplace(digest);
    if (is_new) {
      if (auto registry = read_snapshot(journal_.registry(digest))) at->second = std::move(*registry);
    }
    return at->second ? &*at->second : nullptr;
  }

 private:
  const JournalReader& journal_;
  std::map<std::string, std::optional<Registry>> known_;
};

}  // namespace

// A record lists only the hooks that had a part in an event. Whether a hook could have run is computed here: for each
// configuration, the journal counts the events of each kind, and every hook that listens to the kind gets the count.
Result<std::map<std::string, HookHistory>> read_histories(JournalReader& journal) {
  const auto totals = count_hook_runs(journal);
  if (!totals) return std::unexpected(totals.error());
  std::map<std::string, HookHistory> all;
  for (const HookCount& hook : *totals) {
    HookHistory& history = all[hook.name];
    history.runs = static_cast<size_t>(hook.runs);
    history.skipped = static_cast<size_t>(hook.skipped);
    history.last = hook.last;
  }
  // The newest configuration comes first, so the first hook of a name is its latest form.
  const auto counts = journal.count_events();
  if (!counts) return std::unexpected(counts.error());
  Registries registries(journal);
  for (const EventCount& count : *counts) {
    const Registry* registry = registries.find(count.registry);
    if (registry == nullptr) continue;
    for (const HookSpec& hook : registry->hooks) {
      HookHistory& history = all[hook.name];
      if (!history.spec) history.spec = hook;
      const std::vector<std::string> names = hook.event_names();
      if (std::ranges::find(names, count.event) == names.end()) continue;
      if (history.last_event_id.empty()) history.last_event_id = count.last_id;
      history.own_events += static_cast<size_t>(count.count);
    }
  }
  for (auto& [name, history] : all) history.name = name;
  return all;
}

std::string silence_text(const HookHistory& history) {
  return "never fired in " + count_text(history.own_events, "event") + " of its kind";
}

}  // namespace grapnel::cli
