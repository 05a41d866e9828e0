#pragma once

#include <string>
#include <string_view>

#include "llm/anthropic.h"
#include "llm/gemini.h"
#include "llm/openai.h"

// Answers as the three servers stream them: a text, then two calls. Each ends in the same response.

namespace grapnel::testing {

inline constexpr std::string_view kAnthropicStream = R"(event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me "}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"look \u00e9\ud83d\ude00."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"read_file","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"a.txt\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c2","name":"list","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":15}}

event: message_stop
data: {"type":"message_stop"}

)";

inline constexpr std::string_view kOpenAiStream =
    R"(data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}

data: {"id":"x","choices":[{"index":0,"delta":{"content":"Let me "},"finish_reason":null}]}

: keep-alive

data: {"id":"x","choices":[{"index":0,"delta":{"content":"look \u00e9\ud83d\ude00."},"finish_reason":null}]}

data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"read_file","arguments":""}}]},"finish_reason":null}]}

data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]},"finish_reason":null}]}

data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"list","arguments":"{}"}},{"index":0,"function":{"arguments":"\"a.txt\"}"}}]},"finish_reason":null}]}

data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"id":"x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":15,"total_tokens":35}}

data: [DONE]

)";

inline constexpr std::string_view kGeminiStream =
    "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"Let me \"}],\"role\": \"model\"},\"index\": "
    "0}],\"usageMetadata\": {\"promptTokenCount\": 20,\"totalTokenCount\": 20}}\r\n\r\n"
    "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"look "
    "\xC3\xA9\xF0\x9F\x98\x80.\"},{\"functionCall\": {\"id\": \"c1\",\"name\": \"read_file\",\"args\": "
    "{\"path\":\"a.txt\"}}}],\"role\": \"model\"},\"index\": 0}]}\r\n\r\n"
    "data: {\"candidates\": [{\"content\": {\"parts\": [{\"functionCall\": {\"id\": \"c2\",\"name\": "
    "\"list\",\"args\": {}}}],\"role\": \"model\"},\"finishReason\": \"STOP\",\"index\": 0}],\"usageMetadata\": "
    "{\"promptTokenCount\": 20,\"candidatesTokenCount\": 9,\"thoughtsTokenCount\": 6,\"totalTokenCount\": 35}}\r\n\r\n";

/// What each of them says.
inline constexpr std::string_view kStreamedResponse =
    "say(Let me look \u00e9\U0001f600.) call(c1 read_file {\"path\":\"a.txt\"}) call(c2 list {}) ToolCalls 20/15";

struct ProviderStream {
  const llm::WireFormat& format;
  std::string_view stream;
};
inline const ProviderStream kProviderStreams[] = {
    {llm::kAnthropicFormat, kAnthropicStream},
    {llm::kOpenAiFormat, kOpenAiStream},
    {llm::kGeminiFormat, kGeminiStream},
};

}  // namespace grapnel::testing
