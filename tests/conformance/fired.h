#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "dialect/answer.h"

namespace grapnel::conformance {

/// How an event reaches the hooks of a case.
enum class Way : uint8_t {
  Engine,           ///< the C++ API
  CommandDecision,  ///< `grapnel fire --as … --json`: the decision
  CommandAnswer,    ///< `grapnel fire --as …`: what the agent is told
};

/// What came of an event; a command tells one of the two.
struct Fired {
  Json decision;
  std::optional<WireAnswer> answer;
  std::string said = {};  ///< by a command, on standard output and standard error, and its exit status
};

/// One event in the words of an agent.
struct NativeEvent {
  std::string dialect;
  Json payload;
};

/// The directories and variables a command is started with.
struct CommandWorld {
  std::string project_dir;
  std::string config;  ///< a settings file to name, or ""
  std::string config_dialect;
  std::vector<std::string> env;
  bool is_bridge = false;  ///< the agent asks, as a hook of its own
};

/// Fails: when the payload is no event.
Result<Fired> fire_engine(Engine& engine, const NativeEvent& event);

/// Runs the `grapnel` that was just built. Fails: when it does not start or prints no JSON.
Result<Fired> fire_command(Way way, const CommandWorld& world, const NativeEvent& event);

}  // namespace grapnel::conformance
