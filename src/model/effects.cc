#include <algorithm>

#include "grapnel/decision.h"

#include "model/effects_json.h"

namespace grapnel {

// Two JSON forms of effects are made here, both for readers outside of the program. `Decision::to_json` is what
// `grapnel fire --json` prints: its main members are always there. `summarize_effects` is for records and has only the
// members that say something. A third form, which can be read back, is in effects_json.cc.

namespace {

std::string join_texts(const std::vector<Attributed>& items, std::string_view separator) {
  std::string out;
  for (const Attributed& item : items) {
    if (!out.empty()) out += separator;
    out += item.text;
  }
  return out;
}

Json texts_to_json(const std::vector<Attributed>& items) {
  std::vector<Json> out;
  out.reserve(items.size());
  for (const Attributed& item : items) {
    out.push_back(Json::object({{"hook", Json::string(item.hook)}, {"text", Json::string(item.text)}}));
  }
  return Json::array(out);
}

Json string_or_null(const std::string& text) {
  return text.empty() ? Json::null() : Json::string(text);
}

/// All changed values in one object, or null. A patch has another key than a replacement, so that readers know what to
/// do.
Json rewrite_to_json(const Effects& effects) {
  std::vector<std::pair<std::string, Json>> parts;
  const auto add = [&](const char* key, const std::optional<Json>& value) {
    if (value) parts.emplace_back(key, *value);
  };
  if (effects.input) {
    parts.emplace_back(effects.input->mode == Rewrite::Mode::Replace ? "input" : "input_patch", effects.input->value);
  }
  add("output", effects.output);
  if (effects.prompt) parts.emplace_back("prompt", Json::string(*effects.prompt));
  if (effects.notification) parts.emplace_back("notification", Json::string(*effects.notification));
  add("model_request", effects.model_request);
  add("model_response", effects.model_response);
  return parts.empty() ? Json::null() : Json::object(parts);
}

Json fate_to_json(const HookFate& fate) {
  return Json::object({{"name", Json::string(fate.name)},
                       {"source", Json::string(fate.source)},
                       {"fate", Json::string(to_string(fate.kind))},
                       {"detail", Json::string(fate.detail)},
                       {"verdict", Json::string(to_string(fate.verdict))},
                       {"would", fate.would ? Json::string(to_string(*fate.would)) : Json()},
                       {"doubt", fate.doubt.empty() ? Json() : Json::string(fate.doubt)},
                       {"milliseconds", Json::number(static_cast<double>(fate.took.count()) / 1000.0)}});
}

Json tool_choice_to_json(const ToolChoice& choice) {
  constexpr std::string_view kModes[] = {"auto", "any", "none"};
  std::vector<Json> names;
  for (const std::string& name : choice.names) names.push_back(Json::string(name));
  return Json::object(
      {{"mode", Json::string(kModes[static_cast<size_t>(choice.mode)])}, {"names", Json::array(names)}});
}

}  // namespace

Json would_to_json(const Would& would) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
  return Json::object({{"verdict", Json::string(to_string(would.verdict))},
                       {"reason", text(would.reason)},
                       {"decided_by", text(would.decided_by)},
                       {"effects", would.effects}});
}

Json loss_to_json(const Degradation& loss) {
  return Json::object(
      {{"effect", Json::string(loss.effect)}, {"to", Json::string(loss.to)}, {"why", Json::string(loss.why)}});
}

Json person_to_json(const PersonAnswer& person) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
  return Json::object({{"answer", Json::string(to_string(person.kind))},
                       {"reason", text(person.reason)},
                       {"pattern", text(person.pattern)},
                       {"by", text(person.by)},
                       {"ms", Json::number(int64_t{person.after.count()})},
                       {"remembered", person.is_remembered ? Json::boolean(true) : Json()}});
}

std::string_view to_string(PersonAnswer::Kind kind) {
  constexpr std::string_view kWords[] = {"deny", "once", "session", "rule", "no-listener", "expired", "left"};
  return kWords[static_cast<size_t>(kind)];
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass:
      return "pass";
    case Verdict::Allow:
      return "allow";
    case Verdict::Ask:
      return "ask";
    case Verdict::Deny:
      return "deny";
  }
  return "";
}

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::NoHook:
      return "no-hook";
    case Origin::Hook:
      return "hook";
    case Origin::FailOpen:
      return "fail-open";
    case Origin::FailAsk:
      return "fail-ask";
    case Origin::FailClosed:
      return "fail-closed";
    case Origin::LoopCap:
      return "loop-cap";
    case Origin::Remembered:
      return "remembered";
    case Origin::Person:
      return "person";
    case Origin::Engine:
      return "engine";
  }
  return "";
}

std::string_view to_string(HookFate::Kind kind) {
  switch (kind) {
    case HookFate::Kind::Ran:
      return "ran";
    case HookFate::Kind::Failed:
      return "failed";
    case HookFate::Kind::Skipped:
      return "skipped";
    case HookFate::Kind::Detached:
      return "detached";
  }
  return "";
}

Json Rewrite::apply(const Json& input) const {
  return mode == Mode::Replace ? value : input.merged(value);
}

/// A replacement makes earlier changes irrelevant. A patch on top of a patch is one larger patch, and a patch on top of
/// a replacement is another replacement.
Rewrite Rewrite::then(const Rewrite& next) const {
  if (next.mode == Mode::Replace) return next;
  return {mode, value.merged(next.value)};
}

/// The modes are declared in order of strictness.
ToolChoice ToolChoice::combined(const ToolChoice& other) const {
  ToolChoice out{std::max(mode, other.mode), {}};
  if (out.mode != Mode::None) std::ranges::set_union(names, other.names, std::back_inserter(out.names));
  return out;
}

bool Effects::is_neutral() const {
  static const Effects nothing;
  return *this == nothing;
}

Json summarize_effects(const Effects& effects) {
  const auto texts = [](const std::vector<Attributed>& items, std::string_view separator) {
    return items.empty() ? Json() : Json::string(join_texts(items, separator));
  };
  const Json rewrite = rewrite_to_json(effects);
  // Only the names of variables: their values may be secret.
  std::vector<Json> names;
  for (const auto& [name, value] : effects.env) names.push_back(Json::string(name));
  const Json all =
      Json::object({{"reason", texts(effects.reasons, "\n")},
                    {"context", texts(effects.context, "\n\n")},
                    {"rewrite", rewrite.is_null() ? Json() : rewrite},
                    {"stop", effects.stop ? Json::boolean(true) : Json()},
                    {"stop_reason", texts(effects.stop_reasons, "\n")},
                    {"messages", texts(effects.messages, "\n")},
                    {"logs", texts(effects.logs, "\n")},
                    {"tool_choice", effects.tool_choice ? tool_choice_to_json(*effects.tool_choice) : Json()},
                    {"tail_call", effects.tail_call.value_or(Json())},
                    {"elicitation", effects.elicitation.value_or(Json())},
                    {"clear_context", effects.clear_context ? Json::boolean(true) : Json()},
                    {"env", names.empty() ? Json() : Json::array(names)}});
  return all.size() == 0 ? Json() : all;
}

std::string Decision::reason() const {
  return join_texts(effects.reasons, "\n");
}
std::string Decision::stop_reason() const {
  return join_texts(effects.stop_reasons, "\n");
}
std::string Decision::context() const {
  return join_texts(effects.context, "\n\n");
}

Json Decision::to_json() const {
  std::vector<Json> fates;
  for (const HookFate& fate : hooks) fates.push_back(fate_to_json(fate));
  std::vector<Json> losses;
  for (const Degradation& loss : degraded) losses.push_back(loss_to_json(loss));
  std::vector<std::pair<std::string, Json>> env;
  for (const auto& [name, value] : effects.env) env.emplace_back(name, Json::string(value));
  return Json::object({{"verdict", Json::string(to_string(effects.verdict))},
                       {"reason", string_or_null(reason())},
                       {"origin", Json::string(to_string(origin))},
                       {"decided_by", string_or_null(decided_by)},
                       {"context", texts_to_json(effects.context)},
                       {"rewrite", rewrite_to_json(effects)},
                       {"stop", Json::boolean(effects.stop)},
                       {"stop_reason", string_or_null(stop_reason())},
                       {"messages", texts_to_json(effects.messages)},
                       {"tool_choice", effects.tool_choice ? tool_choice_to_json(*effects.tool_choice) : Json()},
                       {"tail_call", effects.tail_call.value_or(Json())},
                       {"elicitation", effects.elicitation.value_or(Json())},
                       {"clear_context", effects.clear_context ? Json::boolean(true) : Json()},
                       {"env", env.empty() ? Json() : Json::object(env)},
                       {"degraded", losses.empty() ? Json() : Json::array(losses)},
                       {"would", would ? would_to_json(*would) : Json()},
                       {"person", person ? person_to_json(*person) : Json()},
                       {"event_id", string_or_null(event_id)},
                       {"hooks", Json::array(fates)}});
}

}  // namespace grapnel
