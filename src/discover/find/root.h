#pragma once

#include <string>

#include "grapnel/project.h"

/// The search for the root of a project (grapnel/project.h), and how the directories of several searches are joined.
///
/// An event names more than one directory: the one it happens in, the one that the agent calls its project, and those
/// that an earlier event of the session found. Each of them may add directories to the list, and none removes any.
namespace grapnel {

/// Adds the directories that are not in the list yet. The root stays the root.
void add_project(ProjectDirs& to, const ProjectDirs& more);

/// Adds the directories that apply in a directory. Below the root these are the directories on the way, and nothing is
/// searched; anywhere else it is a project of its own.
void add_directory(ProjectDirs& to, const std::string& directory, const std::string& home);

}  // namespace grapnel
