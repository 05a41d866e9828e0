#pragma once

#include <cstddef>

#include "grapnel/engine.h"

/// For `grapnel serve`, which shows the number. It is not part of the public API.
namespace grapnel {

/// How many worker processes the engine keeps; 0 for an engine that `Engine::create` did not make. Thread: any.
size_t worker_count(const Engine& engine);

}  // namespace grapnel
