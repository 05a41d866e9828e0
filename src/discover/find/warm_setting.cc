#include "discover/find/warm_setting.h"

#include <algorithm>

#include "match/glob.h"

namespace grapnel {

namespace {

constexpr std::string_view kWarmKey = "warm";

/// The names in one file; a single name needs no list.
std::vector<std::string> names_in(const Json& file) {
  const Json value = file[kWarmKey];
  if (value.is_string()) return {*value.as_string()};
  std::vector<std::string> out;
  for (const Json& name : value.elements()) {
    if (name.is_string()) out.push_back(*name.as_string());
  }
  return out;
}

bool is_list_of_names(const Json& value) {
  if (value.is_string()) return true;
  return value.is_array() && std::ranges::all_of(value.elements(), [](const Json& name) { return name.is_string(); });
}

}  // namespace

void apply_warm(const GrapnelSettings& settings, Registry& registry) {
  std::vector<match::Glob> wanted;
  for (const Json* file : {&settings.managed, &settings.user}) {
    for (const std::string& name : names_in(*file)) {
      if (auto glob = match::Glob::compile(name, match::kPicomatchBash)) wanted.push_back(std::move(*glob));
    }
  }
  if (wanted.empty()) return;
  for (HookSpec& hook : registry.hooks) {
    const auto is_meant = [&](const match::Glob& glob) { return glob.matches(hook.name); };
    if (hook.command() != nullptr && std::ranges::any_of(wanted, is_meant)) hook.warm = true;
  }
}

std::vector<ConfigProblem> warm_problems(const GrapnelSettings& settings, const PlaceRoots& roots) {
  const auto paths = grapnel_settings_files(roots);
  std::vector<ConfigProblem> out;
  const auto check = [&](const Json& file, const std::string& path) {
    if (!file[kWarmKey] || is_list_of_names(file[kWarmKey])) return;
    out.push_back({ConfigProblem::Severity::Error,
                   "'warm' must be a list of hooks' names, so none is warm because of it",
                   {path, 0, 0},
                   "write warm: [guard]; `grapnel list` shows the names"});
  };
  check(settings.managed, paths[0]);
  check(settings.user, paths[1]);
  return out;
}

}  // namespace grapnel
