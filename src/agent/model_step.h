#pragma once

#include <string>

#include "agent/core.h"

namespace grapnel::agent {

/// What came of asking the model once.
struct ModelStep {
  enum class Kind : uint8_t { Answered, Blocked, Stopped, Interrupted, Failed };
  Kind kind = Kind::Answered;
  llm::ModelResponse response;  ///< of an answer: as hooks left it
  EventKind by{};               ///< of a block or stop
  std::string reason;           ///< of anything but an answer
};

/// BeforeModel → BeforeToolSelection → model → AfterModel. Hooks see and change the request and the response in the
/// form of `grapnel/gemini_model.h`, whatever the provider; calls and images pass them by. Text is shown as AfterModel
/// left it: per response, or per chunk as it comes when the options say so.
///
///   BeforeModel          stop; deny: the model is not called, a synthetic response answers if there is one; rewrite
///   BeforeToolSelection  which tools may be called
///   AfterModel           stop; deny: the response is withheld, its tool calls too; rewrite of the text
ModelStep ask_model(llm::ModelRequest request, const SessionFacts& facts, Core& core, const std::stop_token& cancel);

}  // namespace grapnel::agent
