#pragma once

#include <cstdint>
#include <string>

#include "grapnel_agent/agent.h"

/// The events of a session as JSON: one object per event, with its `type` first.
namespace grapnel::cli {

/// `Full` adds the input and output of hooks and the requests to the model. Journals use it; streams for programs use
/// `Brief`.
enum class Detail : uint8_t { Brief, Full };

/// The members of the objects are part of the program's interface: `--output stream-json` and journals contain them.
Json to_json(const agent::AgentEvent& event, Detail detail);
/// A question and its answer as one object.
Json to_json(const agent::Question& question, agent::Approval approval);
Json to_json(const llm::ModelUsage& usage);
Json to_json(const agent::ToolFinished& call);
Json to_json(const HookRun& run, Detail detail);

/// How a run ended. It is the last object that a program reads. The session's id is empty if no session began.
struct RunEnd {
  std::string session_id;
  agent::TurnResult turn;
};
Json to_json(const RunEnd& end);

}  // namespace grapnel::cli
