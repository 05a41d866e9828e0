#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "subjects.h"

/// Home directories for measuring the command: hooks as a user may have configured them.
namespace grapnel::bench {

class Home {
 public:
  /// A home with rules for tool calls, none of which matches the event that is fired.
  void add_rules(size_t count);
  /// A home with directories that have a HOOK.md and a script each, for tools that the event does not use.
  void add_hook_directories(size_t count);
  /// The paths of these directories.
  std::vector<std::string> hook_files(size_t count) const;

  /// An event: a plain shell command in a project of its own, about 1 KB as Claude writes it.
  std::string event() const;

  /// The environment of a command that runs in this home, with these variables added.
  std::vector<std::string> env(std::vector<std::string> more = {}) const;

 private:
  ScratchDir root_;
};

}  // namespace grapnel::bench
