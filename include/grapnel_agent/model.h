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

/// A common interface to language models, whichever provider offers them.
///
/// A conversation is a list of messages; a message has a role and a list of parts (text, images, tool calls and so on).
/// `ModelClient::generate` sends the conversation and returns the assistant's next message. The parts of the answer can
/// be watched as they arrive.
///
///   const auto client = llm::open_model({.provider = "anthropic"});
///   llm::ModelRequest request;
///   request.messages = {{llm::ModelRole::User, {llm::TextPart{"Hello!"}}}};
///   const auto response = (*client)->generate(request, {}, {});
///   if (response) std::cout << response->text() << "\n";
///
/// All types except `ModelClient` are plain values. Thread: any.
namespace grapnel::llm {

/// Who a message is from. `Tool` messages contain the results of tool calls.
enum class ModelRole : uint8_t { System, User, Assistant, Tool };

/// Ordinary text.
struct TextPart {
  std::string text;
  bool operator==(const TextPart&) const = default;
};

/// A thought of the model. Providers sign thoughts; one without a signature is not sent back to the provider.
struct ThoughtPart {
  std::string text;
  std::string signature;
  bool operator==(const ThoughtPart&) const = default;
};

/// An image in the conversation.
struct ImagePart {
  std::string media_type;
  std::string data;  ///< base64
  bool operator==(const ImagePart&) const = default;
};

/// A tool call that the model wants. The input is an object.
struct ToolCallPart {
  std::string id;
  std::string name;
  Json input;
  std::string signature;  ///< from the provider; must be sent back unchanged
  bool operator==(const ToolCallPart&) const = default;
};

/// The result of a tool call. The content is a string or any other JSON value.
struct ToolResultPart {
  std::string call_id;
  std::string name;
  Json content;
  bool is_error = false;
  bool operator==(const ToolResultPart&) const = default;
};

/// Any part of a message.
using ModelPart = std::variant<TextPart, ThoughtPart, ImagePart, ToolCallPart, ToolResultPart>;

/// A message. Tool calls are in messages of the assistant; the results of tools, and images that tools returned, are in
/// messages of the role Tool. Some providers accept system messages in the middle of a conversation; for the others
/// they become a part of the system prompt.
struct ModelMessage {
  ModelRole role = ModelRole::User;
  std::vector<ModelPart> parts;
  bool operator==(const ModelMessage&) const = default;
};

/// A tool that is offered to the model.
struct ToolDeclaration {
  std::string name;
  std::string description;
  Json schema;  ///< JSON Schema of the input
  bool operator==(const ToolDeclaration&) const = default;
};

/// `Auto`: the model may call a tool. `Any`: it must. `None`: it must not.
enum class ToolMode : uint8_t { Auto, Any, None };

/// Which tools the model may call. If `allowed` is not empty, only these.
struct ToolChoice {
  ToolMode mode = ToolMode::Auto;
  std::vector<std::string> allowed;
  bool operator==(const ToolChoice&) const = default;
};

/// One request to a model. Parameters that are not set have the provider's default.
struct ModelRequest {
  std::string model;  ///< empty: the client's default
  std::string system;
  /// The conversation so far, the oldest message first.
  std::vector<ModelMessage> messages;
  /// Tools that are offered; `tool_choice` may narrow them.
  std::vector<ToolDeclaration> tools;
  ToolChoice tool_choice;
  /// Sampling parameters; hooks of BeforeModel may change them.
  std::optional<int64_t> max_output_tokens;
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> top_k;
  /// Who makes the request: empty for the main agent, otherwise the name of a subagent. Replays have separate answers
  /// for each.
  std::string lane;
  /// False if nobody watches the answer arrive. Replays also distinguish these requests.
  bool stream = true;
  bool operator==(const ModelRequest&) const = default;
};

/// Why the model stopped writing.
enum class StopReason : uint8_t { EndTurn, ToolCalls, MaxTokens, Refusal, Other };

/// Tokens that were used, as the provider reports them.
struct ModelUsage {
  int64_t input_tokens = 0;  ///< includes cached ones
  int64_t output_tokens = 0;
  bool operator==(const ModelUsage&) const = default;
};

/// A piece of text or of a thought.
struct TextDelta {
  std::string text;
  bool is_thought = false;
  bool operator==(const TextDelta&) const = default;
};
/// What arrives while a model answers: a piece of text, a complete tool call, the usage so far, or the reason of the
/// end.
using ModelChunk = std::variant<TextDelta, ToolCallPart, ModelUsage, StopReason>;

/// A complete answer.
struct ModelResponse {
  std::vector<ModelPart> parts;
  StopReason stop_reason = StopReason::EndTurn;
  ModelUsage usage;
  bool operator==(const ModelResponse&) const = default;

  /// Its text, without thoughts.
  std::string text() const;
  /// The tool calls in it, in order.
  std::vector<ToolCallPart> calls() const;
};

/// All text of a message, without thoughts.
std::string text_of(const std::vector<ModelPart>& parts);

/// The result of a tool as text: a string as it is, anything else as JSON.
std::string text_of(const ToolResultPart& result);

/// The declarations of the tools that `tool_choice` allows.
std::vector<ToolDeclaration> allowed_tools(const ModelRequest& request);

/// The system prompt followed by the system messages of the conversation, for providers that have only one place for
/// both.
std::string whole_system(const ModelRequest& request);

/// Receives the pieces of an answer.
using ChunkSink = std::function<void(const ModelChunk&)>;

/// A connection to a model. `open_model` makes one; tests and hosts may implement their own. Thread: any; calls from
/// several threads run at the same time.
class ModelClient {
 public:
  virtual ~ModelClient() = default;

  /// The assistant's next message. `on_chunk` may be empty; it is called in this thread, in order. If the call fails,
  /// the chunks so far must be thrown away.
  ///
  /// Fails: Cancelled; Refused if the key or the request is not accepted; System if it may work another time; BadInput
  /// and others if it will not. Error messages never contain the key.
  virtual Result<ModelResponse> generate(const ModelRequest& request, const ChunkSink& on_chunk,
                                         std::stop_token stop) = 0;

  /// The provider's name.
  virtual std::string_view name() const = 0;

  /// Whether it sends a key. The first answer then shows that the key was accepted.
  virtual bool sends_key() const { return false; }
};

/// Which model to use. Members that are empty come from the environment. The provider is `anthropic`, `openai`,
/// `gemini` or `replay`.
struct ModelSource {
  std::string provider = {};
  /// The provider's name of the model.
  std::string model = {};
  /// Where the provider's API is; for proxies and compatible servers.
  std::string base_url = {};
  /// The key; error messages never contain it.
  std::string api_key = {};
  /// For `replay`: a file with recorded answers.
  std::string replay_file = {};
};

/// Opens a model. Fails: BadConfig, with a message that says what to set; for replays also as reading the file does.
/// Error messages never contain a key.
Result<std::shared_ptr<ModelClient>> open_model(const ModelSource& source);

}  // namespace grapnel::llm
