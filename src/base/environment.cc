#include "base/environment.h"

#include <unistd.h>

#include <algorithm>

namespace grapnel {

std::string_view name_of_entry(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}
std::string_view value_of_entry(std::string_view entry) {
  return entry.substr(entry.find('=') + 1);
}

Environment::Environment(std::vector<std::string> entries) : entries_(std::move(entries)) {
  std::erase_if(entries_, [](const std::string& entry) { return entry.find('=') - 1 >= entry.size(); });
  std::ranges::stable_sort(entries_, {}, name_of_entry);
  const auto reversed =
      std::ranges::unique(entries_.rbegin(), entries_.rend(), {}, name_of_entry);  // the last one stays
  entries_.erase(entries_.begin(), reversed.begin().base());
}

Environment Environment::of_process() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return Environment(std::move(entries));
}

Environment::Entries::const_iterator Environment::find(std::string_view name) const {
  return std::ranges::lower_bound(entries_, name, {}, name_of_entry);
}

bool Environment::has(std::string_view name) const {
  const auto at = find(name);
  return at != entries_.end() && name_of_entry(*at) == name;
}

std::string_view Environment::get(std::string_view name) const {
  const auto at = find(name);
  return at != entries_.end() && name_of_entry(*at) == name ? value_of_entry(*at) : std::string_view{};
}

void Environment::set(std::string_view name, std::string_view value) {
  std::string entry;
  entry.reserve(name.size() + 1 + value.size());
  entry.append(name).append("=").append(value);
  const auto at = entries_.begin() + (find(name) - entries_.cbegin());
  if (at != entries_.end() && name_of_entry(*at) == name) {
    *at = std::move(entry);
  } else {
    entries_.insert(at, std::move(entry));
  }
}

void Environment::remove(std::string_view name) {
  if (has(name)) entries_.erase(find(name));
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
