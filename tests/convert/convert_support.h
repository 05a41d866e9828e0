#pragma once

#include <string>
#include <vector>

#include "convert/convert.h"
#include "discover/discover.h"
#include "os/temp_dir.h"

/// Reading and writing hook files in tests of conversions.
namespace grapnel::testing {

/// The hooks of what is at a path, in running order.
inline Registry read_hooks_at(const std::string& path, const Dialect& dialect) {
  DiscoverOptions options;
  options.use_standard_places = false;
  options.files = {{path, std::string(dialect.name)}};
  return discover(options).registry;
}

/// Puts what a conversion wrote below a directory and tells where its hooks are to be read.
inline std::string put_files(const TempDir& dir, const std::string& below, const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    const std::string path = file.path.empty() ? below : below + "/" + file.path;
    dir.put(path, file.text, file.is_executable ? 0755 : 0644);
  }
  return dir / below;
}

/// The dialects that have hook files.
inline std::vector<const Dialect*> dialects_with_files() {
  std::vector<const Dialect*> out;
  for (const Dialect* dialect : all_dialects()) {
    if (dialect->file_format()) out.push_back(dialect);
  }
  return out;
}

}  // namespace grapnel::testing
