#pragma once

#include "discover/find/places.h"

namespace grapnel {

/// Whether self-protection is on, as people set it: `self_protection: off` in `settings.yaml`, managed in
/// `/etc/grapnel`, or the user's in `~/.config/grapnel`. What the managed file says counts; no project is asked. On
/// unless told, and where a file cannot be read.
bool wants_self_protection(const PlaceRoots& roots);

}  // namespace grapnel
