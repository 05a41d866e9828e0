#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "discover/servers/server_spec.h"

namespace grapnel {

/// A file that may have servers.
struct ServerFile {
  const Dialect* dialect = nullptr;
  const ServerPlace* place = nullptr;
  std::string path;
  std::string project = {};     ///< the directory that it belongs to; "" if it is not a project's
  std::string trusted_as = {};  ///< see `HookSpec::trusted_as`
};

/// Reads the servers of a file. `project_dir` finds the entries of one project in a person's own file. A server with a
/// mistake is left out; everything else is kept.
std::vector<ServerSpec> read_server_file(const std::string& text, const ServerFile& file,
                                         const std::string& project_dir, const Environment& env,
                                         std::vector<ConfigProblem>& problems);

}  // namespace grapnel
