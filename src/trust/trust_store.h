#pragma once

#include <map>
#include <set>
#include <string>

#include "grapnel/error.h"

namespace grapnel {

/// What the user trusts: digests of hooks per project directory, in one 0600 file outside every project.
///
/// A store that is a link, belongs to somebody else, is writable by others or cannot be read counts as an error, and an
/// error trusts nothing.
class TrustStore {
 public:
  explicit TrustStore(std::string path) : path_(std::move(path)) {}

  /// The digests trusted for a project. Fails: Refused, BadInput, System.
  Result<std::set<std::string>> trusted(const std::string& project_dir) const;

  /// Replaces what is trusted for a project; an empty set forgets it. Fails as `trusted` does.
  Result<void> set_trusted(const std::string& project_dir, const std::set<std::string>& digests) const;

  const std::string& path() const { return path_; }

 private:
  using Projects = std::map<std::string, std::set<std::string>>;
  Result<Projects> load() const;

  std::string path_;
};

/// A directory's or file's one true name: absolute, links resolved; the path itself when it does not exist.
std::string canonical_directory(const std::string& path);

}  // namespace grapnel
