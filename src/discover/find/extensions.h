#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discover/formats/settings_file.h"

/// Extensions are directories that the user installed into an agent. They may bring hooks of their own.
///
///   <root>/extension-enablement.json      switches extensions off and on; the last rule that applies decides
///   <root>/<directory>/<manifest>         the extension's name, and the variables that it has settings for
///   <root>/<directory>/.env               the values of these settings
///   <root>/<directory>/hooks/hooks.json   its hooks
///
/// In the texts of these hooks, `${…}` stands for the extension's directory, the project, a slash or a setting.
namespace grapnel {

/// One directory of extensions, and the agent it belongs to.
struct ExtensionRoot {
  const Dialect& dialect;
  std::string directory;
  std::string project_dir;
  size_t max_file_bytes = size_t{16} << 20;
};

struct ExtensionHooks {
  std::vector<SettingsFile> files;      ///< sorted by directory; extensions that are switched off are not read
  std::vector<ConfigProblem> problems;  ///< without those in `files`
  std::vector<std::string> watched;     ///< files and directories the result depends on
};

/// Never fails: a directory that is not an extension is skipped.
ExtensionHooks read_extensions(const ExtensionRoot& root);

}  // namespace grapnel
