#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "grapnel/error.h"

namespace grapnel {

/// The trusted digests by the real name of the project directory.
using TrustedProjects = std::map<std::string, std::set<std::string>>;

/// What the user trusts: digests of hooks for each project directory, in one file (0600) outside every project.
///
/// If the file is a link, belongs to somebody else, can be written by others or cannot be read, that is an error, and
/// an error means that nothing is trusted.
class TrustStore {
 public:
  explicit TrustStore(std::string path) : path_(std::move(path)) {}

  /// The digests that are trusted for a project. Fails: Refused, BadInput, System.
  Result<std::set<std::string>> trusted(const std::string& project_dir) const;

  /// Everything that is trusted. Fails like `trusted`.
  Result<TrustedProjects> all() const;

  /// Replaces the digests of a project. An empty set removes the project. Fails like `trusted`.
  Result<void> set_trusted(const std::string& project_dir, const std::set<std::string>& digests) const;

  /// Removes a directory and, if wanted, everything below it. Returns what was removed. Fails like `trusted`.
  Result<TrustedProjects> forget(const std::string& directory, bool with_below) const;

  const std::string& path() const { return path_; }

 private:
  Result<void> change(const std::function<void(TrustedProjects&)>& edit) const;

  std::string path_;
};

/// The real name of a directory or file: absolute, with links resolved. The path itself if it does not exist.
std::string canonical_directory(const std::string& path);

}  // namespace grapnel
