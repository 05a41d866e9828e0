#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel {

/// The files a command names, as far as its words show: existing regular files below the project directory.
/// What a command starts by other means (`npm test`) is not covered.
std::vector<std::string> files_of_command(std::string_view command, const std::string& project_dir);

/// What trusting a hook means: its definition and the bytes of every file its command names, as one digest.
std::string closure_digest(std::string_view definition, std::string_view command, const std::string& project_dir);

}  // namespace grapnel
