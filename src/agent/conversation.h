#pragma once

#include <cstdint>
#include <vector>

#include "grapnel_agent/model.h"

/// Messages as JSON, for transcripts and hooks: `{role, content: [{type: text | thinking | image | tool_use |
/// tool_result, …}]}`.
namespace grapnel::agent {

using Messages = std::vector<llm::ModelMessage>;

Json to_json(const llm::ModelMessage& message);
Json to_json(const Messages& messages);
/// Parts of an unknown kind are left out.
llm::ModelMessage message_from(const Json& json);

llm::ModelMessage user_message(std::string text);

/// A rough count: four bytes a token. Good enough to know when to compact.
int64_t estimate_tokens(const Messages& messages);

/// What a conversation that broke off in the middle of tool calls needs before it can go on: models refuse calls
/// without results.
std::optional<llm::ModelMessage> answer_open_calls(const Messages& messages, std::string_view why);

}  // namespace grapnel::agent
