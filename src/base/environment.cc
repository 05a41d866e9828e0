#include "base/environment.h"

#include <unistd.h>

#include <algorithm>

namespace grapnel {

namespace {

constexpr size_t kUsualChanges = 12;  ///< variables that a hook gets, in most dialects

struct Named {
  std::string_view name;
  size_t at = 0;
  auto operator<=>(const Named&) const = default;
};

/// By name; of those with one name the last. What is no variable is left out.
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

const std::string* Environment::find(std::string_view name) const {
  const auto is_at = [&](const Entries& entries, Entries::const_iterator at) {
    return at != entries.end() && name_of_entry(*at) == name;
  };
  if (const auto at = std::ranges::lower_bound(changes_, name, {}, name_of_entry); is_at(changes_, at)) {
    return at->size() == name.size() ? nullptr : &*at;
  }
  if (!base_) return nullptr;
  const auto at = std::ranges::lower_bound(*base_, name, {}, name_of_entry);
  return is_at(*base_, at) ? &*at : nullptr;
}

std::string_view Environment::get(std::string_view name) const {
  const std::string* entry = find(name);
  return entry != nullptr ? value_of_entry(*entry) : std::string_view{};
}

void Environment::change(std::string_view name, std::string entry) {
  const auto at = std::ranges::lower_bound(changes_, name, {}, name_of_entry);
  if (at != changes_.end() && name_of_entry(*at) == name) {
    *at = std::move(entry);
  } else {
    const auto place = at - changes_.begin();
    if (changes_.empty()) changes_.reserve(kUsualChanges);
    changes_.insert(changes_.begin() + place, std::move(entry));
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

/// In order of their names.
template <class Take>
void Environment::visit(Take take) const {
  static const Entries kNone;
  const Entries& base = base_ ? *base_ : kNone;
  auto at = base.begin();
  for (const std::string& change : changes_) {
    const std::string_view name = name_of_entry(change);
    for (; at != base.end() && name_of_entry(*at) < name; ++at) take(*at);
    if (at != base.end() && name_of_entry(*at) == name) ++at;
    if (change.size() != name.size()) take(change);
  }
  for (; at != base.end(); ++at) take(*at);
}

void Environment::remove_prefixed(std::string_view prefix) {
  std::vector<std::string> names;
  visit([&](const std::string& entry) {
    if (entry.starts_with(prefix)) names.emplace_back(name_of_entry(entry));
  });
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
  out.reserve((base_ ? base_->size() : 0) + changes_.size() + 1);
  visit([&](const std::string& entry) { out.push_back(const_cast<char*>(entry.c_str())); });
  out.push_back(nullptr);
  return out;
}

std::string Environment::home() const {
  const std::string_view home = get("HOME");
  return std::string(home.empty() ? "/" : home);
}

std::string Environment::state_dir() const {
  const std::string_view base = get("XDG_STATE_HOME");
  return (base.starts_with('/') ? std::string(base) : home() + "/.local/state") + "/grapnel";
}

std::string Environment::runtime_dir() const {
  const std::string_view base = get("XDG_RUNTIME_DIR");
  return base.starts_with('/') ? std::string(base) + "/grapnel" : state_dir() + "/sessions";
}

}  // namespace grapnel
