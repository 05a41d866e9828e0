#pragma once

#include <string>
#include <vector>

#include "agent/core.h"

namespace grapnel::agent {

/// The outcome of one model call.
struct ModelStep {
  enum class Kind : uint8_t { Answered, Blocked, Stopped, Interrupted, Failed };
  Kind kind = Kind::Answered;
  llm::ModelResponse response;  ///< when answered; includes the changes that hooks made
  EventKind by{};               ///< when blocked or stopped: the event whose hook did it
  std::string reason;           ///< for every kind but Answered
  /// The names of the tools that the model could choose from, after hooks removed some or chose among them.
  std::vector<std::string> offered;
};

/// Calls the model once: BeforeModel → BeforeToolSelection → model → AfterModel. Whatever the provider is, hooks see
/// and change requests and responses in the form of `grapnel/gemini_model.h`. Tool calls and images are not part of
/// that form: they stay as long as the messages that they belong to.
///
///   BeforeModel          may stop the agent, deny the call, or replace the request's messages, tools and parameters;
///                        after a denial, a response that the hook supplied becomes the answer
///   BeforeToolSelection  may restrict which tools the model can call
///   AfterModel           may stop the agent, deny the response (text and tool calls are dropped) or change its text
///
/// The UI gets the text as AfterModel left it, or no text if the request is not streamed. Normally AfterModel sees the
/// whole response at once; with `after_model_per_chunk` it sees each piece of a streamed response as it arrives, the
/// last one together with the reason of the end and the usage.
ModelStep ask_model(llm::ModelRequest request, const SessionFacts& facts, Core& core, const std::stop_token& cancel);

}  // namespace grapnel::agent
