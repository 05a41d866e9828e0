#pragma once

#include "grapnel/hook.h"

#include "discover/find/places.h"

namespace grapnel {

/// What a hook file that cannot be used at all does to tool calls if no good version of it is known: `on_broken_config:
/// ask`, `closed` or `open` in `settings.yaml`, managed in `/etc/grapnel` or the user's in `~/.config/grapnel`. The
/// managed file takes precedence and project files are ignored. A person is asked unless one of them says otherwise.
OnFailure on_broken_config(const PlaceRoots& roots);

}  // namespace grapnel
