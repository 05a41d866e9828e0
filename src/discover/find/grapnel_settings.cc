#include "discover/find/grapnel_settings.h"

#include "base/text.h"
#include "discover/formats/yaml_document.h"
#include "discover/formats/yaml_mistake.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// These files hold a handful of switches.
constexpr size_t kMaxSettings = size_t{64} << 10;

ConfigProblem unusable(const std::string& path, std::string why, SourcePos at = {}) {
  at.file = path;
  return {ConfigProblem::Severity::Error, std::move(why) + "; none of its settings counts", at, ""};
}

/// A file that cannot be read or parsed is treated as missing, so every setting needs a safe default.
Json read_file(const std::string& path, std::vector<ConfigProblem>& problems) {
  const auto text = os::read_file(path, kMaxSettings);
  if (!text && text.error().code == Errc::NotFound) return {};
  if (!text) {
    problems.push_back(unusable(path, text.error().message));
    return {};
  }
  if (text::trim(*text).empty()) return {};
  auto document = read_yaml(*text);
  if (!document) {
    ConfigProblem mistake = explain_yaml_error(*text, document.error());
    problems.push_back(unusable(path, std::move(mistake.message), mistake.at));
    problems.back().hint = std::move(mistake.hint);
    return {};
  }
  if (document->root.is_object() || document->root.is_null()) return std::move(document->root);
  problems.push_back(unusable(path, "the file must have lines such as mode: enforce"));
  return {};
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
  GrapnelSettings out;
  out.managed = read_file(managed, out.problems);
  out.user = read_file(user, out.problems);
  return out;
}

Json read_policy_settings(const PlaceRoots& roots) {
  std::vector<ConfigProblem> problems;  // found when the policy was published
  return read_file(roots.env->state_dir() + "/fleet/policy/now/settings.yaml", problems);
}

Json grapnel_setting(const PlaceRoots& roots, std::string_view key) {
  return read_grapnel_settings(roots)[key];
}

}  // namespace grapnel
