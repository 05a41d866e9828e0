#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/agent/output.h"
#include "cli/command.h"
#include "grapnel_agent/agent.h"
#include "llm/provider.h"

namespace grapnel::cli {

/// The place where a run of the agent happens. Tests pass their own instead of a real terminal.
struct StartConditions {
  bool is_stdin_terminal = false;
  bool is_stdout_terminal = false;
  std::string program_dir;  ///< installed files are found relative to it
};

/// The parsed command line, with everything that can be checked before a session starts.
struct Settings {
  agent::AgentOptions options;  ///< complete except for model, UI and records
  llm::ProviderOptions provider;
  /// No model is configured, so the recorded session that is installed with the program is played.
  bool plays_bundled_session = false;
  OutputFormat output = OutputFormat::Text;
  std::string prompt;
  /// No prompt is given and a person sits at a terminal.
  bool is_conversation = false;
  /// They go with the first prompt.
  std::vector<llm::ImagePart> images;
  std::string journal;  ///< "" for none
  /// The exit status is 0 even if a hook blocked the prompt.
  bool blocked_is_success = false;
  std::optional<std::chrono::milliseconds> idle_timeout;
  /// About the hook files that the command line names.
  std::vector<std::string> warnings;
};

/// Checks the command line and turns it into settings. Reads the files that options name, but not standard input.
/// Fails: BadInput or errors of reading, with a message for people.
Result<Settings> read_settings(const Arguments& args, const Environment& env, const StartConditions& around);

}  // namespace grapnel::cli
