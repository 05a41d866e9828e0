#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grapnel {

/// A snapshot of environment variables: taken once, passed in, never read from the process behind anybody's back.
///
/// Kept as the sorted `NAME=value` entries a child is started with, since that is what it is mostly made for.
class Environment {
 public:
  Environment() = default;
  /// From `NAME=value` entries; later ones win, entries without a name are left out.
  explicit Environment(std::vector<std::string> entries);
  /// The environment of this process.
  static Environment of_process();

  /// The value, or "" when unset.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);

  /// `NAME=value` entries, sorted by name.
  const std::vector<std::string>& entries() const& { return entries_; }
  std::vector<std::string> entries() && { return std::move(entries_); }

  /// The user's home, and Grapnel's directories below the XDG ones.
  std::string home() const;
  std::string state_dir() const;
  std::string runtime_dir() const;

 private:
  using Entries = std::vector<std::string>;
  Entries::const_iterator find(std::string_view name) const;

  Entries entries_;
};

/// Marks what an agent started, so that nothing outlives a killed one; every child inherits it, whatever else it does.
inline constexpr std::string_view kGuardVariable = "GRAPNEL_GUARD";

/// The part of a `NAME=value` entry in front of the `=`, and the part behind it.
std::string_view name_of_entry(std::string_view entry);
std::string_view value_of_entry(std::string_view entry);

}  // namespace grapnel
