#include "discover/find/grapnel_settings.h"

#include "discover/formats/yaml_document.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// These files hold a handful of switches.
constexpr size_t kMaxSettings = size_t{64} << 10;

}  // namespace

std::array<std::string, 2> grapnel_settings_files(const PlaceRoots& roots) {
  const std::string root = roots.root + (roots.root.ends_with('/') ? "" : "/");
  return {root + "etc/grapnel/settings.yaml", config_dir(*roots.env) + "/grapnel/settings.yaml"};
}

/// Tries the managed file first. A file that cannot be read or parsed is treated as missing here, so every setting
/// needs a safe default.
Json grapnel_setting(const PlaceRoots& roots, std::string_view key) {
  for (const std::string& path : grapnel_settings_files(roots)) {
    const auto text = os::read_file(path, kMaxSettings);
    if (!text) continue;
    const auto document = read_yaml(*text);
    if (!document) continue;
    if (Json found = document->root[key]) return found;
  }
  return {};
}

}  // namespace grapnel
