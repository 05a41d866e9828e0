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

/// Where a run of the agent takes place.
struct StartConditions {
  bool is_stdin_terminal = false;
  bool is_stdout_terminal = false;
  std::string program_dir;  ///< what was installed lies relative to it
};

/// What a command line asks for.
struct Settings {
  agent::AgentOptions options;  ///< all but model, UI and records
  llm::ProviderOptions provider;
  bool plays_bundled_session = false;
  OutputFormat output = OutputFormat::Text;
  std::string prompt;
  bool is_conversation = false;
  std::vector<llm::ImagePart> images;
  std::string journal;  ///< "": none
  std::optional<std::chrono::milliseconds> idle_timeout;
};

/// Reads files that are named, but not standard input. Fails: BadInput and as reading files does, with a sentence for
/// people.
Result<Settings> read_settings(const Arguments& args, const Environment& env, const StartConditions& around);

/// Where the agent keeps what it has to find again.
std::string transcripts_dir(const Environment& env);

}  // namespace grapnel::cli
