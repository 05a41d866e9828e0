#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grapnel/json.h"

/// Talking to a model, whoever offers it.
///
/// A conversation is a list of messages, a message a role and parts. `ModelClient::generate` sends it and gives back
/// the next message of the assistant, telling its pieces as they come.
///
/// Values; Thread: any.
namespace grapnel::llm {

enum class ModelRole : uint8_t { System, User, Assistant, Tool };

struct TextPart {
  std::string text;
  bool operator==(const TextPart&) const = default;
};

/// What a model thought aloud. The signature is the provider's; without it a thought is not sent back.
struct ThoughtPart {
  std::string text;
  std::string signature;
  bool operator==(const ThoughtPart&) const = default;
};

struct ImagePart {
  std::string media_type;
  std::string data;  ///< base64
  bool operator==(const ImagePart&) const = default;
};

/// A tool the model wants called. The input is an object.
struct ToolCallPart {
  std::string id;
  std::string name;
  Json input;
  std::string signature;  ///< the provider's, to be sent back
  bool operator==(const ToolCallPart&) const = default;
};

/// What became of a call. The content is a string or any other JSON.
struct ToolResultPart {
  std::string call_id;
  std::string name;
  Json content;
  bool is_error = false;
  bool operator==(const ToolResultPart&) const = default;
};

using ModelPart = std::variant<TextPart, ThoughtPart, ImagePart, ToolCallPart, ToolResultPart>;

/// Results of tools (and images they gave) stand in messages of role Tool, calls in those of the assistant. A system
/// message in the middle is for providers that have such; others get it as part of the system prompt.
struct ModelMessage {
  ModelRole role = ModelRole::User;
  std::vector<ModelPart> parts;
  bool operator==(const ModelMessage&) const = default;
};

struct ToolDeclaration {
  std::string name;
  std::string description;
  Json schema;  ///< JSON Schema of the input
  bool operator==(const ToolDeclaration&) const = default;
};

enum class ToolMode : uint8_t { Auto, Any, None };

/// Whether tools may or must be called. Names, where given, are the only ones that may.
struct ToolChoice {
  ToolMode mode = ToolMode::Auto;
  std::vector<std::string> allowed;
  bool operator==(const ToolChoice&) const = default;
};

struct ModelRequest {
  std::string model;  ///< empty: the client's
  std::string system;
  std::vector<ModelMessage> messages;
  std::vector<ToolDeclaration> tools;
  ToolChoice tool_choice;
  std::optional<int64_t> max_output_tokens;
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> top_k;
  std::string lane;    ///< who asks: empty for the main agent, else a subagent's name; replays tell them apart
  bool stream = true;  ///< false: nobody looks at the pieces; replays tell these calls apart too
  bool operator==(const ModelRequest&) const = default;
};

enum class StopReason : uint8_t { EndTurn, ToolCalls, MaxTokens, Refusal, Other };

struct ModelUsage {
  int64_t input_tokens = 0;  ///< cached ones included
  int64_t output_tokens = 0;
  bool operator==(const ModelUsage&) const = default;
};

/// A piece of text or of thought, a complete call, the usage so far, or why the answer ended.
struct TextDelta {
  std::string text;
  bool is_thought = false;
  bool operator==(const TextDelta&) const = default;
};
using ModelChunk = std::variant<TextDelta, ToolCallPart, ModelUsage, StopReason>;

struct ModelResponse {
  std::vector<ModelPart> parts;
  StopReason stop_reason = StopReason::EndTurn;
  ModelUsage usage;
  bool operator==(const ModelResponse&) const = default;

  /// What it says, thoughts left out.
  std::string text() const;
  std::vector<ToolCallPart> calls() const;
};

/// All text of a message, thoughts left out.
std::string text_of(const std::vector<ModelPart>& parts);

/// A tool's result as text: a string as it is, anything else as JSON.
std::string text_of(const ToolResultPart& result);

/// The tools a model may call: all but those that `tool_choice` does not name.
std::vector<ToolDeclaration> allowed_tools(const ModelRequest& request);

/// The system prompt with the system messages of the conversation behind it.
std::string whole_system(const ModelRequest& request);

using ChunkSink = std::function<void(const ModelChunk&)>;

/// One model behind one interface. Thread: any; calls of several threads run side by side.
class ModelClient {
 public:
  virtual ~ModelClient() = default;

  /// The next message of the assistant. `on_chunk` (may be empty) is called in this thread, in order; what it was told
  /// before a failure is void. Fails: Cancelled; Refused when the key or the request is not accepted; System for what
  /// may work another time; BadInput and others for what will not. No message has the key in it.
  virtual Result<ModelResponse> generate(const ModelRequest& request, const ChunkSink& on_chunk,
                                         std::stop_token stop) = 0;

  /// The provider's name.
  virtual std::string_view name() const = 0;
};

/// Which model to talk to. What is empty comes from the environment; `provider` is `anthropic`, `openai`, `gemini` or
/// `replay`.
struct ModelSource {
  std::string provider = {};
  std::string model = {};
  std::string base_url = {};
  std::string api_key = {};
  std::string replay_file = {};
};

/// Fails: BadConfig, saying what to set; for replays as reading the file does. No message has a key in it.
Result<std::shared_ptr<ModelClient>> open_model(const ModelSource& source);

}  // namespace grapnel::llm
