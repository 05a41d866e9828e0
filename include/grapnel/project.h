#pragma once

#include <string>
#include <vector>

/// Which project is this?
///
/// An agent works in some directory, and the hook files that should hold there are often further up: in the root of the
/// repository, or in the directory above several repositories. `find_project` looks for them as git looks for its
/// repository:
///
///   const ProjectDirs project = find_project(std::filesystem::current_path());
///   const auto engine = Engine::create({.project_dir = project.root, .project_parts = project.parts});
///
/// The root is the *outermost* directory, below the home directory or below the top of the file system, that has hook
/// files of any agent or a `.git`. An inner `.git` or an inner hook file never ends the search: otherwise an agent
/// could get rid of the outer guards with `git init sub`. A directory that others may write never counts, unless it is
/// the directory that the search starts from.
///
/// A linked worktree of git stands beside its main worktree, also if it is a directory inside of it: the directories of
/// the main worktree do not count for it. Hook files that it lacks are taken from the main worktree.
namespace grapnel {

/// The directories whose hook files apply together. The root is the engine's `project_dir`, the others are its
/// `project_parts`.
struct ProjectDirs {
  std::string root;
  /// The directories from the root down to the one that the agent works in, without the root; the outer first.
  std::vector<std::string> parts = {};

  bool operator==(const ProjectDirs&) const = default;
};

/// The project of an absolute directory. If no directory above has a mark, the directory itself is the root. Links are
/// followed: the directories above the name and those above the real directory both count. `home` is the home directory
/// ("": that of this process). Never fails; reads no hook file.
ProjectDirs find_project(const std::string& directory, const std::string& home = {});

}  // namespace grapnel
