#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "grapnel/engine.h"
#include "grapnel/hook.h"

#include "grapnel_agent/model.h"

/// Who answers `prompt` and `agent` hooks, with a model behind it.
namespace grapnel::agent {

struct JudgeOptions {
  std::shared_ptr<llm::ModelClient> model = {};
  std::string no_model = "there is no model to ask";  ///< why every question fails, when there is none
  std::string model_name = {};                        ///< for hooks that name none; "": the client's
  uint32_t max_turns = 20;                            ///< model calls for one question, when the hook says nothing
  /// Whose hooks see the tool calls of judges, with the judge's depth in the payload; nothing: nobody's.
  std::function<std::shared_ptr<Engine>()> engine = {};
};

/// A hook's prompt is one call of the model; an agent's judge may read files below its directory, look for them and
/// search them, and do nothing else. Both are told that what the event says is no instruction. In a replay they are the
/// subagent `judge`. Fails: as the model does; Refused when it declines; LimitExceeded without a verdict in time.
/// Thread: any.
std::shared_ptr<Judge> make_judge(JudgeOptions options);

}  // namespace grapnel::agent
