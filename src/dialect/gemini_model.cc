#include "grapnel/gemini_model.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "dialect/gemini_messages.h"

/// Hooks of Gemini CLI see model requests and responses in a simplified form: only text, in a fixed set of members (see
/// the header). Going back is the difficult direction, because the original has more than the hook saw;
/// gemini_messages.h does it for the conversation.
namespace grapnel {

namespace {

/// The model in hook requests that name none, and the members that hooks see of larger objects.
constexpr std::string_view kDefaultModel = "gemini-2.5-flash";
constexpr auto kParameters = std::to_array<std::string_view>({"temperature", "maxOutputTokens", "topP", "topK"});
constexpr auto kCounters =
    std::to_array<std::string_view>({"promptTokenCount", "candidatesTokenCount", "totalTokenCount"});
constexpr auto kRating = std::to_array<std::string_view>({"category", "probability"});

/// The named members of an object, without those that are missing or null.
template <size_t N>
Json pick(const Json& object, const std::array<std::string_view, N>& keys) {
  Json out = Json::object();
  for (const std::string_view key : keys) {
    if (const Json value = object[key]; value && !value.is_null()) out = out.with(key, value);
  }
  return out;
}

Json value_or_missing(const Json& value) {
  return value.is_null() ? Json() : value;
}

Json text_part(const Json& text) {
  return Json::object({{"text", text}});
}

/// The declarations of all functions in the configuration's list of tools. Tools of other kinds run at the provider.
std::vector<Json> declarations_of(const Json& config) {
  std::vector<Json> out;
  for (const Json& tool : config["tools"].elements()) {
    for (const Json& declaration : tool["functionDeclarations"].elements()) out.push_back(declaration);
  }
  return out;
}

/// The declaration that a hook's entry stands for. An entry may be a name alone, or change some members only.
Json declaration_for(const Json& entry, const std::vector<Json>& known) {
  const Json name = entry.is_object() ? entry["name"] : entry;
  if (!name.is_string()) return {};
  const Json changes = entry.is_object() ? entry : Json::object({{"name", name}});
  const auto found = std::ranges::find_if(known, [&](const Json& declaration) { return declaration["name"] == name; });
  return found == known.end() ? changes : found->merged(changes);
}

/// The configuration with exactly the functions that the hook lists.
Json apply_tools(const Json& config, const Json& tools) {
  const std::vector<Json> known = declarations_of(config);
  std::vector<Json> wanted;
  for (const Json& entry : tools.elements()) {
    if (const Json declaration = declaration_for(entry, known)) wanted.push_back(declaration);
  }
  if (Json::array(wanted) == Json::array(known)) return config;
  std::vector<Json> out;
  for (const Json& tool : config["tools"].elements()) {
    if (!tool["functionDeclarations"]) out.push_back(tool);
  }
  if (!wanted.empty()) out.push_back(Json::object({{"functionDeclarations", Json::array(wanted)}}));
  return config.with("tools", out.empty() ? Json() : Json::array(out));
}

/// The model that hooks see. One that the host does not name has the SDK's default name.
Json model_of(const Json& sdk_request) {
  const Json model = sdk_request["model"];
  return model.is_string() && !model.equals_string("") ? model : Json::string(kDefaultModel);
}

/// The configuration with the hook's parameters; null removes a parameter.
Json apply_config(const Json& config, const Json& changes) {
  Json out = config.is_object() ? config : Json::object();
  for (const std::string_view key : kParameters) {
    if (const Json value = changes[key]) out = out.with(key, value_or_missing(value));
  }
  return out;
}

Json ratings_of(const Json& ratings) {
  if (!ratings.is_array()) return {};
  std::vector<Json> out;
  for (const Json& rating : ratings.elements()) out.push_back(pick(rating, kRating));
  return Json::array(out);
}

Json usage_of(const Json& usage) {
  return usage.is_object() ? pick(usage, kCounters) : Json();
}

/// The text of a candidate that a person would see, without the model's thoughts; missing if it has no parts.
Json visible_text(const Json& candidate) {
  const Json parts = candidate["content"]["parts"];
  if (parts.size() == 0) return {};
  std::string text;
  for (const Json& part : parts.elements()) {
    if (part["thought"].as_bool() != true) text += part["text"].as_string().value_or("");
  }
  return Json::string(text);
}

/// The members of a candidate that hooks know, with these parts.
Json candidate_with_parts(const Json& candidate, const std::vector<Json>& parts) {
  return Json::object({{"content", Json::object({{"role", Json::string("model")}, {"parts", Json::array(parts)}})},
                       {"finishReason", value_or_missing(candidate["finishReason"])},
                       {"index", value_or_missing(candidate["index"])},
                       {"safetyRatings", ratings_of(candidate["safetyRatings"])}});
}

/// Hooks see texts as plain strings, and no thoughts; on the way back both strings and `{"text": …}` are accepted.
Json to_hook_candidate(const Json& candidate) {
  std::vector<Json> texts;
  for (const Json& part : candidate["content"]["parts"].elements()) {
    if (part["text"].is_string() && part["thought"].as_bool() != true) texts.push_back(part["text"]);
  }
  return candidate_with_parts(candidate, texts);
}

Json from_hook_candidate(const Json& candidate) {
  std::vector<Json> parts;
  for (const Json& part : candidate["content"]["parts"].elements()) {
    const Json text = part.is_object() ? part["text"] : part;
    if (text.is_string()) parts.push_back(text_part(text));
  }
  return candidate_with_parts(candidate, parts);
}

Json pick_choice(const Json& config) {
  Json out = Json::object();
  if (config["mode"].is_string()) out = out.with("mode", config["mode"]);
  if (config["allowedFunctionNames"].is_array()) out = out.with("allowedFunctionNames", config["allowedFunctionNames"]);
  return out;
}

}  // namespace

Json gemini_to_hook_request(const Json& sdk_request) {
  const std::vector<Json> tools = declarations_of(sdk_request["config"]);
  return Json::object({{"model", model_of(sdk_request)},
                       {"messages", gemini_messages_of(sdk_request["contents"])},
                       {"config", pick(sdk_request["config"], kParameters)},
                       {"tools", tools.empty() ? Json() : Json::array(tools)}});
}

Json gemini_from_hook_request(const Json& hook_request, const Json& base) {
  const Json start = base.is_object() ? base : Json::object();
  const Json model = hook_request["model"];
  const bool is_other_model = model.is_string() && model != model_of(start);
  Json out = start.with("model", is_other_model               ? model
                                 : start["model"].is_string() ? start["model"]
                                                              : Json::string(""));
  const Json messages = hook_request["messages"];
  const Json contents = messages.is_array() ? gemini_contents_of(messages, start["contents"]) : start["contents"];
  out = out.with("contents", contents ? contents : Json::array());
  if (hook_request["config"].is_object())
    out = out.with("config", apply_config(start["config"], hook_request["config"]));
  if (hook_request["tools"].is_array()) {
    const Json config = out["config"].is_object() ? out["config"] : Json::object();
    out = out.with("config", apply_tools(config, hook_request["tools"]));
  }
  return out;
}

Json gemini_to_hook_response(const Json& sdk_response) {
  std::vector<Json> candidates;
  for (const Json& candidate : sdk_response["candidates"].elements())
    candidates.push_back(to_hook_candidate(candidate));
  return Json::object({{"text", visible_text(sdk_response["candidates"].at(0))},
                       {"candidates", Json::array(candidates)},
                       {"usageMetadata", usage_of(sdk_response["usageMetadata"])}});
}

Json gemini_from_hook_response(const Json& hook_response) {
  if (!hook_response["candidates"].is_array()) return {};
  std::vector<Json> candidates;
  for (const Json& candidate : hook_response["candidates"].elements()) {
    if (!candidate["content"]["parts"].is_array()) return {};
    candidates.push_back(from_hook_candidate(candidate));
  }
  const Json text = hook_response["text"];
  return Json::object({{"text", text.is_string() ? text : Json()},
                       {"candidates", Json::array(candidates)},
                       {"usageMetadata", usage_of(hook_response["usageMetadata"])}});
}

Json gemini_to_hook_tool_config(const Json& sdk_tool_config) {
  return sdk_tool_config.is_object() ? pick_choice(sdk_tool_config["functionCallingConfig"]) : Json();
}

Json gemini_from_hook_tool_config(const Json& hook_tool_config) {
  if (!hook_tool_config.is_object()) return {};
  const Json choice = pick_choice(hook_tool_config);
  return choice.size() == 0 ? choice : Json::object({{"functionCallingConfig", choice}});
}

}  // namespace grapnel
