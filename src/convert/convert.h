#pragma once

#include <vector>

#include "convert/write_settings.h"

/// Converts the hooks of one agent's files to files of another agent (`grapnel convert`).
///
///   specs ─▶ convert_hook      one hook, in the keys of the target dialect           convert_hook.h
///         ─▶ convert_matcher   its conditions, with names and syntax translated      convert_matcher.h, pattern_text.h
///         ─▶ settings          what the files say about all hooks together           convert.cc
///         ─▶ write_hook_files  JSON or TOML settings, or directories                 write_settings.h
///   specs ─▶ rules             a rule file, which has a form of its own              write_rules.h
///
/// All of this reads only the dialects' tables. A *loss* is something that the target dialect cannot express. It is
/// never dropped silently but reported as a problem at the hook's position. Differences between the agents themselves
/// (exit codes, the environment, which hooks run side by side) cannot be changed by files and are not listed.
namespace grapnel {

struct Conversion {
  std::vector<OutputFile> files;
  std::vector<ConfigProblem> losses;  ///< in the order of the hooks; empty when nothing was lost
};

/// `hooks` are in running order, as in a registry. `to` must be a dialect with hook files, or the dialect of rules.
Conversion convert_hooks(const std::vector<HookSpec>& hooks, const Dialect& to);

}  // namespace grapnel
