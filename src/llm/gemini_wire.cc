#include "llm/gemini_wire.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "llm/json_fields.h"

namespace grapnel::llm {

namespace {

/// A row maps a finish reason of the API to ours; a word without a row is read as `Other`.
struct FinishRow {
  std::string_view word;
  StopReason reason;
};
/// For writing, the first row of a reason is used. Stopping for tool calls has no word of its own.
constexpr auto kFinishRows = std::to_array<FinishRow>({
    {"STOP", StopReason::EndTurn},
    {"STOP", StopReason::ToolCalls},
    {"MAX_TOKENS", StopReason::MaxTokens},
    {"SAFETY", StopReason::Refusal},
    {"RECITATION", StopReason::Refusal},
    {"BLOCKLIST", StopReason::Refusal},
    {"PROHIBITED_CONTENT", StopReason::Refusal},
    {"SPII", StopReason::Refusal},
    {"IMAGE_SAFETY", StopReason::Refusal},
    {"OTHER", StopReason::Other},
});

/// A row maps a function calling mode of the API to ours. Every mode of ours needs a row.
struct ModeRow {
  std::string_view word;
  ToolMode mode;
};
constexpr auto kModeRows = std::to_array<ModeRow>({
    {"AUTO", ToolMode::Auto},
    {"ANY", ToolMode::Any},
    {"NONE", ToolMode::None},
});

/// One overload per kind of part; `from_gemini_part` is the inverse.
Json to_json(const TextPart& part) {
  return Json::object({{"text", Json::string(part.text)}});
}

Json to_json(const ThoughtPart& part) {
  return Json::object({{"text", Json::string(part.text)},
                       {"thought", Json::boolean(true)},
                       {"thoughtSignature", text_or_missing(part.signature)}});
}

Json to_json(const ImagePart& part) {
  return Json::object(
      {{"inlineData", Json::object({{"mimeType", Json::string(part.media_type)}, {"data", Json::string(part.data)}})}});
}

Json to_json(const ToolCallPart& part) {
  const Json call = Json::object({{"id", text_or_missing(part.id)},
                                  {"name", Json::string(part.name)},
                                  {"args", part.input ? part.input : Json::object()}});
  return Json::object({{"functionCall", call}, {"thoughtSignature", text_or_missing(part.signature)}});
}

Json to_json(const ToolResultPart& part) {
  // The SDK wants an object. The content is always wrapped, so that an object comes back unchanged.
  const Json content = part.content ? part.content : Json::string("");
  const Json response = Json::object({{part.is_error ? "error" : "output", content}});
  return Json::object({{"functionResponse", Json::object({{"id", text_or_missing(part.call_id)},
                                                          {"name", Json::string(part.name)},
                                                          {"response", response}})}});
}

/// The inverse of the wrapping above. A response that has other members is not one of ours and stays as it is.
ToolResultPart read_result(const Json& value) {
  ToolResultPart result{string_of(value["id"]), string_of(value["name"]), value["response"], false};
  if (result.content.size() != 1) return result;
  if (const Json error = result.content["error"]) {
    result.content = error;
    result.is_error = true;
  } else if (const Json output = result.content["output"]) {
    result.content = output;
  }
  return result;
}

/// Tool results are sent in the user's name: the wire has no role for tools.
std::string_view role_word(ModelRole role) {
  switch (role) {
    case ModelRole::Assistant:
      return "model";
    case ModelRole::System:
      return "system";
    case ModelRole::User:
    case ModelRole::Tool:
      break;
  }
  return "user";
}

/// One message in the API's form.
Json to_content(std::string_view role, const std::vector<ModelPart>& parts) {
  std::vector<Json> out;
  for (const ModelPart& part : parts) out.push_back(to_gemini_part(part));
  return Json::object({{"role", Json::string(role)}, {"parts", Json::array(out)}});
}

/// Skips parts of an unknown kind.
std::vector<ModelPart> read_parts(const Json& parts) {
  std::vector<ModelPart> out;
  for (const Json& part : parts.elements()) {
    if (auto read = from_gemini_part(part)) out.push_back(std::move(*read));
  }
  return out;
}

/// The wire sends tool results in the user's name; a message that has one gets the role Tool again.
bool has_result(const std::vector<ModelPart>& parts) {
  return std::ranges::any_of(parts, [](const ModelPart& p) { return std::holds_alternative<ToolResultPart>(p); });
}

ModelMessage read_content(const Json& content) {
  ModelMessage message{ModelRole::User, read_parts(content["parts"])};
  if (content["role"].equals_string("model")) {
    message.role = ModelRole::Assistant;
  } else if (content["role"].equals_string("system")) {
    message.role = ModelRole::System;
  } else if (has_result(message.parts)) {
    message.role = ModelRole::Tool;
  }
  return message;
}

/// A system instruction may be a string, a part or a content.
std::string read_system(const Json& instruction) {
  if (instruction.is_string()) return string_of(instruction);
  if (instruction["text"].is_string()) return string_of(instruction["text"]);
  return text_of(read_parts(instruction["parts"]));
}

/// Unknown modes count as `AUTO`, the wire's own default.
ToolChoice read_tool_config(const Json& config) {
  const Json calling = config["functionCallingConfig"];
  ToolChoice choice;
  for (const ModeRow& row : kModeRows) {
    if (calling["mode"].equals_string(row.word)) choice.mode = row.mode;
  }
  for (const Json& name : calling["allowedFunctionNames"].elements()) {
    if (name.is_string()) choice.allowed.push_back(string_of(name));
  }
  return choice;
}

/// The API reports the sum as well.
Json usage_of(const ModelUsage& usage) {
  return Json::object({{"promptTokenCount", Json::number(usage.input_tokens)},
                       {"candidatesTokenCount", Json::number(usage.output_tokens)},
                       {"totalTokenCount", Json::number(usage.input_tokens + usage.output_tokens)}});
}

/// The `candidates` of a response. A missing finish reason is left out, as in all chunks but the last.
Json one_candidate(const std::vector<ModelPart>& parts, const Json& finish) {
  return Json::array({Json::object(
      {{"content", to_content("model", parts)}, {"finishReason", finish}, {"index", Json::number(int64_t{0})}})});
}

bool is_call(const ModelPart& part) {
  return std::holds_alternative<ToolCallPart>(part);
}

bool is_thought(const ModelPart& part) {
  return std::holds_alternative<ThoughtPart>(part);
}

/// The functions in a list of tools. Tools of other kinds are not ours.
std::vector<ToolDeclaration> read_tools(const Json& tools) {
  std::vector<ToolDeclaration> out;
  for (const Json& tool : tools.elements()) {
    for (const Json& declaration : tool["functionDeclarations"].elements()) {
      const Json schema = declaration["parametersJsonSchema"];
      out.push_back({string_of(declaration["name"]), string_of(declaration["description"]),
                     schema ? schema : declaration["parameters"]});
    }
  }
  return out;
}

}  // namespace

Json to_gemini_part(const ModelPart& part) {
  return std::visit([](const auto& p) { return to_json(p); }, part);
}

std::optional<ModelPart> from_gemini_part(const Json& part) {
  if (const Json call = part["functionCall"]; call.is_object()) {
    const Json args = call["args"].is_object() ? call["args"] : Json::object();
    return ToolCallPart{string_of(call["id"]), string_of(call["name"]), args, string_of(part["thoughtSignature"])};
  }
  if (const Json result = part["functionResponse"]; result.is_object()) return read_result(result);
  if (const Json image = part["inlineData"]; image.is_object()) {
    return ImagePart{string_of(image["mimeType"]), string_of(image["data"])};
  }
  // The kind of a part shows in the member that it has; a thought is a text with a flag.
  if (!part["text"].is_string()) return std::nullopt;
  if (part["thought"].as_bool() == true) {
    return ThoughtPart{string_of(part["text"]), string_of(part["thoughtSignature"])};
  }
  return TextPart{string_of(part["text"])};
}

Json to_gemini_tools(const std::vector<ToolDeclaration>& tools) {
  if (tools.empty()) return {};
  std::vector<Json> declarations;
  for (const ToolDeclaration& tool : tools) {
    declarations.push_back(Json::object({{"name", Json::string(tool.name)},
                                         {"description", Json::string(tool.description)},
                                         {"parametersJsonSchema", tool.schema}}));
  }
  return Json::array({Json::object({{"functionDeclarations", Json::array(declarations)}})});
}

/// Missing for the default choice, so that the request does not mention it.
Json to_gemini_tool_config(const ToolChoice& choice) {
  if (choice == ToolChoice{}) return {};
  const auto* const row = std::ranges::find(kModeRows, choice.mode, &ModeRow::mode);
  std::vector<Json> names;
  for (const std::string& name : choice.allowed) names.push_back(Json::string(name));
  return Json::object({{"functionCallingConfig", Json::object({{"mode", Json::string(row->word)},
                                                               {"allowedFunctionNames", array_or_missing(names)}})}});
}

std::string_view to_gemini_finish(StopReason reason) {
  return std::ranges::find(kFinishRows, reason, &FinishRow::reason)->word;
}

StopReason from_gemini_finish(std::string_view word) {
  const auto* const row = std::ranges::find(kFinishRows, word, &FinishRow::word);
  return row == kFinishRows.end() ? StopReason::Other : row->reason;
}

/// Thoughts are billed as output, but counted separately by the API.
ModelUsage from_gemini_usage(const Json& usage) {
  return {count_of(usage["promptTokenCount"]),
          count_of(usage["candidatesTokenCount"]) + count_of(usage["thoughtsTokenCount"])};
}

Json to_gemini_request(const ModelRequest& request) {
  std::vector<Json> contents;
  for (const ModelMessage& message : request.messages) {
    contents.push_back(to_content(role_word(message.role), message.parts));
  }
  const Json config = Json::object({{"systemInstruction", text_or_missing(request.system)},
                                    {"tools", to_gemini_tools(request.tools)},
                                    {"toolConfig", to_gemini_tool_config(request.tool_choice)},
                                    {"temperature", number_or_missing(request.temperature)},
                                    {"topP", number_or_missing(request.top_p)},
                                    {"topK", number_or_missing(request.top_k)},
                                    {"maxOutputTokens", number_or_missing(request.max_output_tokens)}});
  return Json::object(
      {{"model", Json::string(request.model)}, {"contents", Json::array(contents)}, {"config", config}});
}

ModelRequest from_gemini_request(const Json& sdk_request, const ModelRequest& base) {
  ModelRequest request = base;
  if (sdk_request["model"].is_string()) request.model = string_of(sdk_request["model"]);
  if (const Json contents = sdk_request["contents"]; contents.is_array()) {
    request.messages.clear();
    for (const Json& content : contents.elements()) request.messages.push_back(read_content(content));
    // Hooks may return contents that have no part we know. An empty message would be refused by most servers.
    std::erase_if(request.messages, [](const ModelMessage& message) { return message.parts.empty(); });
  }
  const Json config = sdk_request["config"];
  if (config["systemInstruction"]) request.system = read_system(config["systemInstruction"]);
  // From here on a missing member means "unset", so that hooks can remove a parameter or all tools.
  if (config.is_object()) request.tools = read_tools(config["tools"]);
  request.tool_choice = read_tool_config(config["toolConfig"]);
  request.temperature = config["temperature"].as_number();
  request.top_p = config["topP"].as_number();
  request.top_k = config["topK"].as_integer();
  request.max_output_tokens = config["maxOutputTokens"].as_integer();
  return request;
}

Json to_gemini_response(const ModelResponse& response) {
  return Json::object(
      {{"candidates", one_candidate(response.parts, Json::string(to_gemini_finish(response.stop_reason)))},
       {"usageMetadata", usage_of(response.usage)}});
}

Json to_gemini_response(const ModelChunk& chunk) {
  if (const auto* text = std::get_if<TextDelta>(&chunk)) {
    const ModelPart part = text->is_thought ? ModelPart(ThoughtPart{text->text, ""}) : ModelPart(TextPart{text->text});
    return Json::object({{"candidates", one_candidate({part}, {})}});
  }
  if (const auto* call = std::get_if<ToolCallPart>(&chunk)) {
    return Json::object({{"candidates", one_candidate({*call}, {})}});
  }
  // A chunk that only reports usage has no candidate.
  if (const auto* usage = std::get_if<ModelUsage>(&chunk)) {
    return Json::object({{"candidates", Json::array()}, {"usageMetadata", usage_of(*usage)}});
  }
  const Json finish = Json::string(to_gemini_finish(std::get<StopReason>(chunk)));
  return Json::object({{"candidates", one_candidate({}, finish)}});
}

ModelResponse from_gemini_response(const Json& sdk_response, const ModelResponse& base) {
  const Json candidate = sdk_response["candidates"].at(0);
  if (!candidate) return base;
  ModelResponse response = base;
  response.parts = read_parts(candidate["content"]["parts"]);
  // Hooks see neither thoughts nor calls, so an answer without any does not mean that these should go.
  if (std::ranges::none_of(response.parts, is_thought)) {
    std::vector<ModelPart> thoughts;
    std::ranges::copy_if(base.parts, std::back_inserter(thoughts), is_thought);
    response.parts.insert(response.parts.begin(), thoughts.begin(), thoughts.end());
  }
  if (std::ranges::none_of(response.parts, is_call))
    std::ranges::copy_if(base.parts, std::back_inserter(response.parts), is_call);
  if (const Json finish = candidate["finishReason"]; finish.is_string()) {
    response.stop_reason = from_gemini_finish(string_of(finish));
  }
  const bool calls = std::ranges::any_of(response.parts, is_call);
  // The API says `STOP` in both cases.
  if (response.stop_reason == StopReason::EndTurn && calls) response.stop_reason = StopReason::ToolCalls;
  if (const Json usage = sdk_response["usageMetadata"]; usage.is_object()) response.usage = from_gemini_usage(usage);
  return response;
}

}  // namespace grapnel::llm
