#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grapnel/json.h"

#include "discover/find/places.h"

/// Grapnel's own settings, as opposed to those of hooks: `settings.yaml`, managed in `/etc/grapnel`, or the user's in
/// `~/.config/grapnel`. No project is asked.
namespace grapnel {

/// Where they are, whether or not they are there: the managed file, then the user's.
std::array<std::string, 2> grapnel_settings_files(const PlaceRoots& roots);

/// What a key is set to; what the managed file says counts. Nothing when neither says anything that can be read.
Json grapnel_setting(const PlaceRoots& roots, std::string_view key);

}  // namespace grapnel
