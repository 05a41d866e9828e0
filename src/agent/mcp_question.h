#pragma once

#include <stop_token>
#include <string>

#include "agent/core.h"

namespace grapnel::agent {

/// Answers what an MCP server asks its user (`elicitation/create`). Elicitation hooks are asked first, and may answer
/// or decline; then the person is, after a Notification of the type `elicitation_dialog`; then ElicitationResult hooks
/// see the answer, and may change or withhold it. Without a person the answer is `decline`. Returns `{action,
/// content}`.
Json answer_question(Core& core, const std::string& server, const Json& params, const std::stop_token& stop);

}  // namespace grapnel::agent
