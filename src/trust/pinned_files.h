#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hook_spec.h"
#include "os/files.h"

/// What trusting a hook means: its definition, and the bytes of the files its command names.
///
/// A project's hooks come with its repository, and so do the scripts they run: whoever can push can change either. So a
/// hook is pinned together with every file its command (or a variable it sets) names, as far as the words show:
///
///   ./hooks/guard.sh, bash guard.sh, "my guard.sh"        relative to the project, however quoted
///   $GEMINI_PROJECT_DIR/x.sh, "$(git rev-parse …)/x.sh"   what is in front of a `/` may be the project
///   cd tools && ./x.sh, make -C tools -f x.mk             relative to any directory that is named
///   sh -c './x.sh', RUNNER=./x.sh, hooks/*.sh             inside other words; patterns as they expand now
///   ../x.sh, a link to a file elsewhere                   what is there, wherever it lies
///   /home/me/project/x.sh                                 absolute, when it leads into the project
///
/// Rather too much than too little: a file that only happens to be named is pinned too. Not pinned are targets of
/// redirections (`>> log.txt`), and files that are only looked at (`grep -q todo TODO.md`) in a command in which
/// nothing could run them.
///
/// Out of sight, and to be known before trusting: programs found in PATH and what they find by themselves (`npm test`,
/// `make`), what a pinned script starts or includes in turn, names made at run time (`$X.sh`, `eval`), and absolute
/// paths outside the project, which its repository cannot change.
namespace grapnel {

/// The files a command names, each once. With a `working_dir` other than the project, those it would find there too.
std::vector<std::string> files_of_command(std::string_view command, const std::string& project_dir,
                                          const std::string& working_dir = {});

/// The files of a hook's command and variables, and those that belong to it by themselves.
std::vector<std::string> files_of_hook(const HookSpec& hook, const std::string& project_dir,
                                       const std::string& working_dir = {});

/// The state of a hook's definition and files at one moment.
struct PinnedFiles {
  std::string digest;  ///< "" when a file cannot be read (Limit: 64 MiB each), changes meanwhile, or there are too many
  std::vector<std::pair<std::string, os::FileStamp>> stamps;  ///< of the files when they were read

  /// Whether each file is still the one that was read, and was nothing else in between: nobody can set back the time
  /// at which a file was last changed or renamed.
  bool is_untouched() const;
};

/// The project directory is canonical.
PinnedFiles pin_files(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir = {});

/// Its digest alone; with "" a hook cannot be trusted.
std::string pinned_digest(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir = {});

}  // namespace grapnel
