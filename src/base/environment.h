#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grapnel {

/// A snapshot of environment variables: taken once, passed in, never read from the process behind anybody's back.
///
/// A copy shares what it was made from and keeps its own changes: an engine gives each hook a copy with a few variables
/// of the hook's, for every event. Thread: copies are independent.
class Environment {
 public:
  Environment() = default;
  /// From `NAME=value` entries; later ones win, entries without a name are left out.
  Environment(std::vector<std::string> entries);
  Environment(std::initializer_list<std::string> entries) : Environment(std::vector(entries)) {}
  /// The environment of this process.
  static Environment of_process();

  /// The value, or "" when unset.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  void remove_prefixed(std::string_view prefix);

  /// `NAME=value` entries, sorted by name.
  std::vector<std::string> entries() const;
  /// The same as exec takes them, with a null at the end; valid until a change. Nothing when one would arrive cut short
  /// by a NUL byte.
  std::optional<std::vector<char*>> pointers() const;

  /// The user's home, and Grapnel's directories below the XDG ones.
  std::string home() const;
  std::string state_dir() const;
  std::string runtime_dir() const;

 private:
  using Entries = std::vector<std::string>;
  const std::string* find(std::string_view name) const;
  void change(std::string_view name, std::string entry);
  const Entries& base() const;
  template <class Take>
  void visit(Take take) const;

  std::shared_ptr<const Entries> base_;  ///< null is none; sorted by name, shared by copies
  Entries changes_;                      ///< sorted by name; without `=` where the variable is unset
  bool has_nul_ = false;
};

/// Marks what an agent started, so that nothing outlives a killed one; every child inherits it, whatever else it does.
inline constexpr std::string_view kOrphanMarkVariable = "GRAPNEL_GUARD";

/// The part of a `NAME=value` entry in front of the `=`, and the part behind it.
std::string_view name_of_entry(std::string_view entry);
std::string_view value_of_entry(std::string_view entry);

}  // namespace grapnel
