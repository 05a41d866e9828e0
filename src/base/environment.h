#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace grapnel {

/// A snapshot of environment variables: taken once, passed in, never read from the process behind anybody's back.
class Environment {
 public:
  Environment() = default;
  /// From `NAME=value` entries; later ones win.
  explicit Environment(const std::vector<std::string>& entries);
  /// The environment of this process.
  static Environment of_process();

  /// The value, or "" when unset.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  void set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }
  void remove(std::string_view name);

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }
  /// `NAME=value` entries, sorted.
  std::vector<std::string> entries() const;

  /// The user's home, and Grapnel's directories below the XDG ones.
  std::string home() const;
  std::string state_dir() const;
  std::string runtime_dir() const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace grapnel
