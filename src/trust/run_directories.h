#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/hook_spec.h"

/// Directories as programs. Some interpreters run a directory as a whole (`python3 hooks`, `node .`), and `run-parts`
/// runs everything in one. Whoever can add a file to such a directory can add code.
namespace grapnel {

/// A command that runs a directory, if one of these words is the name of a directory.
struct DirectoryRun {
  std::string program;
  /// The words that may be the directory, in order. The first that names something is what runs; a file is no
  /// directory.
  std::vector<std::string> words;
};

/// Those among the hook's commands, also behind wrappers such as `env`.
std::vector<DirectoryRun> directory_runs(const HookSpec& hook);

}  // namespace grapnel
