#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grapnel {

/// A snapshot of environment variables. It is taken once and passed as an argument; no code reads the variables of the
/// process behind its caller's back.
///
/// Copies share the original entries and have their own changes. That makes copies cheap, and for every event the
/// engine makes a copy for each hook, with a few variables of that hook. Thread: copies are independent.
class Environment {
 public:
  Environment() = default;
  /// From `NAME=value` entries. Later ones win, and entries without a name are left out.
  Environment(std::vector<std::string> entries);
  Environment(std::initializer_list<std::string> entries) : Environment(std::vector(entries)) {}
  /// The environment of this process.
  static Environment of_process();

  /// The value, or "" if it is not set.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  void remove_prefixed(std::string_view prefix);

  /// `NAME=value` entries, sorted by name.
  std::vector<std::string> entries() const;
  /// The same in the form that exec takes, with a null pointer at the end; valid until the next change. Nothing if an
  /// entry contains a NUL byte, because it would arrive cut short.
  std::optional<std::vector<char*>> pointers() const;

  /// The user's home, and Grapnel's directories below the XDG directories.
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

  std::shared_ptr<const Entries> base_;  ///< null if there are none; sorted by name, shared by copies
  Entries changes_;                      ///< sorted by name; an entry without `=` removes the variable
  bool has_nul_ = false;
};

/// Every child of an agent inherits this variable, whatever else it does. It marks processes that must not outlive an
/// agent that was killed.
inline constexpr std::string_view kOrphanMarkVariable = "GRAPNEL_GUARD";

/// The part of a `NAME=value` entry before the `=`, and the part after it.
std::string_view name_of_entry(std::string_view entry);
std::string_view value_of_entry(std::string_view entry);

}  // namespace grapnel
