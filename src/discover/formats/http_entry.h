#pragma once

#include "dialect/dialect.h"
#include "discover/problems.h"

/// Reads the keys of an `http` hook in a settings file: `url`, `headers` and others, as the dialect's tables name them.
namespace grapnel {

/// Reads one of these keys into `post`. False, with the problem reported, when its value is unusable.
bool read_post_key(HookKeyRow row, const Json& value, HttpHandler& post, Problems& problems);

/// Whether the entry has all that a post needs. Also warns of variables that headers use without permission.
bool check_post(const Json& entry, const Dialect& dialect, const HttpHandler& post, Problems& problems);

}  // namespace grapnel
