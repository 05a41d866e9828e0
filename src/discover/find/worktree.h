#pragma once

#include <string>

namespace grapnel {

/// The main worktree that belongs to the linked worktree in a directory (`git worktree add`); "" if the directory is
/// none, or if the repository is bare and has no main worktree.
///
/// A linked worktree has a file `.git` that names its directory in the repository, and that directory names the file in
/// turn. Both are read and compared, so that a `.git` file alone proves nothing. A submodule has such a file, too, but
/// its repository does not belong to another worktree.
std::string main_worktree_of(const std::string& directory);

/// Whether a main worktree has linked worktrees.
bool has_linked_worktrees(const std::string& directory);

}  // namespace grapnel
