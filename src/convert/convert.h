#pragma once

#include <vector>

#include "convert/write_settings.h"

/// Hooks of one dialect's files as files of another.
///
///   specs ─▶ convert_hook      what a hook says, by the keys `to` has for it        convert_hook.h
///         ─▶ convert_matcher   conditions, with names and syntax translated         convert_matcher.h, pattern_text.h
///         ─▶ settings          what files say about all hooks                       here
///         ─▶ write_hook_files  JSON, or directories                                 write_settings.h
///   specs ─▶ rules             a rule file, which is written otherwise              write_rules.h
///
/// All of it reads dialect tables and nothing else about a dialect. What `to` cannot say is never dropped silently: it
/// is a problem at the hook's place. What two agents do differently by nature (exit codes, the environment, who runs
/// beside whom) is no matter of files and not listed.
namespace grapnel {

struct Conversion {
  std::vector<OutputFile> files;
  std::vector<ConfigProblem> losses;  ///< in the order of the hooks; empty when everything was said
};

/// `hooks` in running order, as a registry has them. `to` must have hook files, or be that of rules.
Conversion convert_hooks(const std::vector<HookSpec>& hooks, const Dialect& to);

}  // namespace grapnel
