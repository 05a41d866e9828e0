#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

namespace grapnel::agent {

/// The directories an agent's tools may touch. Thread: any.
class Workspace {
 public:
  /// Directories are taken as they really are, symbolic links resolved.
  explicit Workspace(std::string root, std::vector<std::string> also_allowed = {});

  const std::string& root() const { return root_; }
  /// An absolute path for a path as the model spells it (relative to the root), the file itself need not exist.
  /// Fails: Refused when it really lies outside.
  Result<std::string> resolve(std::string_view path) const;
  /// For people and models: relative to the root when inside.
  std::string shown(std::string_view absolute) const;

 private:
  std::string root_;
  std::vector<std::string> allowed_;
};

}  // namespace grapnel::agent
