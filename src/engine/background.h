#pragma once

#include "grapnel/record.h"

#include "engine/detach.h"

/// Async hooks. The event does not wait for them and ignores their answers. They are supervised like other hooks, and
/// a second record of the event (`in_background`) says how they ended.
namespace grapnel {

/// Receivers of the results. Either may be null.
struct Watchers {
  std::shared_ptr<RecordSink> records;
  std::shared_ptr<HookObserver> observer;
  std::string leftovers;  ///< the list of what hooks left running (leftovers.h)
};

/// Waits until the hook of this run may start, and gives it its files. False if it does not start: somebody else has
/// run it, its files are gone, or the hook changed after it was trusted. Only the last two are recorded.
bool prepare_after_quiet(const Snapshot& snapshot, BackgroundRun& run, const Watchers& watchers,
                         SessionStore& sessions);

/// Runs all of them side by side and waits for them. Then records how each ended, with the first bytes of its output.
void run_detached(const Snapshot& snapshot, const Event& event, const BackgroundRun& run, const Limits& limits,
                  const Watchers& watchers, WorkerPool& workers);

}  // namespace grapnel
