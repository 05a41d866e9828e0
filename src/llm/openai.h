#pragma once

#include "llm/response_builder.h"
#include "llm/wire_format.h"

namespace grapnel::llm {

/// The chat completions API of OpenAI and of many compatible servers, `/chat/completions`.
extern const WireFormat kOpenAiFormat;

/// The body of a request. `limit_name` is the server's name for the limit on output tokens.
Json encode_openai_request(const ModelRequest& request, std::string_view limit_name = "max_tokens");

/// Reads chunks `{choices: [{delta, finish_reason}], usage}` up to `[DONE]`. A tool call arrives in pieces, which
/// belong together by their index; for servers that send no index, a piece with an id begins a new call. Calls are
/// passed on once the model has finished. The answer is complete when a chunk had a finish reason, since not every
/// server sends `[DONE]`.
class OpenAiDecoder : public StreamDecoder {
 public:
  OpenAiDecoder(ChunkSink on_chunk, CallIdSource make_call_id);

  Result<void> take(const net::SseEvent& event) override;
  Result<ModelResponse> finish() override;

 private:
  /// A tool call whose pieces are still arriving.
  struct OpenCall {
    std::optional<int64_t> index;
    std::string id;
    std::string name;
    std::string input;
  };

  void take_delta(const Json& delta);
  void take_call(const Json& piece);
  /// Returns the call that a piece belongs to, and begins one if needed.
  OpenCall& find_call(const Json& piece);

  ResponseBuilder builder_;
  std::vector<OpenCall> calls_;
  bool is_refusal_ = false;
};

}  // namespace grapnel::llm
