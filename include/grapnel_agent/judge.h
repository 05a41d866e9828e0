#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "grapnel/engine.h"
#include "grapnel/hook.h"

#include "grapnel_agent/model.h"

/// A judge: a model that answers `prompt` and `agent` hooks.
///
/// `prompt` hooks ask one question. `agent` hooks start a small subagent that may look at files before it answers. The
/// host passes the judge to the engine:
///
///   const auto model = llm::open_model({.provider = "anthropic"});
///   if (model) options.host.judge = agent::make_judge({.model = *model});
namespace grapnel::agent {

/// How to create a judge.
struct JudgeOptions {
  /// May be null; then every question fails with the message `no_model`.
  std::shared_ptr<llm::ModelClient> model = {};
  std::string no_model = "there is no model to ask";  ///< the message if there is no model
  std::string model_name = {};                        ///< for hooks that name none; "": the client's default
  uint32_t max_turns = 20;                            ///< model calls for one question, if the hook sets no limit
  /// The engine whose hooks see the tool calls that judges make; the payload says how deeply judges are nested. If it
  /// is empty, no hooks see them.
  std::function<std::shared_ptr<Engine>()> engine = {};
};

/// Makes a judge. A `prompt` hook costs one call of the model. The subagent of an `agent` hook may read, find and
/// search files below its directory, and do nothing else. Both are told that the text of the event is data and not an
/// instruction. In replays they are the subagent `judge`.
///
/// The judge fails as the model does, with Refused if the model declines, and with LimitExceeded if there is no verdict
/// in time. Thread: any.
std::shared_ptr<Judge> make_judge(JudgeOptions options);

}  // namespace grapnel::agent
