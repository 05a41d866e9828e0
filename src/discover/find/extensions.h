#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discover/formats/settings_file.h"

/// Extensions: directories an agent's user installed, which may bring hooks of their own.
///
///   <root>/extension-enablement.json      where an extension is switched off and on: the last rule that fits counts
///   <root>/<directory>/<manifest>         names it, and the variables it has settings for
///   <root>/<directory>/.env               these settings
///   <root>/<directory>/hooks/hooks.json   its hooks
///
/// In texts of these hooks `${…}` stands for the extension's directory, the project, a slash and the settings.
namespace grapnel {

/// Where to look, and for whom.
struct ExtensionRoot {
  const Dialect& dialect;
  std::string directory;
  std::string project_dir;
  size_t max_file_bytes = size_t{16} << 20;
};

struct ExtensionHooks {
  std::vector<SettingsFile> files;      ///< by directory; those of extensions that are switched off are not read
  std::vector<ConfigProblem> problems;  ///< those in `files` are not among them
  std::vector<std::string> watched;     ///< files and directories the result depends on
};

/// Never fails: a directory that is no extension is passed over.
ExtensionHooks read_extensions(const ExtensionRoot& root);

}  // namespace grapnel
