#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/program_files.h"

/// Whether a process that waits for an event can answer as one that is started for it.
///
/// The answers are the same as long as everything that the program has used before it reads its input is the same.
/// What Grapnel gives it, that is, its arguments, directory and variables, is compared when the event comes. Variables
/// whose value is another with every event cannot be known before; a hook that is marked warm goes without them
/// (`VariableRow::per_event`), and one that mentions them is never warm. The files that its command names, and the
/// modules beside them, must not have changed since. What else a program reads before its input, it reads early:
/// nobody can see that from outside, and so people mark the hooks, not Grapnel.
namespace grapnel {

/// The variables that a warm hook of this dialect goes without.
std::vector<std::string_view> variables_given_up(const Dialect& dialect);

/// Why the hook's definition keeps it from being warm, for people; "" if nothing does.
std::string why_never_warm(const HookSpec& hook);

/// The files of one hook in one directory. Thread: one.
class WarmFiles {
 public:
  /// Finds the files and reads them. `project` must be canonical.
  WarmFiles(const HookSpec& hook, const std::string& project, const ChildSpec& child);

  /// Why these files keep the hook from being warm, for people; "" if nothing does.
  const std::string& why_cold() const { return why_cold_; }
  /// Whether they are all as they were.
  bool are_unchanged() const;
  /// The time at which all of them were as they are.
  const FileStamps& stamps() const { return stamps_; }

 private:
  std::vector<std::string> scripts_;  ///< files with companions
  std::vector<std::string> beside_;
  FileStamps stamps_;
  std::string why_cold_;
};

}  // namespace grapnel
