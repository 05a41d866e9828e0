#pragma once

#include <string>
#include <utility>
#include <vector>

#include "convert/convert_hook.h"

/// Writes hooks to files in the form of a dialect: one settings file in JSON or TOML, or a directory for each hook.
namespace grapnel {

/// One file to write.
struct OutputFile {
  std::string path;  ///< below the output directory; "" if there is only one file
  std::string text;
  bool is_executable = false;
};

/// Everything that the files have to say.
struct TargetSet {
  std::vector<TargetHook> hooks;                       ///< in running order
  std::vector<std::pair<std::string, Json>> settings;  ///< by JSON pointer
  std::vector<bool> switched_off;                      ///< for each hook; only used for hook directories
};

/// The result.
struct WrittenFiles {
  std::vector<OutputFile> files;
  std::vector<ConfigProblem> losses;  ///< names that had to change
};

/// Writes the hooks in the dialect's form. Nothing is written to the disk.
WrittenFiles write_hook_files(const TargetSet& set, const Dialect& to);

/// The position of a hook for messages; the start of its file when nothing more is known.
SourcePos place_of(const HookSpec& spec);

}  // namespace grapnel
