#include "match/name_index.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <unordered_map>

#include "match/append_only_set.h"

namespace grapnel {

// A subject is looked up in this order: among the remembered subjects, then in the hash table of names; if neither
// knows it and there are no patterns to ask, the answer is the list of matchers that match everything. Only new
// subjects reach the patterns.

namespace {

using Ids = std::vector<uint32_t>;

/// Lets `find` take a `string_view` without making a string.
struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

/// A hash of the whole list, for the set of answers.
size_t hash_ids(const Ids& ids) {
  size_t hash = ids.size();
  for (const uint32_t id : ids) hash = (hash ^ id) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

void sort_unique(Ids& ids) {
  std::ranges::sort(ids);
  const auto rest = std::ranges::unique(ids);
  ids.erase(rest.begin(), rest.end());
}

}  // namespace

struct NameIndex::Impl {
  /// A subject and its answer, which is in `answers`.
  struct Known {
    std::string subject;
    const Ids* ids = nullptr;
  };

  explicit Impl(const Limits& l) : limits(l) {}

  /// Sorts a matcher into one of the three groups by how it can be looked up.
  void add(Entry entry) {
    if (entry.matcher.matches_everything()) {
      everything.push_back(entry.id);
    } else if (const auto names = entry.matcher.exact_names()) {
      for (const std::string& name : *names) by_name[name].push_back(entry.id);
    } else {
      others.push_back(std::move(entry));
    }
  }

  /// The answer for a subject, given the matchers that list it by name.
  Ids compute(const Ids* named, std::string_view subject) const {
    Ids ids = everything;
    if (named) ids.insert(ids.end(), named->begin(), named->end());
    for (const Entry& entry : others)
      if (entry.matcher.matches(subject)) ids.push_back(entry.id);
    sort_unique(ids);
    return ids;
  }

  /// The stored answer that is equal to `ids`; stores it if it is new.
  const Ids& keep(Ids ids) {
    const auto is_same = [&wanted = ids](const Ids& other) { return other == wanted; };
    const size_t hash = hash_ids(ids);
    if (const Ids* kept = answers.find(hash, is_same)) return *kept;
    Ids copy = ids;  // `is_same` still compares with `ids`
    return answers.add(hash, std::move(copy), is_same);
  }

  /// Several threads may pass the first check at once, so the counter is checked again when it is incremented.
  void remember(std::string_view subject, size_t hash, const Ids& ids) {
    if (subject.size() > limits.subject_bytes || subjects.load(std::memory_order_relaxed) >= limits.subjects) return;
    if (subjects.fetch_add(1, std::memory_order_relaxed) >= limits.subjects) return;
    known.add(hash, {std::string(subject), &ids}, [&](const Known& k) { return k.subject == subject; });
  }

  Limits limits;
  Ids everything;
  std::unordered_map<std::string, Ids, Hash, std::equal_to<>> by_name;
  std::vector<Entry> others;
  match::AppendOnlySet<Known> known;
  match::AppendOnlySet<Ids> answers;
  std::atomic<size_t> subjects = 0;
};

NameIndex::NameIndex(std::vector<Entry> entries, const Limits& limits) : impl_(std::make_unique<Impl>(limits)) {
  for (Entry& entry : entries) impl_->add(std::move(entry));
  sort_unique(impl_->everything);
}

NameIndex::NameIndex(NameIndex&&) noexcept = default;
NameIndex& NameIndex::operator=(NameIndex&&) noexcept = default;
NameIndex::~NameIndex() = default;

/// Two threads may compute the same answer at once. Both get the same stored list, so that does no harm.
const std::vector<uint32_t>& NameIndex::candidates(std::string_view subject) const {
  const size_t hash = Hash{}(subject);
  if (const auto* k = impl_->known.find(hash, [&](const Impl::Known& known) { return known.subject == subject; }))
    return *k->ids;
  const auto named = impl_->by_name.find(subject);
  const bool is_named = named != impl_->by_name.end();
  if (!is_named && impl_->others.empty()) return impl_->everything;
  const Ids& ids = impl_->keep(impl_->compute(is_named ? &named->second : nullptr, subject));
  impl_->remember(subject, hash, ids);
  return ids;
}

size_t NameIndex::remembered() const {
  return std::min(impl_->subjects.load(std::memory_order_relaxed), impl_->limits.subjects);
}

}  // namespace grapnel
