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

/// The file to which a hook may append `export NAME=value` lines. Every hook has its own file.
///
/// The lines are shell code: people append the output of `export -p`, or `PATH=$PATH:…`. So a shell reads them, in the
/// environment and directory of the hook, and prints the variables that result. This executes nothing new: the program
/// that wrote the lines has just run with the same rights.
///
/// Order of calls: construct it before the child starts; when the child has ended, run `reader` as another child, and
/// give its outcome to `take`.
class EnvFile {
 public:
  /// Creates the file in `directory` and puts its path into the variable of the child. If there is no file, the child
  /// does not have the variable.
  EnvFile(std::string_view variable, const std::string& directory, ChildSpec& child);

  /// The shell that reads the file; nothing if the hook wrote nothing.
  std::optional<ChildSpec> reader() const;
  /// Puts the variables that the reader printed, and that are new or changed, into the outcome of the hook.
  void take(const RunOutcome& read, RunOutcome& hook) const;

 private:
  std::unique_ptr<os::TemporaryFile> file_;
  ChildSpec child_;  ///< as the hook was started, without its input
};

/// Lines for such a file, to be read by an agent that has its own.
std::string write_env_lines(const std::vector<std::pair<std::string, std::string>>& env);

}  // namespace grapnel
