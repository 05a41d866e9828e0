#include "llm/anthropic.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "llm/json_fields.h"

/// Differences between our messages and Anthropic's:
///
///   * Only `user` and `assistant` exist, and they alternate; tool results belong to the user.
///   * The system prompt is a member of the request, not a message.
///   * A stream consists of content blocks with an index. Each is started, extended and stopped by events of its own.
namespace grapnel::llm {

namespace {

constexpr int64_t kDefaultMaxTokens = 8192;  // the server has no default

/// A row maps the server's `stop_reason` to ours. Words without a row become `Other`.
struct AnthropicStopRow {
  std::string_view word;
  StopReason reason;
};
constexpr auto kAnthropicStopRows = std::to_array<AnthropicStopRow>({
    {"end_turn", StopReason::EndTurn},
    {"stop_sequence", StopReason::EndTurn},
    {"tool_use", StopReason::ToolCalls},
    {"max_tokens", StopReason::MaxTokens},
    {"model_context_window_exceeded", StopReason::MaxTokens},
    {"refusal", StopReason::Refusal},
});

/// One overload per kind of part. A missing value means that the server would not accept the part, so it is not sent.
Json encode(const TextPart& part) {
  // The server refuses blocks without text.
  if (part.text.empty()) return {};
  return Json::object({{"type", Json::string("text")}, {"text", Json::string(part.text)}});
}

/// The server verifies thoughts that are sent back, so one without a signature is left out. A thought without text is
/// one that the server redacted; its encrypted content is in the signature.
Json encode(const ThoughtPart& part) {
  if (part.signature.empty()) return {};
  if (part.text.empty()) {
    return Json::object({{"type", Json::string("redacted_thinking")}, {"data", Json::string(part.signature)}});
  }
  return Json::object({{"type", Json::string("thinking")},
                       {"thinking", Json::string(part.text)},
                       {"signature", Json::string(part.signature)}});
}

Json encode(const ImagePart& part) {
  const Json source = Json::object({{"type", Json::string("base64")},
                                    {"media_type", Json::string(part.media_type)},
                                    {"data", Json::string(part.data)}});
  return Json::object({{"type", Json::string("image")}, {"source", source}});
}

Json encode(const ToolCallPart& part) {
  return Json::object({{"type", Json::string("tool_use")},
                       {"id", Json::string(part.id)},
                       {"name", Json::string(part.name)},
                       {"input", part.input ? part.input : Json::object()}});
}

Json encode(const ToolResultPart& part) {
  return Json::object({{"type", Json::string("tool_result")},
                       {"tool_use_id", Json::string(part.call_id)},
                       {"content", Json::string(text_of(part))},
                       {"is_error", part.is_error ? Json::boolean(true) : Json()}});
}

/// A message of the wire format while it is being assembled from several of ours. Tool results are collected
/// separately, because the server wants them before everything else in a message.
struct WireMessage {
  std::string_view role;
  std::vector<Json> results;
  std::vector<Json> others;

  Json to_json() const {
    std::vector<Json> content = results;
    content.insert(content.end(), others.begin(), others.end());
    return Json::object({{"role", Json::string(role)}, {"content", Json::array(content)}});
  }
};

/// Merges neighbours with the same role on the wire and drops messages of which nothing is left. System messages are
/// not here: `whole_system` collects them.
std::vector<WireMessage> group_messages(const ModelRequest& request) {
  std::vector<WireMessage> out;
  for (const ModelMessage& message : request.messages) {
    if (message.role == ModelRole::System) continue;
    const std::string_view role = message.role == ModelRole::Assistant ? "assistant" : "user";
    if (out.empty() || out.back().role != role) out.push_back({role, {}, {}});
    for (const ModelPart& part : message.parts) {
      const Json block = std::visit([](const auto& p) { return encode(p); }, part);
      const bool is_result = std::holds_alternative<ToolResultPart>(part);
      if (block) (is_result ? out.back().results : out.back().others).push_back(block);
    }
  }
  std::erase_if(out, [](const WireMessage& m) { return m.results.empty() && m.others.empty(); });
  return out;
}

Json encode_anthropic_tools(const ModelRequest& request) {
  std::vector<Json> out;
  for (const ToolDeclaration& tool : allowed_tools(request)) {
    out.push_back(Json::object({{"name", Json::string(tool.name)},
                                {"description", Json::string(tool.description)},
                                {"input_schema", tool.schema}}));
  }
  return array_or_missing(out);
}

/// The wire format can force any tool or one tool by name, but not one of several. Several names therefore only limit
/// the tools that are declared.
Json encode_anthropic_choice(const ToolChoice& choice) {
  switch (choice.mode) {
    case ToolMode::Auto:
      return {};
    case ToolMode::None:
      return Json::object({{"type", Json::string("none")}});
    case ToolMode::Any:
      break;
  }
  if (choice.allowed.size() != 1) return Json::object({{"type", Json::string("any")}});
  return Json::object({{"type", Json::string("tool")}, {"name", Json::string(choice.allowed.front())}});
}

std::vector<net::HttpHeader> anthropic_auth_headers(const Endpoint& endpoint) {
  return {{"x-api-key", endpoint.api_key}, {"anthropic-version", "2023-06-01"}};
}

}  // namespace

Json encode_anthropic_request(const ModelRequest& request) {
  std::vector<Json> messages;
  for (const WireMessage& message : group_messages(request)) messages.push_back(message.to_json());
  const std::string system = whole_system(request);
  const Json tools = encode_anthropic_tools(request);
  return Json::object({{"model", Json::string(request.model)},
                       {"max_tokens", Json::number(request.max_output_tokens.value_or(kDefaultMaxTokens))},
                       {"stream", Json::boolean(true)},
                       {"system", text_or_missing(system)},
                       {"messages", Json::array(messages)},
                       {"tools", tools},
                       // The server refuses a choice without tools.
                       {"tool_choice", tools ? encode_anthropic_choice(request.tool_choice) : Json()},
                       {"temperature", number_or_missing(request.temperature)},
                       {"top_p", number_or_missing(request.top_p)},
                       {"top_k", number_or_missing(request.top_k)}});
}

AnthropicDecoder::AnthropicDecoder(ChunkSink on_chunk, CallIdSource make_call_id)
    : builder_(std::move(on_chunk), std::move(make_call_id)) {}

void AnthropicDecoder::take_usage(const Json& usage) {
  if (!usage.is_object()) return;
  ModelUsage now = builder_.usage();
  // Cached tokens are reported separately. The sum is the size of the prompt.
  if (usage["input_tokens"]) {
    now.input_tokens = count_of(usage["input_tokens"]) + count_of(usage["cache_creation_input_tokens"]) +
                       count_of(usage["cache_read_input_tokens"]);
  }
  if (usage["output_tokens"]) now.output_tokens = count_of(usage["output_tokens"]);
  builder_.set_usage(now);
}

void AnthropicDecoder::start_block(int64_t index, const Json& block) {
  const std::string type = string_of(block["type"]);
  if (type == "text") {
    builder_.add_text(string_of(block["text"]));
  } else if (type == "thinking") {
    builder_.add_thought(string_of(block["thinking"]), string_of(block["signature"]));
  } else if (type == "redacted_thinking") {
    builder_.add_thought("", string_of(block["data"]));
  } else if (type == "tool_use") {
    // The input normally arrives in deltas; some servers send it whole, here.
    const Json input = block["input"];
    calls_[index] = {string_of(block["id"]), string_of(block["name"]), input.size() > 0 ? input.dump() : ""};
  }
}

void AnthropicDecoder::extend_block(int64_t index, const Json& delta) {
  const std::string type = string_of(delta["type"]);
  if (type == "text_delta") {
    builder_.add_text(string_of(delta["text"]));
  } else if (type == "thinking_delta") {
    builder_.add_thought(string_of(delta["thinking"]));
  } else if (type == "signature_delta") {
    builder_.add_thought("", string_of(delta["signature"]));
  } else if (const auto call = calls_.find(index); type == "input_json_delta" && call != calls_.end()) {
    call->second.input += string_of(delta["partial_json"]);
  }
}

void AnthropicDecoder::end_block(int64_t index) {
  const auto node = calls_.extract(index);
  if (node.empty()) return;
  const OpenCall& call = node.mapped();
  builder_.add_call(call.id, call.name, call.input);
}

Result<void> AnthropicDecoder::take(const net::SseEvent& event) {
  const auto json = parse_event(event);
  if (!json) return std::unexpected(json.error());
  const std::string type = string_of((*json)["type"]);
  const int64_t index = (*json)["index"].as_integer().value_or(0);
  // An error can follow after part of the answer, for example when the server is overloaded.
  if (type == "error") return fail_reported(string_of((*json)["error"]["type"]), (*json)["error"]["message"]);
  if (type == "message_start") take_usage((*json)["message"]["usage"]);
  if (type == "content_block_start") start_block(index, (*json)["content_block"]);
  if (type == "content_block_delta") extend_block(index, (*json)["delta"]);
  if (type == "content_block_stop") end_block(index);
  if (type == "message_delta") {
    take_usage((*json)["usage"]);
    const auto* const row = std::ranges::find_if(kAnthropicStopRows, [&](const AnthropicStopRow& r) {
      return (*json)["delta"]["stop_reason"].equals_string(r.word);
    });
    builder_.set_stop(row == kAnthropicStopRows.end() ? StopReason::Other : row->reason);
  }
  if (type == "message_stop") is_complete_ = true;
  return {};
}

/// A connection that breaks in the middle also looks like an end; only `message_stop` proves that nothing is missing.
Result<ModelResponse> AnthropicDecoder::finish() {
  if (!is_complete_) return fail(Errc::System, "the stream ended before the answer was complete");
  return builder_.finish();
}

const WireFormat kAnthropicFormat{
    .name = "anthropic",
    .default_base_url = "https://api.anthropic.com",
    .key_variables = {"ANTHROPIC_API_KEY", ""},
    .base_url_variable = "ANTHROPIC_BASE_URL",
    .model_variable = "ANTHROPIC_MODEL",
    .keyless_elsewhere = false,
    .url = [](const Endpoint& endpoint, const ModelRequest&) { return endpoint.base_url + "/v1/messages"; },
    .auth_headers = anthropic_auth_headers,
    .encode = [](const Endpoint&, const ModelRequest& request) { return encode_anthropic_request(request); },
    .make_decoder = [](ChunkSink on_chunk, CallIdSource make_call_id) -> std::unique_ptr<StreamDecoder> {
      return std::make_unique<AnthropicDecoder>(std::move(on_chunk), std::move(make_call_id));
    },
};

}  // namespace grapnel::llm
