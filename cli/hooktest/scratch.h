#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/hooktest/fixture.h"

/// Temporary directories for tests: nothing that a hook does in a test may touch the user's own files.
namespace grapnel::cli {

/// A project, a home and all other directories that a hook can learn about, for one case. They are deleted with the
/// object.
class Scratch {
 public:
  explicit Scratch(const Environment& env);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  /// False when the directories could not be created.
  bool is_made() const { return !root_.empty(); }
  std::string project() const { return root_ + "/project"; }
  std::string home() const { return root_ + "/home"; }
  std::string managed_root() const { return root_ + "/managed"; }

  /// The environment for hooks: PATH, the language and a few more of the user's variables, and these directories.
  Environment environment(const Environment& env) const;

  /// Copies a project, or only the named paths of it. Links are copied as links.
  /// Fails: BadInput for a name that does not exist, LimitExceeded over 64 MiB or 20,000 files, System.
  Result<void> copy_project(const std::string& from, const std::vector<std::string>& only) const;

  /// Creates a file or a link, and replaces what was there. Fails: System.
  Result<void> put(const std::string& path, const ScratchFile& file) const;

  /// Replaces `{project}` and `{home}` in a text with these directories, and back.
  std::string fill_in(std::string text) const;
  std::string take_out(std::string text) const;

 private:
  std::string root_;
};

}  // namespace grapnel::cli
