#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "grapnel_agent/model.h"
#include "net/sse.h"

namespace grapnel::llm {

/// Makes a name for a call whose provider gives none; unique in a session.
using CallIdSource = std::function<std::string()>;

/// `call_` and random hexadecimal digits.
std::string random_call_id();

/// Puts the pieces of a streamed answer together, in the order they come, and tells each to the sink.
class ResponseBuilder {
 public:
  ResponseBuilder(ChunkSink on_chunk, CallIdSource make_call_id);

  void add_text(std::string_view delta);
  void add_thought(std::string_view delta, std::string_view signature = "");
  void add_call(ToolCallPart call);
  /// A call whose input came as text, or none for `{}`. What is no JSON object is remembered until the end: of an
  /// answer cut off by its token limit the last call is incomplete and left out; any other such answer fails.
  void add_call(std::string id, std::string name, const std::string& input_text);
  void set_usage(ModelUsage usage);
  void set_stop(StopReason reason);

  bool has_stop() const { return has_stop_; }
  const ModelUsage& usage() const { return response_.usage; }

  /// The whole; a model that calls tools has stopped for that, whatever it says. Fails: BadInput.
  Result<ModelResponse> finish();

 private:
  void tell(const ModelChunk& chunk) const;

  ChunkSink on_chunk_;
  CallIdSource make_call_id_;
  ModelResponse response_;
  std::string unreadable_call_;
  bool has_stop_ = false;
};

/// Reads the events of one answer's stream. Thread: one at a time.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  /// Fails: BadInput for what is not of the format; System or another code when the server reports an error.
  virtual Result<void> take(const net::SseEvent& event) = 0;
  /// After the last event. Fails: System when the answer is not complete.
  virtual Result<ModelResponse> finish() = 0;
};

/// The JSON of an event's data. Fails: BadInput.
Result<Json> parse_event(const net::SseEvent& event);

/// An error the server reports in a stream: `message`, and a code by the kind of error.
std::unexpected<Error> fail_reported(std::string_view kind, const Json& message);

}  // namespace grapnel::llm
