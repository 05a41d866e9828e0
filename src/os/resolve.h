#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grapnel::os {

/// The file a command name stands for, as a shell would find it. A name with a slash is a path relative to `cwd` and
/// only has to exist (starting it says better what is wrong with it); any other is the first executable regular file
/// in the directories of `path_env`, of which an empty one means `cwd`. Thread: any.
std::optional<std::string> find_executable(std::string_view name, std::string_view path_env, std::string_view cwd);

}  // namespace grapnel::os
