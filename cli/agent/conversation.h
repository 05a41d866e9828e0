#pragma once

#include "cli/agent/journal.h"
#include "cli/agent/settings.h"
#include "cli/agent/signals.h"

namespace grapnel::cli {

/// What a run of either kind is made of. The options have their model and records already, not their UI.
struct Run {
  Settings settings;
  std::shared_ptr<Journal> journal;  ///< may be none
  Console& console;
  const Environment& env;
  Signals& signals;

  /// Options for a session that is shown by this UI.
  agent::AgentOptions options_for(std::shared_ptr<agent::AgentUi> ui) const;
};

/// One prompt, one answer. Returns the exit status.
int run_prompt(const Run& run);

/// Line after line on a terminal, until the user ends it. Returns the exit status.
int run_conversation(const Run& run);

}  // namespace grapnel::cli
