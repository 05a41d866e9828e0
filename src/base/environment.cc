#include "base/environment.h"

#include <unistd.h>

namespace grapnel {

namespace {

void add_entry(std::map<std::string, std::string, std::less<>>& values, std::string_view entry) {
  const size_t equals = entry.find('=');
  if (equals == std::string_view::npos || equals == 0) return;
  values[std::string(entry.substr(0, equals))] = entry.substr(equals + 1);
}

}  // namespace

Environment::Environment(const std::vector<std::string>& entries) {
  for (const std::string& entry : entries) add_entry(values_, entry);
}

Environment Environment::of_process() {
  Environment out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) add_entry(out.values_, *entry);
  return out;
}

std::string_view Environment::get(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string_view{} : std::string_view(found->second);
}

void Environment::remove(std::string_view name) {
  if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
}

std::vector<std::string> Environment::entries() const {
  std::vector<std::string> out;
  out.reserve(values_.size());
  for (const auto& [name, value] : values_) out.push_back(name + "=" + value);
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
