#pragma once

#include <memory>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// The delegated task `judge`: the question of a `prompt` or `agent` hook as JSON. The answer is the model's final
/// text.
namespace grapnel::cli {

inline constexpr std::string_view kJudgeTask = "judge";

/// Both sides of the question: `grapnel` writes it, `grapnel-agent` reads it.
Json write_question(const Judgement& question);
/// Fails: BadInput.
Result<Judgement> read_question(const Json& json);

/// A judge that starts `grapnel-agent` for each question. The environment says which model is asked.
std::shared_ptr<Judge> make_delegating_judge(const Environment& env);

}  // namespace grapnel::cli
