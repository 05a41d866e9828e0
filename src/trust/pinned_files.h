#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hook_spec.h"
#include "os/files.h"

/// What trusting a hook means: the user trusts its definition and the bytes of the files that its command names.
///
/// A project's hooks come with its repository, and so do the scripts that they run. Whoever can push can change either.
/// So a hook is *pinned* together with every file that its command, or a variable that it sets, names. The names are
/// taken from the words of the command:
///
///   ./hooks/guard.sh, bash guard.sh, "my guard.sh"        relative to the project, however quoted
///   $GEMINI_PROJECT_DIR/x.sh, "$(git rev-parse …)/x.sh"   the part in front of a `/` may be the project
///   cd tools && ./x.sh, make -C tools -f x.mk             relative to any directory that is named
///   sh -c './x.sh', RUNNER=./x.sh, hooks/*.sh             inside other words; patterns as they expand now
///   ../x.sh, a link to a file elsewhere                   the file that is there, wherever it is
///   /home/me/project/x.sh                                 absolute, if it leads into the project
///   python3 hooks, run-parts hooks.d                      a directory that runs as a whole, with all it contains
///
/// Names are looked up in the project, in the directory that the hook's definition names (`cwd:`), and in the directory
/// in which it is about to start, if an event says another one. Without an event the last one is not known; a file that
/// is found only there was not trusted, so the digest differs.
///
/// It is better to pin too much than too little: a file that is named only by chance is pinned, too. Two kinds of files
/// are not pinned: targets of redirections (`>> log.txt`), and files that are only read (`grep -q todo TODO.md`) in a
/// command in which nothing could run them.
///
/// Some things cannot be pinned, and users should know them before they trust a hook: programs in PATH and what these
/// find by themselves (`npm test`, `make`), files that a pinned script starts or includes, names that are made at run
/// time (`$X.sh`, `eval`), the project as a program (`node .`), and absolute paths outside the project, which its
/// repository cannot change.
namespace grapnel {

/// The directory that the hook's definition says it runs in, with links resolved; "" if it says none.
std::string declared_dir(const HookSpec& hook, const std::string& project_dir);

/// The files that a command names, each once. If `working_dir` differs from the project, files found there are
/// included.
std::vector<std::string> files_of_command(std::string_view command, const std::string& project_dir,
                                          const std::string& working_dir = {});

/// The files that a hook's command and variables name, those below directories that it runs, and the hook's own files
/// (`HookSpec::files`).
std::vector<std::string> files_of_hook(const HookSpec& hook, const std::string& project_dir,
                                       const std::string& working_dir = {});

/// Directories that the hook runs as a whole and that are not pinned, because they contain the whole project.
std::vector<std::string> unpinned_directories(const HookSpec& hook, const std::string& project_dir);

/// The state of a hook's definition and files at one moment.
struct PinnedFiles {
  std::string digest;  ///< "" if a file cannot be read (Limit: 64 MiB each), changes meanwhile, or there are too many
  std::vector<std::pair<std::string, os::FileStamp>> stamps;  ///< of the files, taken when they were read

  /// Whether every file is still the one that was read and was not changed and restored in between. That can be told
  /// because nobody can set back the time of the last inode change.
  bool is_untouched() const;
};

/// Reads and hashes the definition and all files. `project_dir` must be canonical.
PinnedFiles pin_files(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir = {});

/// Only the digest. A hook whose digest is "" cannot be trusted.
std::string pinned_digest(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir = {});

}  // namespace grapnel
