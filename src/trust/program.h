#pragma once

#include <string>
#include <string_view>

/// Finds out which program a hook's command would start, for the commands that show trust.
namespace grapnel {

/// The file that a command starts first, and the program that interprets it. Shown to people before they trust a hook.
struct Program {
  std::string path;         ///< "" when it is a builtin of the shell or cannot be found
  std::string interpreter;  ///< the program of its `#!` line; "" when it has none
};

/// Searches as a shell would search now, started in that directory.
Program program_of(std::string_view command, std::string_view path_env, const std::string& directory);

}  // namespace grapnel
