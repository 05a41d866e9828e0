#include "llm/gemini.h"

#include <utility>

#include "base/error.h"
#include "llm/gemini_wire.h"

/// The parts of a message have the same shape here as in the SDK, so gemini_wire.h converts them. This file adds what
/// differs over HTTP: the URL, the key, and where the request has its system prompt and parameters.
namespace grapnel::llm {

namespace {

/// Characters that need no escaping in a path. The slash is one of them, because of `tunedModels/x`.
bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

std::string escape_path(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_path_char(c)) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return out;
}

/// A model name with a slash already names its collection, such as `tunedModels/x`.
std::string url(const Endpoint& endpoint, const ModelRequest& request) {
  const bool is_qualified = request.model.find('/') != std::string::npos;
  const std::string model = (is_qualified ? "" : "models/") + escape_path(request.model);
  return endpoint.base_url + "/v1beta/" + model + ":streamGenerateContent?alt=sse";
}

std::vector<net::HttpHeader> gemini_auth_headers(const Endpoint& endpoint) {
  return {{"x-goog-api-key", endpoint.api_key}};
}

/// A message as the server wants it back; missing when nothing is left to send. Thoughts are not sent.
Json encode_message(const ModelMessage& message) {
  std::vector<Json> parts;
  for (const ModelPart& part : message.parts) {
    if (!std::holds_alternative<ThoughtPart>(part)) parts.push_back(to_gemini_part(part));
  }
  if (parts.empty()) return {};
  const bool is_model = message.role == ModelRole::Assistant;
  return Json::object({{"role", Json::string(is_model ? "model" : "user")}, {"parts", Json::array(parts)}});
}

/// The server accepts tool names only when a call is required. Otherwise the choice is expressed by declaring only the
/// allowed tools.
ToolChoice wire_choice(ToolChoice choice) {
  if (choice.mode != ToolMode::Any) choice.allowed.clear();
  return choice;
}

/// The SDK's `config` contains more than the server's `generationConfig`, so the parameters are picked one by one.
Json generation_config(const ModelRequest& request) {
  const Json config = to_gemini_request(request)["config"];
  const Json out = Json::object({{"temperature", config["temperature"]},
                                 {"topP", config["topP"]},
                                 {"topK", config["topK"]},
                                 {"maxOutputTokens", config["maxOutputTokens"]}});
  return out.size() == 0 ? Json() : out;
}

}  // namespace

Json encode_gemini_request(const ModelRequest& request) {
  std::vector<Json> contents;
  for (const ModelMessage& message : request.messages) {
    if (message.role == ModelRole::System) continue;
    if (const Json content = encode_message(message)) contents.push_back(content);
  }
  const std::string system = whole_system(request);
  // The API wants a content here, not a plain string.
  const Json instruction = Json::object({{"parts", Json::array({to_gemini_part(TextPart{system})})}});
  return Json::object({{"contents", Json::array(contents)},
                       {"systemInstruction", system.empty() ? Json() : instruction},
                       {"tools", to_gemini_tools(allowed_tools(request))},
                       {"toolConfig", to_gemini_tool_config(wire_choice(request.tool_choice))},
                       {"generationConfig", generation_config(request)}});
}

GeminiDecoder::GeminiDecoder(ChunkSink on_chunk, CallIdSource make_call_id)
    : builder_(std::move(on_chunk), std::move(make_call_id)) {}

Result<void> GeminiDecoder::take(const net::SseEvent& event) {
  const auto chunk = parse_event(event);
  return chunk ? take_chunk(*chunk) : std::unexpected(chunk.error());
}

/// Parts of other kinds, such as images, have no place in an answer and are skipped.
void GeminiDecoder::take_part(const Json& part) {
  auto read = from_gemini_part(part);
  if (!read) return;
  if (const auto* text = std::get_if<TextPart>(&*read)) builder_.add_text(text->text);
  if (const auto* thought = std::get_if<ThoughtPart>(&*read)) builder_.add_thought(thought->text, thought->signature);
  if (auto* call = std::get_if<ToolCallPart>(&*read)) builder_.add_call(std::move(*call));
}

Result<void> GeminiDecoder::take_chunk(const Json& chunk) {
  if (const Json error = chunk["error"]) {
    return fail_reported(error["status"].as_string().value_or(""), error["message"]);
  }
  // Only one candidate is ever requested.
  const Json candidate = chunk["candidates"].at(0);
  for (const Json& part : candidate["content"]["parts"].elements()) take_part(part);
  if (const Json usage = chunk["usageMetadata"]; usage.is_object()) builder_.set_usage(from_gemini_usage(usage));
  // A prompt that the server blocks gets no candidate and no finish reason.
  if (chunk["promptFeedback"]["blockReason"].is_string()) builder_.set_stop(StopReason::Refusal);
  if (const auto finish = candidate["finishReason"].as_string()) builder_.set_stop(from_gemini_finish(*finish));
  return {};
}

Result<ModelResponse> GeminiDecoder::finish() {
  if (!builder_.has_stop()) return fail(Errc::System, "the stream ended before the answer was complete");
  return builder_.finish();
}

const WireFormat kGeminiFormat{
    .name = "gemini",
    .default_base_url = "https://generativelanguage.googleapis.com",
    .key_variables = {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
    .base_url_variable = "GOOGLE_GEMINI_BASE_URL",
    .model_variable = "GEMINI_MODEL",
    .keyless_elsewhere = false,
    .url = url,
    .auth_headers = gemini_auth_headers,
    .encode = [](const Endpoint&, const ModelRequest& request) { return encode_gemini_request(request); },
    .make_decoder = [](ChunkSink on_chunk, CallIdSource make_call_id) -> std::unique_ptr<StreamDecoder> {
      return std::make_unique<GeminiDecoder>(std::move(on_chunk), std::move(make_call_id));
    },
};

}  // namespace grapnel::llm
