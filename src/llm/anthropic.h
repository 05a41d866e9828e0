#pragma once

#include <map>

#include "llm/response_builder.h"
#include "llm/wire_format.h"

namespace grapnel::llm {

/// Anthropic's Messages API, `/v1/messages`.
extern const WireFormat kAnthropicFormat;

/// The body of a request. The server wants user and assistant messages to alternate, and tool results belong to the
/// user. So neighbouring messages with the same role on the wire are merged into one, with tool results first.
Json encode_anthropic_request(const ModelRequest& request);

/// Reads a stream of `message_start`, `content_block_start|delta|stop`, `message_delta`, `message_stop`. It skips
/// `ping` and unknown events. The answer is complete when `message_stop` has arrived.
class AnthropicDecoder : public StreamDecoder {
 public:
  AnthropicDecoder(ChunkSink on_chunk, CallIdSource make_call_id);

  Result<void> take(const net::SseEvent& event) override;
  Result<ModelResponse> finish() override;

 private:
  /// A tool call whose input is still arriving. The key in `calls_` is the index of its content block.
  struct OpenCall {
    std::string id;
    std::string name;
    std::string input;
  };

  /// A content block begins, gets longer and ends. Text and thoughts go to the builder at once; calls only at their
  /// end.
  void start_block(int64_t index, const Json& block);
  void extend_block(int64_t index, const Json& delta);
  void end_block(int64_t index);
  /// Input and output tokens arrive in different events. Each event changes only the numbers that it contains.
  void take_usage(const Json& usage);

  ResponseBuilder builder_;
  std::map<int64_t, OpenCall> calls_;
  bool is_complete_ = false;
};

}  // namespace grapnel::llm
