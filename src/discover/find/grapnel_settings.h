#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "discover/find/places.h"

/// Grapnel's own settings, as opposed to settings of hooks: `settings.yaml`, managed in `/etc/grapnel` or the user's in
/// `~/.config/grapnel`. Project files are never read. The policy of a fleet has two of them.
namespace grapnel {

/// The paths of the managed file and of the user's file, whether they exist or not.
std::array<std::string, 2> grapnel_settings_files(const PlaceRoots& roots);

/// What the two files say. A file that does not exist or cannot be read is a missing value; in the second case there is
/// a problem, because a setting that somebody relies on is lost.
struct GrapnelSettings {
  Json managed;
  Json user;
  std::vector<ConfigProblem> problems = {};

  /// The value of a key; the managed file takes precedence. Missing when neither file sets it.
  Json operator[](std::string_view key) const;
};

GrapnelSettings read_grapnel_settings(const PlaceRoots& roots);

/// What the policy of a fleet sets, where there is one (ask_setting.h has its keys). Missing without such a file, or if
/// it cannot be read.
Json read_policy_settings(const PlaceRoots& roots);

/// One value, for callers that need no other.
Json grapnel_setting(const PlaceRoots& roots, std::string_view key);

}  // namespace grapnel
