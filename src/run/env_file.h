#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "model/run_outcome.h"
#include "os/files.h"
#include "run/child.h"

namespace grapnel {

/// The file to which a hook may append `export NAME=value` lines, one per hook.
///
/// The lines are shell: people append what `export -p` prints, or `PATH=$PATH:…`. So a shell reads them, in the hook's
/// own environment and directory, and prints what has become of the variables. Who wrote the lines was just run, so
/// nothing is executed that could not have been.
class EnvFile {
 public:
  /// Makes the file in `directory` and names it to the child. Without a file the child sees no name of one.
  EnvFile(std::string_view variable, const std::string& directory, ChildSpec& child);

  /// The shell that reads what the hook has written; nothing where it has not written.
  std::optional<ChildSpec> reader() const;
  /// Puts what the reader printed into the hook's outcome.
  void take(const RunOutcome& read, RunOutcome& hook) const;

 private:
  std::unique_ptr<os::TemporaryFile> file_;
  ChildSpec child_;  ///< as the hook was started, without its input
};

/// Lines for such a file, for a host that reads one.
std::string write_env_lines(const std::vector<std::pair<std::string, std::string>>& env);

}  // namespace grapnel
