#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace grapnel::os {

/// The file that a command name stands for, found as a shell would find it. A name with a slash is a path relative to
/// `cwd` and only needs to exist, because starting it gives a better error message. Any other name is the first
/// executable regular file in the directories of `path_env`; an empty directory means `cwd`. Thread: any.
std::optional<std::string> find_executable(std::string_view name, std::string_view path_env, std::string_view cwd);

/// Remembers where names were found, as a shell does: a program is not searched for again until starting it fails. PATH
/// may have a dozen directories before the one with `sh`. Thread: any.
class ProgramPaths {
 public:
  /// Like `find_executable`, but may return an earlier result.
  std::optional<std::string> find(std::string_view name, std::string_view path_env, std::string_view cwd);
  /// Forgets everything; called when a program could not be started.
  void forget();

 private:
  using ByName = std::map<std::string, std::string, std::less<>>;

  void keep(std::string_view name, std::string_view path_env, const std::string& path);

  std::mutex mutex_;
  /// By the value of PATH, for values that mean the same in every directory.
  std::map<std::string, ByName, std::less<>> by_path_;
};

}  // namespace grapnel::os
