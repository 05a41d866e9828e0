#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/hook_spec.h"

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

/// One digest over a hook's definition and its files; "" when a file cannot be read (Limit: 64 MiB each) or the command
/// names too much to look at, and then the hook cannot be trusted. The project directory is canonical.
std::string closure_digest(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir = {});

}  // namespace grapnel
