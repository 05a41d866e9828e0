#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "grapnel_agent/model.h"
#include "net/sse.h"

namespace grapnel::llm {

/// Makes an id for a tool call when the provider sends none. Ids are unique in a session.
using CallIdSource = std::function<std::string()>;

/// `call_` and random hexadecimal digits.
std::string random_call_id();

/// Assembles the pieces of a streamed answer in the order in which they arrive, and passes each one to the sink.
class ResponseBuilder {
 public:
  /// `on_chunk` may be empty.
  ResponseBuilder(ChunkSink on_chunk, CallIdSource make_call_id);

  void add_text(std::string_view delta);
  void add_thought(std::string_view delta, std::string_view signature = "");
  void add_call(ToolCallPart call);
  /// A call whose input arrived as text; empty text means `{}`. If the text is not a JSON object, `finish` decides:
  /// when the answer was cut off by its token limit, the last call is incomplete and is left out; otherwise the answer
  /// fails.
  void add_call(std::string id, std::string name, const std::string& input_text);
  void set_usage(ModelUsage usage);
  void set_stop(StopReason reason);

  bool has_stop() const { return has_stop_; }
  const ModelUsage& usage() const { return response_.usage; }

  /// Returns the whole answer. If it has tool calls, the stop reason is that, whatever the provider reported. Fails:
  /// BadInput.
  Result<ModelResponse> finish();

 private:
  void tell(const ModelChunk& chunk) const;

  ChunkSink on_chunk_;
  CallIdSource make_call_id_;
  ModelResponse response_;
  std::string unreadable_call_;
  bool has_stop_ = false;
};

/// Reads the events of one streamed answer. Thread: one at a time.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  /// Fails: BadInput for an event that does not fit the format; System or another code for an error the server reports.
  virtual Result<void> take(const net::SseEvent& event) = 0;
  /// Call it after the last event. Fails: System when the answer is not complete.
  virtual Result<ModelResponse> finish() = 0;
};

/// The JSON of an event's data. Fails: BadInput.
Result<Json> parse_event(const net::SseEvent& event);

/// An error that the server reported inside a stream; `kind` selects the code.
std::unexpected<Error> fail_reported(std::string_view kind, const Json& message);

}  // namespace grapnel::llm
