#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"

/// Files that a command uses without naming them.
///
/// `grep -r KEY .` reads every file below the directory, and `find . -name '*.py' | xargs cat` every file of a list
/// that a program makes. Which files these are is on the disk. This header says where to look and what limits the
/// search; a set of names is a glob over the last part of names. `ToolCall::find_reached` looks.
namespace grapnel::call {

struct Reach {
  /// What the files below are: all of them, those that git tracks, or those of them that differ from git's index.
  enum class Of : uint8_t { Disk, Tracked, Changed };
  Of of = Of::Disk;
  std::vector<std::string> from;    ///< directories or files; empty: the current directory
  std::vector<std::string> only;    ///< globs of which one has to match; empty: any name
  std::vector<std::string> except;  ///< globs of names that are left out…
  std::vector<std::string> always;  ///< …unless one of these matches
  bool skips_hidden = false;        ///< names that start with a dot are left out, unless `only` matches them
  bool ignores_case = false;        ///< `only` does
  bool is_list = false;             ///< the names are printed or passed on; something else may read the files
  int max_depth = 64;               ///< of directories
  std::string ignore_file;          ///< a file with more names to leave out: `.dockerignore`
  const SimpleCommand* command = nullptr;

  /// Whether a file with this last part of its name is among them.
  bool takes(std::string_view base_name) const;
};

/// What the commands reach. Directories that only the running shell knows are left out.
std::vector<Reach> reaches_of(const ParsedCommand& parsed);

/// Whether the text changes what globs match (`shopt -s dotglob`), or lets a program expand them (`compgen -G`).
bool changes_globs(std::string_view text);

/// The globs that stand in the text as words, for example in `for f in *.py`: a shell puts names of files in their
/// place.
std::vector<std::string> globs_in(std::string_view text);

}  // namespace grapnel::call
