#include "dialect/answer.h"

#include <algorithm>

#include "dialect/degrade.h"
#include "dialect/payload.h"

namespace grapnel {

namespace {

/// The exit code that blocks in every dialect that has no field for a Deny.
constexpr int kDenyExit = 2;

/// The texts joined by the separator; missing if there are none. A missing value is not written.
Json text_or_missing(const std::vector<Attributed>& items, std::string_view separator) {
  if (items.empty()) return {};
  std::string joined;
  for (const Attributed& item : items) {
    if (!joined.empty()) joined += separator;
    joined += item.text;
  }
  return Json::string(joined);
}

Json string_or_missing(const std::optional<std::string>& text) {
  return text ? Json::string(*text) : Json();
}

/// The variables as one object; missing if there are none.
Json env_object(const Effects& effects) {
  if (effects.env.empty()) return {};
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [name, value] : effects.env) members.emplace_back(name, Json::string(value));
  return Json::object(members);
}

/// The word for the verdict; missing for a Pass and for a verdict without a word. Codex expects a word of approval
/// beside every changed input (`rewrite_word`), where it grants nothing.
Json verdict_value(const Effects& effects, const EventRow& row) {
  if (effects.input && !row.verdicts.rewrite_word.empty()) return Json::string(row.verdicts.rewrite_word);
  if (effects.verdict == Verdict::Pass) return {};
  const std::string_view word = word_for(row, effects.verdict);
  return word.empty() ? Json() : Json::string(word);
}

Json true_if(bool condition) {
  return condition ? Json::boolean(true) : Json();
}
Json false_if(bool condition) {
  return condition ? Json::boolean(false) : Json();
}

/// An objection must have a text, because the text is what blocks.
Json objection(const Effects& effects, const Dialect& to) {
  if (effects.verdict != Verdict::Deny) return {};
  const Json reason = text_or_missing(effects.reasons, "\n");
  return reason ? reason : Json::string(to.answer.default_reason);
}

/// The value at the place of one output row; missing if nothing should be written there.
Json value_of(const OutputRow& output, const Effects& effects, const EventRow& row, const Event& event,
              const Dialect& to) {
  switch (output.effect) {
    case Effect::Verdict:
    case Effect::LooseVerdict:
      return verdict_value(effects, row);
    case Effect::DenyIfTrue:
      return true_if(effects.verdict == Verdict::Deny);
    case Effect::DenyIfFalse:
      return false_if(effects.verdict == Verdict::Deny);
    case Effect::Objection:
      return objection(effects, to);
    case Effect::Reason:
      return text_or_missing(effects.reasons, "\n");
    case Effect::Context:
      return text_or_missing(effects.context, to.answer.context_separator);
    // The agent takes the value for the whole input, so a change of single arguments is applied to it first.
    case Effect::InputReplace:
      return effects.input ? effects.input->apply(field_as(event, to, Field::ToolInput)) : Json();
    case Effect::InputMerge:
      return effects.input ? effects.input->value : Json();
    case Effect::Output:
      return effects.output.value_or(Json());
    case Effect::Prompt:
      return string_or_missing(effects.prompt);
    case Effect::Notification:
      return string_or_missing(effects.notification);
    case Effect::ModelRequest:
      return effects.model_request.value_or(Json());
    case Effect::ModelResponse:
      return effects.model_response.value_or(Json());
    case Effect::ToolChoice:
      return effects.tool_choice ? write_tool_choice(*effects.tool_choice, to.answer.tool_choice) : Json();
    case Effect::TailCall:
      return effects.tail_call.value_or(Json());
    case Effect::ElicitationAction:
      return effects.elicitation.value_or(Json())["action"];
    case Effect::ElicitationContent:
      return effects.elicitation.value_or(Json())["content"];
    case Effect::ClearContext:
      return true_if(effects.clear_context);
    case Effect::StopIfFalse:
      return false_if(effects.stop);
    case Effect::StopIfTrue:
      return true_if(effects.stop);
    case Effect::StopReason:
      return text_or_missing(effects.stop_reasons, "\n");
    case Effect::Env:
      return env_object(effects);
    case Effect::Message:
      return text_or_missing(effects.messages, "\n");
    case Effect::Log:
      return text_or_missing(effects.logs, "\n");
    case Effect::SuppressOutput:
      return true_if(effects.suppress_output);
  }
  return {};
}

/// Agents only expect the name of the event in an object that has other members, so it is not written alone.
Json with_event_name(const Json& answer, const Dialect& to, const EventRow& row) {
  const std::string_view pointer = to.answer.event_name_at;
  const Json parent = answer.at_pointer(pointer.substr(0, pointer.rfind('/')));
  if (pointer.empty() || !parent.is_object()) return answer;
  return answer.with_pointer(pointer, Json::string(row.wire_name));
}

}  // namespace

WireAnswer write_answer(const Decision& decision, const Event& event, const Dialect& to) {
  const bool is_own = &event.dialect() == &to;
  // The agent may have several events of this kind. Its own event has the row that its payload names.
  const EventRow* row = is_own ? &row_of(event) : to.find_event(event.kind());
  if (row == nullptr) return {};
  // From here on only effects are left that this event of the agent can express.
  const Effects effects = degrade(decision.effects, *row, field_as(event, to, Field::ToolInput)).effects;
  // No field can express the Deny, so the exit code does, and standard error has the reason.
  if (effects.verdict == Verdict::Deny && row->verdicts.can_deny && !can_say_deny(*row)) {
    const Json reason = text_or_missing(effects.reasons, "\n");
    return {"", reason.as_string().value_or(std::string(to.answer.default_reason)) + "\n", kDenyExit};
  }
  Json answer = Json::object();
  // Pointers are relative to the first root, which is the one that is written.
  const std::string root(to.answer.output_roots.empty() ? std::string_view{} : to.answer.output_roots.front());
  for (const OutputRow& output : row->answer.outputs) {
    if (output.only_read) continue;
    Json value = value_of(output, effects, *row, event, to);
    // The agent expects a string here, whatever the hook wrote.
    if (value && output.as_text && !value.is_string()) value = Json::string(value.dump());
    if (value) answer = answer.with_pointer(root + std::string(output.pointer), value);
  }
  std::string err;
  // Messages that have no place in the answer go to standard error, where people can see them.
  if (written_at(*row, Effect::Message) == nullptr) {
    for (const Attributed& message : effects.messages) err += message.text + "\n";
  }
  // Some agents expect an object even if there is nothing to say.
  if (answer.size() == 0) return {to.answer.silence.empty() ? "" : std::string(to.answer.silence) + "\n", err, 0};
  answer = with_constants(answer, row->answer.constants);
  return {with_event_name(answer, to, *row).dump() + "\n", err, 0};
}

WireAnswer write_own_error(const std::string& message, const Dialect& to) {
  const OwnError& how = to.answer.own_error;
  if (how.object.empty()) return {"", "", how.exit_code};
  const Json object = Json::parse(std::string(how.object)).value_or(Json::object());
  return {object.with_pointer(how.message_at, Json::string(message)).dump() + "\n", "", how.exit_code};
}

Json write_tool_choice(const ToolChoice& choice, const ToolChoiceShape& shape) {
  const std::string_view words[] = {shape.auto_word, shape.any_word, shape.none_word};
  std::vector<Json> names;
  for (const std::string& name : choice.names) names.push_back(Json::string(name));
  return Json::object(
      {{shape.mode_key, Json::string(words[static_cast<size_t>(choice.mode)])}, {shape.names_key, Json::array(names)}});
}

std::optional<ToolChoice> read_tool_choice(const Json& value, const ToolChoiceShape& shape) {
  if (!value.is_object()) return std::nullopt;
  ToolChoice choice;
  const Json mode = value[shape.mode_key];
  if (mode.equals_string(shape.any_word)) {
    choice.mode = ToolChoice::Mode::Any;
  } else if (mode.equals_string(shape.none_word)) {
    choice.mode = ToolChoice::Mode::None;
  } else if (mode && !mode.equals_string(shape.auto_word)) {
    return std::nullopt;
  }
  // If no tool may be called, names have no meaning.
  if (choice.mode == ToolChoice::Mode::None) return choice;
  for (const Json& name : value[shape.names_key].elements()) {
    if (const auto text = name.as_string()) choice.names.push_back(*text);
  }
  // Sorted and unique, as `ToolChoice` requires it.
  std::ranges::sort(choice.names);
  choice.names.erase(std::ranges::unique(choice.names).begin(), choice.names.end());
  return choice;
}

}  // namespace grapnel
