#pragma once

#include "dialect/dialect.h"
#include "discover/problems.h"

/// The keys of a hook entry that are about a post: `url`, `headers` and what else a dialect has for it.
namespace grapnel {

/// Takes one of them. False, with the problem noted, when its value cannot be used.
bool read_post_key(HookKeyRow row, const Json& value, HttpHandler& post, Problems& problems);

/// Whether that is a post; warns of variables that its headers name in vain.
bool check_post(const Json& entry, const Dialect& dialect, const HttpHandler& post, Problems& problems);

}  // namespace grapnel
