#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "history/journal_reader.h"
#include "model/registry.h"

/// An event on record, and what became of every hook that was configured then: of those that were planned the record
/// has the fate; why the others were not is planned again, from the snapshot of the hooks and what the record has of
/// the event.
namespace grapnel::cli {

struct PastEvent {
  Json record;
  std::vector<Json> later;           ///< what came later from hooks nobody waited for
  std::optional<Registry> registry;  ///< nothing when it is not known any more
};

/// One hook's share in it.
struct Share {
  std::string name;
  std::string source;
  std::string fate;  ///< `ran`, `failed`, `skipped`, `detached`
  std::string detail;
  std::string match;  ///< what its patterns were compared with, for those that were planned
  std::string verdict;
  std::optional<std::chrono::microseconds> took;
  Json trace;  ///< its line of the record; missing when it has none
  bool is_for_other_event = false;
};

/// The event whose id begins so. Fails: BadInput when there is none, or more than one.
Result<PastEvent> find_past_event(JournalReader& journal, const std::string& id);

/// Every configured hook, those with a fate on record first.
std::vector<Share> shares_of(const PastEvent& past);

}  // namespace grapnel::cli
