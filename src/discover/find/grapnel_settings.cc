#include "discover/find/grapnel_settings.h"

#include "discover/formats/yaml_document.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// These files hold a handful of switches.
constexpr size_t kMaxSettings = size_t{64} << 10;

/// A file that cannot be read or parsed is treated as missing here, so every setting needs a safe default.
Json read_file(const std::string& path) {
  const auto text = os::read_file(path, kMaxSettings);
  if (!text) return {};
  auto document = read_yaml(*text);
  return document ? std::move(document->root) : Json();
}

}  // namespace

std::array<std::string, 2> grapnel_settings_files(const PlaceRoots& roots) {
  const std::string root = roots.root + (roots.root.ends_with('/') ? "" : "/");
  return {root + "etc/grapnel/settings.yaml", config_dir(*roots.env) + "/grapnel/settings.yaml"};
}

Json GrapnelSettings::operator[](std::string_view key) const {
  Json found = managed[key];
  return found ? found : user[key];
}

GrapnelSettings read_grapnel_settings(const PlaceRoots& roots) {
  const auto [managed, user] = grapnel_settings_files(roots);
  return {read_file(managed), read_file(user)};
}

Json grapnel_setting(const PlaceRoots& roots, std::string_view key) {
  return read_grapnel_settings(roots)[key];
}

}  // namespace grapnel
