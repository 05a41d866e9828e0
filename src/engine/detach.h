#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/record.h"

#include "engine/event_run.h"

/// The last step of the line for async hooks: prepares them, so that they can start when the decision is known.
namespace grapnel {

/// A hook that waits until it has been quiet for a while (debounce.h).
struct QuietWait {
  std::string session_id;
  std::string hook_key;
  std::chrono::milliseconds quiet{0};
  bool takes_files = false;
  std::optional<PinnedFiles> trusted_as;  ///< the hook's own files, if they had to be trusted
};

/// The async hooks of an event, ready to start. background.h runs them. The values own all their data, because they may
/// start after the event is over.
struct BackgroundRun {
  std::string event_id;
  Record record;                ///< of the event; how the hooks end is added to it
  std::vector<uint32_t> hooks;  ///< first those in `children`, then those in `calls`, then those in `questions`
  std::vector<ChildSpec> children;
  std::vector<TimedCall> calls;
  std::vector<WorkerRequest> questions;
  std::optional<QuietWait> wait = {};  ///< the only child waits for this before it starts
  bool is_job = false;                 ///< a worker of the fleet runs them, unless their record could not be written
};

/// Prepares the event's async hooks. They start only if nothing denied or stopped the event. They see the event as it
/// was rewritten, and they decide nothing. Hooks that wait for quiet get a run of their own.
std::vector<BackgroundRun> detach_hooks(EventRun& run, const std::vector<uint32_t>& hooks);

}  // namespace grapnel
