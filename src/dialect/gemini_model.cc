#include "grapnel/gemini_model.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

/// Hooks of Gemini CLI see model requests and responses in a simplified form: only text, in a fixed set of members (see
/// the header). Going back is the difficult direction, because the original has more than the hook saw. The hook's
/// messages and the turns of the original are walked in parallel: the n-th message belongs to the n-th turn that has
/// text. Function calls, images and so on stay in their turns.
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

/// The SDK accepts one item or a list of items as contents. Returns a list in both cases.
std::vector<Json> items_of(const Json& contents) {
  std::vector<Json> items;
  if (contents.is_array()) {
    for (const Json& item : contents.elements()) items.push_back(item);
  } else if (contents && !contents.is_null()) {
    items.push_back(contents);
  }
  return items;
}

/// Whether the item is a turn of the conversation, and not a bare text or part.
bool is_turn(const Json& item) {
  return item["role"].is_string() && item["parts"].is_array();
}

std::string text_of_parts(const Json& parts) {
  std::string text;
  for (const Json& part : parts.elements()) text += part["text"].as_string().value_or("");
  return text;
}

Json text_part(const Json& text) {
  return Json::object({{"text", text}});
}

Json make_turn(const Json& role, const std::vector<Json>& parts) {
  return Json::object({{"role", role.is_string() ? role : Json::string("user")}, {"parts", Json::array(parts)}});
}

/// Hooks know three roles; every other role is `user`.
Json hook_role(const Json& role) {
  const bool is_kept = role.equals_string("model") || role.equals_string("system");
  return is_kept ? role : Json::string("user");
}

/// What a hook sees of one item of the contents; missing if the item has no text. Reading and writing both use this to
/// count messages, so they always agree which turn a message belongs to.
Json message_of(const Json& item) {
  if (item.is_string()) return Json::object({{"role", Json::string("user")}, {"content", item}});
  if (!is_turn(item)) return {};
  const std::string text = text_of_parts(item["parts"]);
  if (text.empty()) return {};
  return Json::object({{"role", hook_role(item["role"])}, {"content", Json::string(text)}});
}

/// An item that no message belongs to, brought into the form of a turn.
Json as_turn(const Json& item) {
  if (item.is_string()) return make_turn({}, {text_part(item)});
  return is_turn(item) ? item : make_turn({}, {item});
}

/// Whether the hook left the message as it was. A message without a role keeps the role of its turn.
bool says_the_same(const Json& message, const Json& other) {
  return message["content"] == other["content"] && (!message["role"] || message["role"] == other["role"]);
}

/// The turn with the hook's text in front; parts that are not text follow in their old order. An unchanged message
/// leaves the turn exactly as it was.
Json edited_turn(const Json& item, const Json& message) {
  if (!message["content"].is_string() || says_the_same(message, message_of(item))) return as_turn(item);
  std::vector<Json> parts = {text_part(message["content"])};
  for (const Json& part : item["parts"].elements()) {
    if (!part["text"]) parts.push_back(part);
  }
  return make_turn(message["role"] ? message["role"] : item["role"], parts);
}

/// The contents with the hook's messages applied. Messages beyond the last turn are appended as new turns; turns beyond
/// the last message stay.
std::vector<Json> apply_messages(const Json& messages, const Json& contents) {
  std::vector<Json> turns;
  size_t next = 0;
  for (const Json& item : items_of(contents)) {
    const bool is_counted = static_cast<bool>(message_of(item));
    if (item.is_object() || item.is_string()) {
      turns.push_back(is_counted && next < messages.size() ? edited_turn(item, messages.at(next)) : as_turn(item));
    }
    if (is_counted) ++next;
  }
  for (; next < messages.size(); ++next) {
    const Json message = messages.at(next);
    if (message["content"].is_string()) turns.push_back(make_turn(message["role"], {text_part(message["content"])}));
  }
  return turns;
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

/// Hooks see parts as plain strings; on the way back both strings and `{"text": …}` are accepted.
Json to_hook_candidate(const Json& candidate) {
  std::vector<Json> texts;
  for (const Json& part : candidate["content"]["parts"].elements()) {
    if (part["text"].is_string()) texts.push_back(part["text"]);
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
  std::vector<Json> messages;
  for (const Json& item : items_of(sdk_request["contents"])) {
    if (const Json message = message_of(item)) messages.push_back(message);
  }
  const Json model = sdk_request["model"];
  return Json::object({{"model", model.is_string() ? model : Json::string(kDefaultModel)},
                       {"messages", Json::array(messages)},
                       {"config", pick(sdk_request["config"], kParameters)}});
}

Json gemini_from_hook_request(const Json& hook_request, const Json& base) {
  const Json start = base.is_object() ? base : Json::object();
  const Json model = hook_request["model"].is_string() ? hook_request["model"] : start["model"];
  const Json messages = hook_request["messages"];
  const Json contents =
      messages.is_array() ? Json::array(apply_messages(messages, start["contents"])) : start["contents"];
  Json out = start.with("model", model.is_string() ? model : Json::string(""));
  out = out.with("contents", contents ? contents : Json::array());
  if (hook_request["config"].is_object())
    out = out.with("config", apply_config(start["config"], hook_request["config"]));
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
