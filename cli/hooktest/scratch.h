#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/hooktest/fixture.h"

namespace grapnel::cli {

/// A project, a home and every other directory a hook may be told of, for one case; gone when it ends.
class Scratch {
 public:
  explicit Scratch(const Environment& env);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  bool is_made() const { return !root_.empty(); }
  std::string project() const { return root_ + "/project"; }
  std::string home() const { return root_ + "/home"; }
  std::string managed_root() const { return root_ + "/managed"; }

  /// Where programs are, the language, and these directories; nothing else of the user's.
  Environment environment(const Environment& env) const;

  /// Copies a project, or only the paths of it that are named. Links are copied as links.
  /// Fails: BadInput for a name that is not there, LimitExceeded over 64 MiB or 20,000 files, System.
  Result<void> copy_project(const std::string& from, const std::vector<std::string>& only) const;

  /// Fails: System.
  Result<void> put(const std::string& path, const ScratchFile& file) const;

  /// `{project}` and `{home}` in a text become these directories, and back.
  std::string fill_in(std::string text) const;
  std::string take_out(std::string text) const;

 private:
  std::string root_;
};

}  // namespace grapnel::cli
