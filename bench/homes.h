#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "subjects.h"

/// Home directories for the command: what a user has configured who starts it once per event.
namespace grapnel::bench {

class Home {
 public:
  /// Rules before tool calls, none of which is about the event that is fired.
  void add_rules(size_t count);
  /// Directories with a HOOK.md and a script each, for tools that the event does not use.
  void add_hook_directories(size_t count);
  /// Their paths.
  std::vector<std::string> hook_files(size_t count) const;

  /// A plain shell command in a project of its own, about 1 KB as Claude tells it.
  std::string event() const;

  /// The environment of a command that runs here, with these variables more.
  std::vector<std::string> env(std::vector<std::string> more = {}) const;

 private:
  ScratchDir root_;
};

}  // namespace grapnel::bench
