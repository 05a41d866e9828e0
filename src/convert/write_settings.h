#pragma once

#include <string>
#include <utility>
#include <vector>

#include "convert/convert_hook.h"

/// Hooks into files as a dialect keeps them: one settings file in JSON or TOML, or a directory for each hook.
namespace grapnel {

struct OutputFile {
  std::string path;  ///< below the output directory; "" where there is one file
  std::string text;
  bool is_executable = false;
};

/// Everything a dialect's files are to say.
struct TargetSet {
  std::vector<TargetHook> hooks;                       ///< in running order
  std::vector<std::pair<std::string, Json>> settings;  ///< by pointer
  std::vector<bool> switched_off;                      ///< hook by hook, where directories keep that beside them
};

struct WrittenFiles {
  std::vector<OutputFile> files;
  std::vector<ConfigProblem> losses;  ///< names that had to change
};

WrittenFiles write_hook_files(const TargetSet& set, const Dialect& to);

/// The place of a hook for messages: the start of its file where nothing more is known.
SourcePos place_of(const HookSpec& spec);

}  // namespace grapnel
