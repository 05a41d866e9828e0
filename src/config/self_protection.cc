#include "config/self_protection.h"

#include <optional>

#include "config/yaml_document.h"
#include "os/files.h"

namespace grapnel {

namespace {

constexpr size_t kMaxSettings = size_t{64} << 10;

std::optional<bool> read_wish(const std::string& path) {
  const auto text = os::read_file(path, kMaxSettings);
  if (!text) return std::nullopt;
  const auto document = read_yaml(*text);
  if (!document) return std::nullopt;
  const Json wish = document->root["self_protection"];
  if (wish.equals_string("off")) return false;
  if (wish.equals_string("on")) return true;
  return wish.as_bool();
}

}  // namespace

bool wants_self_protection(const PlaceRoots& roots) {
  const std::string root = roots.root + (roots.root.ends_with('/') ? "" : "/");
  if (const auto managed = read_wish(root + "etc/grapnel/settings.yaml")) return *managed;
  return read_wish(config_dir(*roots.env) + "/grapnel/settings.yaml").value_or(true);
}

}  // namespace grapnel
