#include "llm/openai.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "llm/json_fields.h"

/// Many servers speak this protocol, and each in its own way. The encoder therefore sticks to the common part, and the
/// decoder accepts several variants: calls with or without an index, streams with or without `[DONE]`, and errors as
/// text or as an object.
namespace grapnel::llm {

namespace {

constexpr std::string_view kDefaultBaseUrl = "https://api.openai.com/v1";

/// A row maps a `finish_reason` to ours. Words without a row become `Other`; some servers have words of their own.
struct OpenAiStopRow {
  std::string_view word;
  StopReason reason;
};
constexpr auto kOpenAiStopRows = std::to_array<OpenAiStopRow>({
    {"stop", StopReason::EndTurn},
    {"tool_calls", StopReason::ToolCalls},
    {"function_call", StopReason::ToolCalls},
    {"length", StopReason::MaxTokens},
    {"content_filter", StopReason::Refusal},
});

Json make_message(std::string_view role, const Json& content) {
  return Json::object({{"role", Json::string(role)}, {"content", content}});
}

/// The wire has no member for image data, so it travels in a `data:` URL.
Json encode_image(const ImagePart& image) {
  const std::string url = "data:" + image.media_type + ";base64," + image.data;
  return Json::object({{"type", Json::string("image_url")}, {"image_url", Json::object({{"url", Json::string(url)}})}});
}

/// Text alone becomes a string, which every server accepts; text with images becomes a list.
Json encode_content(const std::vector<ModelPart>& parts) {
  std::vector<Json> items;
  bool has_image = false;
  for (const ModelPart& part : parts) {
    if (const auto* text = std::get_if<TextPart>(&part)) {
      items.push_back(Json::object({{"type", Json::string("text")}, {"text", Json::string(text->text)}}));
    } else if (const auto* image = std::get_if<ImagePart>(&part)) {
      items.push_back(encode_image(*image));
      has_image = true;
    }
  }
  if (items.empty()) return {};
  return has_image ? Json::array(items) : Json::string(text_of(parts));
}

/// Text and calls of one answer are one message. Arguments are a string with JSON in it. `content` is required, so it
/// is null when the model only called tools.
Json encode_assistant(const ModelMessage& message) {
  std::vector<Json> calls;
  for (const ModelPart& part : message.parts) {
    const auto* const call = std::get_if<ToolCallPart>(&part);
    if (call == nullptr) continue;
    const std::string input = (call->input ? call->input : Json::object()).dump();
    calls.push_back(Json::object(
        {{"id", Json::string(call->id)},
         {"type", Json::string("function")},
         {"function", Json::object({{"name", Json::string(call->name)}, {"arguments", Json::string(input)}})}}));
  }
  const Json content = encode_content(message.parts);
  if (!content && calls.empty()) return {};
  return make_message("assistant", content ? content : Json::null()).with("tool_calls", array_or_missing(calls));
}

/// One of our messages may become several: each tool result is a message of its own on the wire.
void append_message(std::vector<Json>& out, const ModelMessage& message) {
  if (message.role == ModelRole::Assistant) {
    if (const Json encoded = encode_assistant(message)) out.push_back(encoded);
    return;
  }
  for (const ModelPart& part : message.parts) {
    if (const auto* result = std::get_if<ToolResultPart>(&part)) {
      out.push_back(
          make_message("tool", Json::string(text_of(*result))).with("tool_call_id", Json::string(result->call_id)));
    }
  }
  // Whatever a tool returned besides its result, such as an image, can only be sent as a user message.
  const std::string_view role = message.role == ModelRole::System ? "system" : "user";
  if (const Json content = encode_content(message.parts)) out.push_back(make_message(role, content));
}

Json encode_openai_tools(const ModelRequest& request) {
  std::vector<Json> out;
  for (const ToolDeclaration& tool : allowed_tools(request)) {
    const Json function = Json::object({{"name", Json::string(tool.name)},
                                        {"description", Json::string(tool.description)},
                                        {"parameters", tool.schema}});
    out.push_back(Json::object({{"type", Json::string("function")}, {"function", function}}));
  }
  return array_or_missing(out);
}

/// As with Anthropic, the wire can force one tool or any, but not one of several.
Json encode_openai_choice(const ToolChoice& choice) {
  switch (choice.mode) {
    case ToolMode::Auto:
      return {};
    case ToolMode::None:
      return Json::string("none");
    case ToolMode::Any:
      break;
  }
  if (choice.allowed.size() != 1) return Json::string("required");
  return Json::object({{"type", Json::string("function")},
                       {"function", Json::object({{"name", Json::string(choice.allowed.front())}})}});
}

std::vector<net::HttpHeader> openai_auth_headers(const Endpoint& endpoint) {
  if (endpoint.api_key.empty()) return {};
  return {{"Authorization", "Bearer " + endpoint.api_key}};
}

/// OpenAI's own server rejects the old name of the limit for newer models; other servers know only the old one.
Json encode_for(const Endpoint& endpoint, const ModelRequest& request) {
  const bool is_own = endpoint.base_url == kDefaultBaseUrl;
  return encode_openai_request(request, is_own ? "max_completion_tokens" : "max_tokens");
}

}  // namespace

Json encode_openai_request(const ModelRequest& request, std::string_view limit_name) {
  std::vector<Json> messages;
  if (!request.system.empty()) messages.push_back(make_message("system", Json::string(request.system)));
  for (const ModelMessage& message : request.messages) append_message(messages, message);
  const Json tools = encode_openai_tools(request);
  return Json::object({{"model", Json::string(request.model)},
                       {"messages", Json::array(messages)},
                       {"stream", Json::boolean(true)},
                       // Streams report their usage only on request.
                       {"stream_options", Json::object({{"include_usage", Json::boolean(true)}})},
                       {"tools", tools},
                       {"tool_choice", tools ? encode_openai_choice(request.tool_choice) : Json()},
                       {limit_name, number_or_missing(request.max_output_tokens)},
                       {"temperature", number_or_missing(request.temperature)},
                       {"top_p", number_or_missing(request.top_p)}});
}

OpenAiDecoder::OpenAiDecoder(ChunkSink on_chunk, CallIdSource make_call_id)
    : builder_(std::move(on_chunk), std::move(make_call_id)) {}

OpenAiDecoder::OpenCall& OpenAiDecoder::find_call(const Json& piece) {
  const auto index = piece["index"].as_integer();
  if (index) {
    const auto found = std::ranges::find(calls_, index, &OpenCall::index);
    return found != calls_.end() ? *found : calls_.emplace_back(OpenCall{index, "", "", ""});
  }
  const bool begins = calls_.empty() || piece["id"].is_string();
  return begins ? calls_.emplace_back() : calls_.back();
}

void OpenAiDecoder::take_call(const Json& piece) {
  OpenCall& call = find_call(piece);
  // Id and name arrive with the first piece, the arguments in all of them.
  if (call.id.empty()) call.id = string_of(piece["id"]);
  if (call.name.empty()) call.name = string_of(piece["function"]["name"]);
  call.input += string_of(piece["function"]["arguments"]);
}

void OpenAiDecoder::take_delta(const Json& delta) {
  // `reasoning_content` is an extension of compatible servers.
  builder_.add_thought(string_of(delta["reasoning_content"]));
  builder_.add_text(string_of(delta["content"]));
  // A refusal has a member of its own, but it is text for the user all the same.
  if (const std::string refusal = string_of(delta["refusal"]); !refusal.empty()) {
    builder_.add_text(refusal);
    is_refusal_ = true;
  }
  for (const Json& piece : delta["tool_calls"].elements()) take_call(piece);
}

Result<void> OpenAiDecoder::take(const net::SseEvent& event) {
  if (event.data == "[DONE]") return {};
  const auto json = parse_event(event);
  if (!json) return std::unexpected(json.error());
  if (const Json error = (*json)["error"]; error && !error.is_null()) {
    return fail_reported(string_of(error["type"]), error.is_string() ? error : error["message"]);
  }
  // The chunk with the usage has no choices; its missing values add nothing.
  const Json choice = (*json)["choices"].at(0);
  take_delta(choice["delta"]);
  if (const Json usage = (*json)["usage"]; usage.is_object()) {
    builder_.set_usage({count_of(usage["prompt_tokens"]), count_of(usage["completion_tokens"])});
  }
  if (const auto word = choice["finish_reason"].as_string()) {
    const auto* const row = std::ranges::find(kOpenAiStopRows, *word, &OpenAiStopRow::word);
    builder_.set_stop(row == kOpenAiStopRows.end() ? StopReason::Other : row->reason);
  }
  return {};
}

Result<ModelResponse> OpenAiDecoder::finish() {
  if (!builder_.has_stop()) return fail(Errc::System, "the stream ended before the answer was complete");
  // Only now are all arguments complete: the wire has no mark for the end of a call.
  for (const OpenCall& call : calls_) builder_.add_call(call.id, call.name, call.input);
  if (is_refusal_) builder_.set_stop(StopReason::Refusal);
  return builder_.finish();
}

const WireFormat kOpenAiFormat{
    .name = "openai",
    .default_base_url = kDefaultBaseUrl,
    .key_variables = {"OPENAI_API_KEY", ""},
    .base_url_variable = "OPENAI_BASE_URL",
    .model_variable = "OPENAI_MODEL",
    .keyless_elsewhere = true,
    .url = [](const Endpoint& endpoint, const ModelRequest&) { return endpoint.base_url + "/chat/completions"; },
    .auth_headers = openai_auth_headers,
    .encode = encode_for,
    .make_decoder = [](ChunkSink on_chunk, CallIdSource make_call_id) -> std::unique_ptr<StreamDecoder> {
      return std::make_unique<OpenAiDecoder>(std::move(on_chunk), std::move(make_call_id));
    },
};

}  // namespace grapnel::llm
