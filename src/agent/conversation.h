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

/// A conversation that broke off in the middle of tool calls gets results that say so; models refuse it otherwise.
void answer_open_calls(Messages& messages, std::string_view why);

}  // namespace grapnel::agent
