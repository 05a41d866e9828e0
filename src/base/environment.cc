#include "base/environment.h"

#include <unistd.h>

#include <algorithm>
#include <compare>

namespace grapnel {

namespace {

// An environment is two sorted lists: the entries it was made from, which all copies share, and the changes of this
// copy. A lookup searches the changes first. Listing all variables merges the two lists, so making a copy for a hook
// and setting a few variables never copies the many others.

constexpr size_t kUsualChanges = 12;  ///< as many variables as most dialects set for a hook

/// An entry's name and index. The index makes later duplicates come after earlier ones.
struct Named {
  std::string_view name;
  size_t at = 0;
  auto operator<=>(const Named&) const = default;
};

/// The entries sorted by name; of entries with the same name the last one. Entries that are no variables are left out.
std::vector<std::string> in_order(std::vector<std::string> entries) {
  std::vector<Named> named;
  named.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string_view name = name_of_entry(entries[i]);
    if (!name.empty() && name.size() < entries[i].size()) named.push_back({name, i});
  }
  if (!std::ranges::is_sorted(named)) std::ranges::sort(named);
  std::vector<std::string> out;
  out.reserve(named.size());
  for (size_t i = 0; i < named.size(); ++i) {
    const bool is_last = i + 1 == named.size() || named[i + 1].name != named[i].name;
    if (is_last) out.push_back(std::move(entries[named[i].at]));
  }
  return out;
}

/// Compares the name of an entry with another name, without searching for the `=` first.
std::strong_ordering compare_name(std::string_view entry, std::string_view name) {
  if (!entry.empty() && !name.empty() && entry[0] != name[0]) {  // the usual case
    return static_cast<unsigned char>(entry[0]) <=> static_cast<unsigned char>(name[0]);
  }
  const int order = entry.compare(0, name.size(), name);
  if (order != 0) return order <=> 0;
  const bool ends_here = entry.size() == name.size() || entry[name.size()] == '=';
  return ends_here ? std::strong_ordering::equal : std::strong_ordering::greater;
}

/// The index of the first entry whose name is not less than this one.
size_t place_of(std::string_view name, const std::vector<std::string>& entries) {
  const auto is_before = [&](const std::string& entry) { return compare_name(entry, name) < 0; };
  return static_cast<size_t>(std::ranges::partition_point(entries, is_before) - entries.begin());
}

/// Whether the entry at that index has this name.
bool is_at(size_t place, std::string_view name, const std::vector<std::string>& entries) {
  return place < entries.size() && compare_name(entries[place], name) == 0;
}

}  // namespace

std::string_view name_of_entry(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}
std::string_view value_of_entry(std::string_view entry) {
  return entry.substr(entry.find('=') + 1);
}

Environment::Environment(std::vector<std::string> entries) {
  entries = in_order(std::move(entries));
  has_nul_ = std::ranges::any_of(entries, [](const std::string& entry) { return entry.contains('\0'); });
  base_ = std::make_shared<const Entries>(std::move(entries));
}

Environment Environment::of_process() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return Environment(std::move(entries));
}

const Environment::Entries& Environment::base() const {
  static const Entries kNone;
  return base_ ? *base_ : kNone;
}

/// A change without `=` says that the variable is removed, and hides the one in the base.
const std::string* Environment::find(std::string_view name) const {
  if (const size_t place = place_of(name, changes_); is_at(place, name, changes_)) {
    return changes_[place].size() == name.size() ? nullptr : &changes_[place];
  }
  const size_t place = place_of(name, base());
  return is_at(place, name, base()) ? &base()[place] : nullptr;
}

std::string_view Environment::get(std::string_view name) const {
  const std::string* entry = find(name);
  return entry != nullptr ? value_of_entry(*entry) : std::string_view{};
}

/// Puts an entry into the sorted list of changes, or replaces the one with that name.
void Environment::change(std::string_view name, std::string entry) {
  const size_t place = place_of(name, changes_);
  if (is_at(place, name, changes_)) {
    changes_[place] = std::move(entry);
  } else {
    if (changes_.empty()) changes_.reserve(kUsualChanges);
    changes_.insert(changes_.begin() + static_cast<ptrdiff_t>(place), std::move(entry));
  }
}

void Environment::set(std::string_view name, std::string_view value) {
  std::string entry;
  entry.reserve(name.size() + 1 + value.size());
  entry.append(name).append("=").append(value);
  has_nul_ = has_nul_ || entry.contains('\0');
  change(name, std::move(entry));
}

void Environment::remove(std::string_view name) {
  change(name, std::string(name));
}

/// Calls `take` for every entry in the order of names: a merge of the base and the changes, which win.
template <class Take>
void Environment::visit(Take take) const {
  const Entries& unchanged = base();
  size_t at = 0;
  for (const std::string& change : changes_) {
    const std::string_view name = name_of_entry(change);
    for (; at < unchanged.size() && compare_name(unchanged[at], name) < 0; ++at) take(unchanged[at]);
    if (is_at(at, name, unchanged)) ++at;
    if (change.size() != name.size()) take(change);
  }
  for (; at < unchanged.size(); ++at) take(unchanged[at]);
}

/// Names are sorted, so all with the prefix are neighbours. They are collected first, because removing changes the
/// list.
void Environment::remove_prefixed(std::string_view prefix) {
  std::vector<std::string> names;
  for (const Entries* entries : {&base(), static_cast<const Entries*>(&changes_)}) {
    for (size_t at = place_of(prefix, *entries); at < entries->size() && (*entries)[at].starts_with(prefix); ++at) {
      names.emplace_back(name_of_entry((*entries)[at]));
    }
  }
  for (const std::string& name : names) remove(name);
}

std::vector<std::string> Environment::entries() const {
  std::vector<std::string> out;
  visit([&](const std::string& entry) { out.push_back(entry); });
  return out;
}

std::optional<std::vector<char*>> Environment::pointers() const {
  if (has_nul_) return std::nullopt;
  std::vector<char*> out;
  out.reserve(base().size() + changes_.size() + 1);
  visit([&](const std::string& entry) { out.push_back(const_cast<char*>(entry.c_str())); });
  out.push_back(nullptr);
  return out;
}

std::string Environment::home() const {
  const std::string_view home = get("HOME");
  return std::string(home.empty() ? "/" : home);
}

/// The XDG specification says that relative paths must be ignored.
std::string Environment::state_dir() const {
  const std::string_view base = get("XDG_STATE_HOME");
  return (base.starts_with('/') ? std::string(base) : home() + "/.local/state") + "/grapnel";
}

/// Without a runtime directory the state directory serves, which is on disk but exists everywhere.
std::string Environment::runtime_dir() const {
  const std::string_view base = get("XDG_RUNTIME_DIR");
  return base.starts_with('/') ? std::string(base) + "/grapnel" : state_dir() + "/sessions";
}

}  // namespace grapnel
