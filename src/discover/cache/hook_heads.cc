#include "discover/cache/hook_heads.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>

#include "base/bytes.h"
#include "dialect/dialect.h"
#include "dialect/payload.h"
#include "match/required_text.h"
#include "rule/lookup.h"

namespace grapnel {

/// The field that a lookup is about, and the events at which it may leave a hook out.
struct LookupKey {
  Field subject = Field::None;
  bool only_where_matched_on = false;  ///< only at events whose matchers are compared with this field
};

static void each_member(auto& bytes, LookupKey& key) {
  auto& [subject, only_where_matched_on] = key;
  bytes(subject, only_where_matched_on);
}

namespace {

/// The bytes of a lookup: key, dialect, the text that must be contained, the names of which one must be equal. Names
/// are sorted, so that hooks with the same names share one lookup.
std::string write_lookup(const HookSpec& hook, LookupKey key, std::vector<std::string> names, std::string needed) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  ByteWriter bytes;
  bytes(key, std::string(hook.dialect->name), needed, names);
  return bytes.take();
}

/// The lookup that a clause amounts to, or "" when it is none: a clause with several patterns, or a pattern that is
/// neither a list of names nor a regular expression with a fixed text in it.
std::string lookup_of_clause(const HookSpec& hook, const Clause& clause) {
  if (clause.any_of.size() != 1) return "";
  const Matcher& only = clause.any_of.front();
  auto names = only.exact_names();
  const bool is_regex = only.syntax() == MatchSyntax::StrictRegex;
  std::string needed = !names && is_regex ? match::required_text(only.pattern()) : "";
  if (!names && needed.empty()) return "";
  return write_lookup(hook, {clause.subject, false}, std::move(names).value_or(std::vector<std::string>{}),
                      std::move(needed));
}

/// The lookup of a hook, or "". A clause that does not match keeps the planner from planning the hook, at every event,
/// so a lookup made from it applies everywhere. The tool names in a `when` are different: the planner leaves the hook
/// out only where its index looks hooks up by tool name. At other events it evaluates the condition and records that it
/// was not met, and for that it needs the hook.
std::string lookup_of(const HookSpec& hook) {
  for (const Clause& clause : hook.clauses) {
    if (std::string lookup = lookup_of_clause(hook, clause); !lookup.empty()) return lookup;
  }
  auto names = rule::names_on(hook, Field::ToolName);
  return names ? write_lookup(hook, {Field::ToolName, true}, std::move(*names), "") : "";
}

/// Decides whether lookups may succeed at one event. Hooks share few fields, so each field is read from the event once
/// and kept.
class Concerns {
 public:
  explicit Concerns(const Event& event) : event_(event) {}

  bool are_possible(std::string_view lookup) {
    ByteReader reader(lookup);
    LookupKey key;
    reader(key);
    const std::string_view dialect = reader.next_text();
    const std::string_view needed = reader.next_text();
    uint32_t count = 0;
    reader(count);
    const Known& known = known_as(dialect, key.subject);
    // Yes whenever we cannot decide: then the hook is read and the planner decides.
    if (!reader.is_good() || !known.text || (key.only_where_matched_on && !known.is_matched_on)) return true;
    if (!needed.empty()) return known.text->contains(needed);
    for (; count > 0 && reader.is_good(); --count) {
      if (reader.next_text() == *known.text) return true;
    }
    return !reader.is_good();
  }

 private:
  struct Known {
    std::string_view dialect;
    Field subject = Field::None;
    std::optional<std::string> text;  ///< nothing when the field is missing, is not a text, or has several values
    bool is_matched_on = false;
  };

  /// The value of a field as that dialect spells it.
  const Known& known_as(std::string_view dialect, Field subject) {
    for (const Known& known : known_) {
      if (known.subject == subject && known.dialect == dialect) return known;
    }
    Known& known = known_.emplace_back(Known{dialect, subject, std::nullopt, false});
    const Dialect* as = find_dialect(dialect);
    const EventRow* row = as == nullptr ? nullptr : as->find_event(event_.kind());
    if (row == nullptr) return known;
    known.is_matched_on = row->matching.match_on == subject;
    // A tool may have several names for hooks of another agent, and a hook may match any of them.
    const bool is_plain = subject != Field::ToolName || other_tool_names(event_, *as).empty();
    if (is_plain) known.text = field_as(event_, *as, subject).as_string();
    return known;
  }

  const Event& event_;
  std::deque<Known> known_;
};

}  // namespace

void HeadWriter::add(const HookSpec& hook, const HookBytes& bytes) {
  HookHead& head = heads_.emplace_back(HookHead{bytes, (hook.events | hook.settles_at()).to_ullong(), 0});
  std::string lookup = lookup_of(hook);
  if (!lookup.empty())
    head.lookup = lookups_.try_emplace(std::move(lookup), static_cast<uint32_t>(lookups_.size()) + 1).first->second;
}

std::string HeadWriter::take() const {
  std::vector<std::string> lookups(lookups_.size());
  // The map is sorted by bytes; heads refer to lookups by number.
  for (const auto& [bytes, number] : lookups_) lookups[number - 1] = bytes;
  ByteWriter out;
  out(lookups, std::string(reinterpret_cast<const char*>(heads_.data()), heads_.size() * sizeof(HookHead)));
  return out.take();
}

HookHeads::HookHeads(std::string_view bytes) {
  ByteReader reader(bytes);
  uint32_t count = 0;
  reader(count);
  for (; count > 0 && reader.is_good(); --count) lookups_.push_back(reader.next_text());
  heads_ = reader.next_text();
  is_good_ = reader.is_good() && reader.is_at_end() && heads_.size() % sizeof(HookHead) == 0;
  // Checked once here, so that later reads need no check of the index.
  for (size_t i = 0; i < size(); ++i) is_good_ = is_good_ && at(i).lookup <= lookups_.size();
  if (!is_good_) heads_ = {};
}

/// Copies the head, because the bytes in the file need not be aligned.
HookHead HookHeads::at(size_t index) const {
  HookHead head;
  std::memcpy(&head, heads_.data() + index * sizeof head, sizeof head);
  return head;
}

uint64_t HookHeads::hook_bytes() const {
  // Hooks are stored one behind the other, so the last one ends where all of them end.
  return size() == 0 ? 0 : uint64_t{at(size() - 1).bytes.from} + at(size() - 1).bytes.size;
}

std::vector<HookHead> HookHeads::concerning(const Event* event) const {
  std::vector<HookHead> out;
  std::optional<Concerns> concerns;
  if (event != nullptr) concerns.emplace(*event);
  // Thousands of hooks may share a lookup; it is decided once.
  std::vector<std::optional<bool>> answers(lookups_.size());
  const auto is_possible = [&](uint32_t lookup) {
    if (lookup == 0) return true;
    std::optional<bool>& answer = answers[lookup - 1];
    if (!answer) answer = concerns->are_possible(lookups_[lookup - 1]);
    return *answer;
  };
  for (size_t i = 0; i < size(); ++i) {
    const HookHead head = at(i);
    const bool listens = !concerns || ((head.events >> static_cast<unsigned>(event->kind())) & 1U) != 0;
    if (!concerns || (listens && is_possible(head.lookup))) out.push_back(head);
  }
  return out;
}

}  // namespace grapnel
