#pragma once

#include "grapnel/record.h"

#include "engine/detach.h"

/// Hooks that nobody waits for: supervised like any other, their endings on record, their answers ignored.
namespace grapnel {

/// Who is told how they ended.
struct Watchers {
  std::shared_ptr<RecordSink> records;
  std::shared_ptr<HookObserver> observer;
};

/// Runs them all beside each other and records how each ended and the first bytes of what it said.
void run_detached(const Snapshot& snapshot, const Event& event, const BackgroundRun& run, const Limits& limits,
                  const Watchers& watchers, WorkerPool& workers);

}  // namespace grapnel
