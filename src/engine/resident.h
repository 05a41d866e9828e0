#pragma once

#include <cstddef>
#include <memory>

#include "grapnel/engine.h"

#include "run/warm_pool.h"

/// For `grapnel serve`, whose engines stay. It is not part of the public API. Every function does nothing for an engine
/// that `Engine::create` did not make. Thread: any.
namespace grapnel {

/// How many worker processes the engine keeps.
size_t worker_count(const Engine& engine);

/// From now on, hooks that are marked warm have their next process started before the event. Call it before the first
/// event, and `sweep_warm` from time to time. `post` is used until the engine is destroyed, and what it has got by
/// then may run later.
void keep_warm(Engine& engine, const std::shared_ptr<WarmSeats>& seats, WarmPool::Post post);
/// Ends processes that have waited for too long.
void sweep_warm(Engine& engine);
WarmCounts warm_counts(const Engine& engine);

}  // namespace grapnel
