#include "cli/journal/past_event.h"

#include <algorithm>

#include "grapnel/decision.h"

#include "base/error.h"
#include "cli/journal/journal_verbs.h"
#include "engine/recording.h"
#include "plan/planner.h"
#include "plan/registry_snapshot.h"

namespace grapnel::cli {

namespace {

/// A hook's share as the record has it. Skipped hooks have no time.
Share recorded_share(const Json& fate) {
  Share share{.name = text_of(fate, "name"),
              .source = text_of(fate, "source"),
              .fate = text_of(fate, "fate"),
              .detail = text_of(fate, "detail"),
              .verdict = text_of(fate, "verdict"),
              .trace = fate};
  if (share.fate != to_string(HookFate::Kind::Skipped)) {
    share.took = std::chrono::microseconds(fate["us"].as_integer().value_or(0));
  }
  return share;
}

/// Why a hook that the plan contains is not in the record. Either the engine itself decided before any hook ran, or the
/// record does not have the values that the matcher would need.
std::string absence_text(const Json& record, const HookSpec& hook) {
  if (text_of(record, "origin") == to_string(Origin::Engine)) return text_of(record, "reason");
  const bool is_compared = !hook.clauses.empty();
  if (is_compared && !record["subjects"] && !record["payload"]) {
    return "the values that its matcher needs were not recorded: GRAPNEL_PAYLOADS was off";
  }
  // Its condition was not even checked: the tool or the text that it is about does not occur in the event.
  return "no match: its condition cannot hold for this event";
}

/// The share of a hook that is not in the record, with the reason that planning the event again gives.
Share planned_share(const Json& record, const HookSpec& hook, const Explanation& planned) {
  Share share{.name = hook.name,
              .source = hook.source_text(),
              .fate = std::string(to_string(HookFate::Kind::Skipped)),
              .is_for_other_event = planned.reason == Reason::OtherEvent};
  if (planned.reason == Reason::Planned) {
    share.detail = absence_text(record, hook);
  } else {
    share.detail = std::string(to_string(planned.reason)) + (planned.detail.empty() ? "" : ": " + planned.detail);
  }
  return share;
}

/// The recorded share of this hook that no other hook has taken yet. Two hooks can have the same name and source.
Share* find_share(std::vector<Share>& shares, const std::vector<bool>& taken, const HookSpec& hook) {
  for (size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i] && shares[i].name == hook.name && shares[i].source == hook.source_text()) return &shares[i];
  }
  return nullptr;
}

}  // namespace

// An event and its background records have the same id, so several entries may belong to one event.
Result<PastEvent> find_past_event(JournalReader& journal, const std::string& id) {
  const auto whole = find_id(journal, id);
  if (!whole) return std::unexpected(whole.error());
  const auto entries = journal.find({.id = *whole});
  if (!entries) return std::unexpected(entries.error());
  if (entries->empty()) return fail(Errc::BadInput, "no event on record has the id '" + printable(id) + "'");
  PastEvent past{entries->front().record, {}, std::nullopt};
  for (const JournalEntry& entry : *entries) {
    if (entry.record["background"]) {
      past.later.push_back(entry.record);
    } else {
      past.record = entry.record;
    }
  }
  if (auto registry = read_snapshot(journal.registry(text_of(past.record, "registry")))) {
    past.registry = std::move(*registry);
  }
  return past;
}

// Recorded shares come first, in their order. Then the event is planned again with the old configuration, and each
// planned hook is either found among the recorded shares or added with the reason why it did not run.
std::vector<Share> shares_of(const PastEvent& past) {
  std::vector<Share> shares;
  for (const Json& fate : past.record["hooks"].elements()) shares.push_back(recorded_share(fate));
  for (const Json& record : past.later) {
    for (const Json& fate : record["hooks"].elements()) shares.push_back(recorded_share(fate));
  }
  const auto event = past.registry ? event_of(past.record) : std::nullopt;
  if (!event) return shares;
  std::vector<bool> taken(shares.size());
  for (const Explanation& planned : Planner(*past.registry).explain(*event)) {
    const HookSpec& hook = past.registry->hooks[planned.hook];
    // Hooks that are skipped for other reasons than missing trust are never written into a record.
    const bool may_be_on_record = planned.reason == Reason::Planned || planned.reason == Reason::Untrusted;
    Share* share = may_be_on_record ? find_share(shares, taken, hook) : nullptr;
    if (share == nullptr) {
      shares.push_back(planned_share(past.record, hook, planned));
      continue;
    }
    taken[static_cast<size_t>(share - shares.data())] = true;
    share->match = planned.detail;
  }
  return shares;
}

}  // namespace grapnel::cli
