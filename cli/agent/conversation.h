#pragma once

#include "cli/agent/journal.h"
#include "cli/agent/settings.h"
#include "cli/agent/signals.h"

namespace grapnel::cli {

/// The parts that both kinds of run need: a single prompt and a conversation. `main` reads the settings, opens the
/// model, the records and the journal, and then starts one of the two. The options have everything but a UI, which each
/// kind of run creates for itself.
struct Run {
  Settings settings;
  std::shared_ptr<Journal> journal;  ///< may be null
  Console& console;
  const Environment& env;
  Signals& signals;

  /// Options for a session that this UI shows.
  agent::AgentOptions options_for(std::shared_ptr<agent::AgentUi> ui) const;
};

/// Runs one prompt and prints one answer. Returns the exit status.
int run_prompt(const Run& run);

/// Reads prompts from the terminal until the user ends the conversation. Returns the exit status.
int run_conversation(const Run& run);

}  // namespace grapnel::cli
