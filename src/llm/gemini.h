#pragma once

#include "llm/response_builder.h"
#include "llm/wire_format.h"

namespace grapnel::llm {

/// Gemini's API, `models/<model>:streamGenerateContent?alt=sse`.
extern const WireFormat kGeminiFormat;

/// The body of a request. It differs from the SDK's shape (gemini_wire.h): system prompt, tools and generation
/// parameters are members of the body instead of `config`.
Json encode_gemini_request(const ModelRequest& request);

/// Reads chunks `{candidates, usageMetadata}`. The answer is complete when a chunk has a finish reason. Replays use
/// this decoder as well, since their scripts contain the same chunks.
class GeminiDecoder : public StreamDecoder {
 public:
  GeminiDecoder(ChunkSink on_chunk, CallIdSource make_call_id);

  Result<void> take(const net::SseEvent& event) override;
  Result<void> take_chunk(const Json& chunk);
  Result<ModelResponse> finish() override;
  /// For answers in replay scripts: an answer without a finish reason counts as complete.
  Result<ModelResponse> finish_anyway() { return builder_.finish(); }

 private:
  void take_part(const Json& part);

  ResponseBuilder builder_;
};

}  // namespace grapnel::llm
