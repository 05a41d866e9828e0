#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "cli/console.h"
#include "cli/local_time.h"
#include "history/journal_reader.h"
#include "model/registry.h"

/// An event of the past, and what happened to every hook that was configured then.
///
/// The record has the fate of the hooks that were planned. For the others, the event is planned again: from the
/// snapshot of the configuration, and from the parts of the event that are in the record.
namespace grapnel::cli {

/// Everything that the journal has about one event: its own record, and later ones with the same id.
struct PastEvent {
  Json record;
  std::vector<Json> later;           ///< records of async hooks, which ended after the event
  std::optional<Registry> registry;  ///< the hooks that were configured; nothing when the snapshot is gone
};

/// One hook's part in the event.
struct Share {
  std::string name;
  std::string source;
  std::string fate;  ///< `ran`, `failed`, `skipped`, `detached`
  std::string detail;
  std::string match;  ///< for planned hooks: what the matcher was compared with
  std::string verdict;
  std::optional<std::chrono::microseconds> took;
  Json trace;                       ///< the hook's entry in the record; missing when it has none
  bool is_for_other_event = false;  ///< the hook does not listen to events of this kind
};

/// The event whose id begins with the text. Fails: BadInput when there is none, or more than one.
Result<PastEvent> find_past_event(JournalReader& journal, const std::string& id);

/// The shares of all hooks: first those in the record, then the other configured hooks.
std::vector<Share> shares_of(const PastEvent& past);

/// What is told about a hook below its name: `ran` with its command, `refused:` with what its sandbox did not allow.
struct WhyLine {
  std::string word;
  std::string text;  ///< as it is on record: what shows it spells out characters that cannot be seen
};
std::vector<WhyLine> why_lines(const Share& share);

/// What `grapnel why` says about the event, for people and for programs.
std::string why_text(const PastEvent& past, const Console& console, Zone zone);
Json why_json(const PastEvent& past);

}  // namespace grapnel::cli
