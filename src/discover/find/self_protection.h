#pragma once

#include "discover/find/grapnel_settings.h"

namespace grapnel {

/// Whether self-protection is on. Users switch it off with `self_protection: off` in `settings.yaml`, managed in
/// `/etc/grapnel` or their own in `~/.config/grapnel`; the managed file takes precedence and project files are ignored.
/// It is on by default, also when a file cannot be read.
bool wants_self_protection(const GrapnelSettings& settings);

}  // namespace grapnel
