#pragma once

#include <cstdint>
#include <vector>

#include "grapnel_agent/model.h"

/// Messages as JSON. Transcripts store this form and hooks read it:
///
///   {role: system | user | assistant | tool,
///    content: [{type: text | thinking | image | tool_use | tool_result, …}]}
namespace grapnel::agent {

using Messages = std::vector<llm::ModelMessage>;

Json to_json(const llm::ModelMessage& message);
Json to_json(const Messages& messages);
/// Reads what `to_json` wrote. Parts of an unknown type are left out.
llm::ModelMessage message_from(const Json& json);

llm::ModelMessage user_message(std::string text);

/// A rough estimate: four bytes per token. That is good enough to decide when to compact.
int64_t estimate_tokens(const Messages& messages);

/// Returns an error result for every tool call that the last message still waits for, with `why` as the text; nothing
/// when no call is open. Models refuse a conversation in which a call has no result, so a conversation that broke off
/// needs this message before it can continue.
std::optional<llm::ModelMessage> answer_open_calls(const Messages& messages, std::string_view why);

}  // namespace grapnel::agent
