#pragma once

#include <map>

#include "llm/response_builder.h"
#include "llm/wire_format.h"

namespace grapnel::llm {

/// Anthropic's Messages, `/v1/messages`.
extern const WireFormat kAnthropicFormat;

/// The body of a request. Messages that follow each other with one role on the wire (results of tools are the user's)
/// become one, results in front, as the server demands.
Json encode_anthropic_request(const ModelRequest& request);

/// Reads a stream of `message_start`, `content_block_start|delta|stop`, `message_delta`, `message_stop`; `ping` and
/// unknown events are skipped. The answer is complete with `message_stop`.
class AnthropicDecoder : public StreamDecoder {
 public:
  AnthropicDecoder(ChunkSink on_chunk, CallIdSource make_call_id);

  Result<void> take(const net::SseEvent& event) override;
  Result<ModelResponse> finish() override;

 private:
  /// A call whose input still comes.
  struct OpenCall {
    std::string id;
    std::string name;
    std::string input;
  };

  void start_block(int64_t index, const Json& block);
  void extend_block(int64_t index, const Json& delta);
  void end_block(int64_t index);
  void take_usage(const Json& usage);

  ResponseBuilder builder_;
  std::map<int64_t, OpenCall> calls_;
  bool is_complete_ = false;
};

}  // namespace grapnel::llm
