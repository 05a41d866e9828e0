#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

namespace grapnel::agent {

/// The directories that an agent's tools may touch. All comparisons use real paths, so a symbolic link cannot lead a
/// tool outside. Thread: any.
class Workspace {
 public:
  /// Resolves symbolic links in the given directories.
  explicit Workspace(std::string root, std::vector<std::string> also_allowed = {});

  const std::string& root() const { return root_; }
  /// Turns a path as the model wrote it (absolute, or relative to the root) into a real, absolute path. The file itself
  /// need not exist. Fails: Refused when the real path lies outside the workspace.
  Result<std::string> resolve(std::string_view path) const;
  /// The path as people and models see it: relative to the root if inside, else unchanged.
  std::string shown(std::string_view absolute) const;

 private:
  std::string root_;
  std::vector<std::string> allowed_;
};

}  // namespace grapnel::agent
