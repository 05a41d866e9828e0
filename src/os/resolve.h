#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace grapnel::os {

/// The file a command name stands for, as a shell would find it. A name with a slash is a path relative to `cwd` and
/// only has to exist (starting it says better what is wrong with it); any other is the first executable regular file
/// in the directories of `path_env`, of which an empty one means `cwd`. Thread: any.
std::optional<std::string> find_executable(std::string_view name, std::string_view path_env, std::string_view cwd);

/// Remembers where names were found, as a shell does: what is found once is not searched for again until starting it
/// fails, since a dozen directories may come before that of `sh`. Thread: any.
class ProgramPaths {
 public:
  /// As `find_executable` finds, or found.
  std::optional<std::string> find(std::string_view name, std::string_view path_env, std::string_view cwd);
  /// Forgets all, after a start that failed.
  void forget();

 private:
  using ByName = std::map<std::string, std::string, std::less<>>;

  void keep(std::string_view name, std::string_view path_env, const std::string& path);

  std::mutex mutex_;
  std::map<std::string, ByName, std::less<>> by_path_;  ///< by what PATH was, if that means the same in any directory
};

}  // namespace grapnel::os
