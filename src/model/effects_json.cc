#include "model/effects_json.h"

#include <array>

namespace grapnel {

// The stored form of a decision. Each member of `Effects` has a line in `store_effects` and one in `load_effects`, and
// a new member needs both. Only `data` is left out: callbacks pass it to a host in their own process. Values that are
// missing or false are not written. Loading accepts any JSON and uses defaults for what it does not understand.

namespace {

using Members = std::vector<std::pair<std::string, Json>>;

/// Each text is a pair `[hook, text]`.
Json store_texts(const std::vector<Attributed>& items) {
  if (items.empty()) return {};
  std::vector<Json> out;
  for (const Attributed& item : items) out.push_back(Json::array({Json::string(item.hook), Json::string(item.text)}));
  return Json::array(out);
}

std::vector<Attributed> load_texts(const Json& stored) {
  std::vector<Attributed> out;
  for (const Json& item : stored.elements()) {
    out.push_back({item.at(0).as_string().value_or(""), item.at(1).as_string().value_or("")});
  }
  return out;
}

/// Enumerations are stored as numbers, so their values must keep their order.
template <typename Enum>
Json store_enum(Enum value) {
  return Json::number(static_cast<int64_t>(value));
}

template <typename Enum>
Enum load_enum(const Json& stored, Enum last) {
  const int64_t value = stored.as_integer().value_or(0);
  return value >= 0 && value <= static_cast<int64_t>(last) ? static_cast<Enum>(value) : Enum{};
}

Json store_flag(bool flag) {
  return flag ? Json::boolean(true) : Json();
}
bool load_flag(const Json& stored) {
  return stored.as_bool().value_or(false);
}

Json store_text(const std::optional<std::string>& text) {
  return text ? Json::string(*text) : Json();
}

std::optional<Json> load_value(const Json& stored) {
  return stored ? std::optional<Json>(stored) : std::nullopt;
}

Json store_choice(const std::optional<ToolChoice>& choice) {
  if (!choice) return {};
  std::vector<Json> names;
  for (const std::string& name : choice->names) names.push_back(Json::string(name));
  return Json::array({store_enum(choice->mode), Json::array(names)});
}

std::optional<ToolChoice> load_choice(const Json& stored) {
  if (!stored) return std::nullopt;
  ToolChoice choice{load_enum(stored.at(0), ToolChoice::Mode::None), {}};
  for (const Json& name : stored.at(1).elements()) choice.names.push_back(name.as_string().value_or(""));
  return choice;
}

Json store_effects(const Effects& effects) {
  Members env;
  for (const auto& [name, value] : effects.env) env.emplace_back(name, Json::string(value));
  return Json::object({
      {"verdict", store_enum(effects.verdict)},
      {"reasons", store_texts(effects.reasons)},
      {"context", store_texts(effects.context)},
      {"input", effects.input ? Json::array({store_enum(effects.input->mode), effects.input->value}) : Json()},
      {"output", effects.output.value_or(Json())},
      {"prompt", store_text(effects.prompt)},
      {"notification", store_text(effects.notification)},
      {"model_request", effects.model_request.value_or(Json())},
      {"model_response", effects.model_response.value_or(Json())},
      {"tool_choice", store_choice(effects.tool_choice)},
      {"tail_call", effects.tail_call.value_or(Json())},
      {"elicitation", effects.elicitation.value_or(Json())},
      {"clear_context", store_flag(effects.clear_context)},
      {"stop", store_flag(effects.stop)},
      {"stop_reasons", store_texts(effects.stop_reasons)},
      {"env", env.empty() ? Json() : Json::object(env)},
      {"messages", store_texts(effects.messages)},
      {"logs", store_texts(effects.logs)},
      {"suppress_output", store_flag(effects.suppress_output)},
  });
}

Effects load_effects(const Json& stored) {
  Effects effects;
  effects.verdict = load_enum(stored["verdict"], Verdict::Deny);
  effects.reasons = load_texts(stored["reasons"]);
  effects.context = load_texts(stored["context"]);
  if (const Json input = stored["input"])
    effects.input = Rewrite{load_enum(input.at(0), Rewrite::Mode::Merge), input.at(1)};
  effects.output = load_value(stored["output"]);
  effects.prompt = stored["prompt"].as_string();
  effects.notification = stored["notification"].as_string();
  effects.model_request = load_value(stored["model_request"]);
  effects.model_response = load_value(stored["model_response"]);
  effects.tool_choice = load_choice(stored["tool_choice"]);
  effects.tail_call = load_value(stored["tail_call"]);
  effects.elicitation = load_value(stored["elicitation"]);
  effects.clear_context = load_flag(stored["clear_context"]);
  effects.stop = load_flag(stored["stop"]);
  effects.stop_reasons = load_texts(stored["stop_reasons"]);
  for (const JsonMember& member : stored["env"].members()) {
    effects.env.emplace_back(member.key, member.value.as_string().value_or(""));
  }
  effects.messages = load_texts(stored["messages"]);
  effects.logs = load_texts(stored["logs"]);
  effects.suppress_output = load_flag(stored["suppress_output"]);
  return effects;
}

}  // namespace

Json decision_to_stored(const Decision& decision) {
  return Json::object({{"effects", store_effects(decision.effects)},
                       {"origin", store_enum(decision.origin)},
                       {"decided_by", Json::string(decision.decided_by)},
                       {"event_id", Json::string(decision.event_id)}});
}

Decision decision_from_stored(const Json& stored) {
  Decision decision;
  decision.effects = load_effects(stored["effects"]);
  decision.origin = load_enum(stored["origin"], Origin::Engine);
  decision.decided_by = stored["decided_by"].as_string().value_or("");
  decision.event_id = stored["event_id"].as_string().value_or("");
  return decision;
}

}  // namespace grapnel
