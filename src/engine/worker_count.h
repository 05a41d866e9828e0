#pragma once

#include <cstddef>

#include "grapnel/engine.h"

namespace grapnel {

/// How many workers an engine of `Engine::create` keeps. Thread: any.
size_t worker_count(const Engine& engine);

}  // namespace grapnel
