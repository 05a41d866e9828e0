#pragma once

#include <string>
#include <string_view>

namespace grapnel {

/// The file a command starts first, and what interprets it.
struct Program {
  std::string path;         ///< "" when it is a word of the shell, or nowhere to be found
  std::string interpreter;  ///< what its `#!` line leads to; "" when it has none
};

/// As the shell would find it now, from that directory.
Program program_of(std::string_view command, std::string_view path_env, const std::string& directory);

}  // namespace grapnel
