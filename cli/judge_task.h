#pragma once

#include <memory>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// The delegated task `judge`: a question of a `prompt` or `agent` hook as JSON, and the model's last words.
namespace grapnel::cli {

inline constexpr std::string_view kJudgeTask = "judge";

Json write_question(const Judgement& question);
/// Fails: BadInput.
Result<Judgement> read_question(const Json& json);

/// Has `grapnel-agent` ask the model of the environment, each question in a process of its own.
std::shared_ptr<Judge> make_delegating_judge(const Environment& env);

}  // namespace grapnel::cli
