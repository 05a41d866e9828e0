#include "decide/read_answer.h"

#include <algorithm>

#include "base/text.h"
#include "decide/capability.h"
#include "decide/hear.h"
#include "dialect/answer.h"
#include "dialect/spoken.h"

namespace grapnel {

namespace {

/// Some agents wrap context in tags of their own. Escaping keeps a hook's text from looking like one of them.
std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

/// The part of the object that contains the answer: the first of the dialect's roots that exists, or the whole object.
Json find_root(const Dialect& dialect, const Json& object) {
  for (const std::string_view pointer : dialect.answer.output_roots) {
    const Json root = object.at_pointer(pointer);
    if (root.is_object()) return root;
  }
  return object;
}

/// Reads one hook's JSON object, row by row.
///
/// Each row names a place and the effect of the value there; rows whose place is empty or null are skipped. There are
/// two ways to react to a wrong value. A wrong verdict makes the hook fail, since it wanted to decide something and its
/// failure policy must apply. Any other wrong value is ignored, and a complaint in the record says so.
class AnswerReader {
 public:
  AnswerReader(const HookSpec& hook, const EventRow& row, HookAnswer& answer)
      : hook_(hook), row_(row), answer_(answer) {}

  /// Members that no row mentions are heard in the words of other dialects. Hooks may print more than that.
  Reading read(const Json& object) {
    const Json root = find_root(*hook_.dialect, object);
    own_.rows = row_.answer.outputs;
    for (const OutputRow& output : row_.answer.outputs) {
      // An agent reads one of the two places. A verdict in the other one was meant all the same, and is not lost.
      Json value = root.at_pointer(output.pointer);
      if (!value) value = object.at_pointer(output.pointer);
      if (!value || value.is_null()) continue;
      own_.effects.insert_or_assign(value.begin_offset(), output.effect);
      read_row(output, value);
    }
    return hear_the_rest(object);
  }

 private:
  /// A verdict in the words of another dialect restricts, and never permits.
  Reading hear_the_rest(const Json& object) {
    const Heard heard = hear(row_.kind, object, own_);
    Effects& effects = answer_.effects;
    if (heard.verdict >= Verdict::Ask) {
      if (heard.verdict > effects.verdict) {
        effects.verdict = heard.verdict;
        answer_.complaints.push_back(heard.place + " is no place or word for a verdict in this dialect; it counts");
      }
      if (effects.reasons.empty() && !heard.reason.empty()) effects.reasons.push_back({hook_.name, heard.reason});
    }
    const bool has_verdict = own_.is_decided || heard.has_verdict;
    const bool explains_nothing = heard.has_reason && heard.has_unknown;
    return {.has_verdict = has_verdict,
            .has_known = heard.has_known,
            .has_unknown = heard.has_unknown && !heard.has_known,
            .is_doubtful = heard.is_doubtful || explains_nothing};
  }

  void read_row(const OutputRow& output, const Json& value) {
    Effects& effects = answer_.effects;
    switch (output.effect) {
      case Effect::Verdict:
        return read_verdict(output, value);
      case Effect::LooseVerdict:
        return read_loose_verdict(output, value);
      case Effect::DenyIfTrue:
        return read_gate(output, value, true);
      case Effect::DenyIfFalse:
        return read_gate(output, value, false);
      case Effect::Objection:
        return read_objection(output, value);
      case Effect::Reason:
        return read_text(output, value, effects.reasons);
      case Effect::Context:
        return read_context(output, value);
      case Effect::InputReplace:
        return read_input(output, value, Rewrite::Mode::Replace);
      case Effect::InputMerge:
        return read_input(output, value, Rewrite::Mode::Merge);
      case Effect::Output:
        effects.output = value;
        return;
      case Effect::Prompt:
        return read_string(output, value, effects.prompt);
      case Effect::Notification:
        return read_string(output, value, effects.notification);
      case Effect::ModelRequest:
        return read_object(output, value, effects.model_request);
      case Effect::ModelResponse:
        return read_object(output, value, effects.model_response);
      case Effect::ToolChoice:
        return read_choice(output, value);
      case Effect::TailCall:
        return read_object(output, value, effects.tail_call);
      case Effect::ElicitationAction:
        return read_reply(output, value, "action", value.is_string());
      case Effect::ElicitationContent:
        return read_reply(output, value, "content", value.is_object());
      case Effect::ClearContext:
        return read_flag(output, value, true, effects.clear_context);
      case Effect::StopIfFalse:
        return read_stop(output, value, false);
      case Effect::StopIfTrue:
        return read_stop(output, value, true);
      case Effect::StopReason:
        return read_text(output, value, effects.stop_reasons);
      case Effect::Env:
        return read_env(output, value);
      case Effect::Message:
        return read_text(output, value, effects.messages);
      case Effect::Log:
        return read_text(output, value, effects.logs);
      case Effect::SuppressOutput:
        return read_flag(output, value, true, effects.suppress_output);
    }
  }

  void complain(const OutputRow& output, std::string_view wanted, std::string_view then = "ignored") {
    answer_.complaints.push_back(std::string(output.pointer) + " should be " + std::string(wanted) + "; " +
                                 std::string(then));
  }

  /// The row of a verdict word, or the end if the value is not a word that this event knows.
  auto find_word(const Json& value) const {
    const auto word = value.as_string();
    return word ? std::ranges::find(row_.answer.words, *word, &WordRow::word) : row_.answer.words.end();
  }

  /// Whether another row finds a verdict inside this value. `decision` may be a word or an object with a `behavior`;
  /// each form has a row, and the row for the word must not complain about the object.
  bool is_read_deeper(const OutputRow& output, const Json& value) const {
    return value.is_object() && std::ranges::any_of(row_.answer.outputs, [&](const OutputRow& other) {
             const bool is_verdict = other.effect == Effect::Verdict || other.effect == Effect::LooseVerdict;
             return is_verdict && other.pointer.starts_with(std::string(output.pointer) + "/");
           });
  }

  /// A verdict in an undocumented place may restrict, but it must not permit anything.
  void read_loose_verdict(const OutputRow& output, const Json& value) {
    const auto known = find_word(value);
    if (is_read_deeper(output, value)) return;
    if (known == row_.answer.words.end()) return read_other_word(output, value);
    own_.is_decided = true;
    if (known->verdict < Verdict::Ask) {
      answer_.complaints.push_back(std::string(output.pointer) +
                                   " is not a documented place for a verdict and cannot permit anything; ignored");
    } else {
      answer_.effects.verdict = std::max(answer_.effects.verdict, known->verdict);
    }
  }

  /// A hook may write its verdict in several places; the strictest one counts.
  void read_verdict(const OutputRow& output, const Json& value) {
    const auto known = find_word(value);
    if (is_read_deeper(output, value)) return;
    if (known == row_.answer.words.end()) return read_other_word(output, value);
    own_.is_decided = true;
    answer_.effects.verdict = std::max(answer_.effects.verdict, known->verdict);
  }

  /// A word that this event of the dialect does not have, although others do: `DENY`, `rejected`. It restricts, but
  /// does not permit. An empty word says nothing.
  void read_other_word(const OutputRow& output, const Json& value) {
    const auto word = value.as_string();
    if (word && word->empty()) return;
    const auto verdict = word ? spoken_word(*word) : std::nullopt;
    const bool asks_in_vain = verdict == Verdict::Ask && !capability(row_.kind).can_ask;
    if (!verdict || asks_in_vain) return fail_unknown(value);
    own_.is_decided = true;
    const bool restricts = *verdict >= Verdict::Ask;
    answer_.complaints.push_back(std::string(output.pointer) + " has no word '" + text::cap(*word, 40) + "' here; " +
                                 (restricts ? "it counts" : "it permits nothing"));
    if (restricts) answer_.effects.verdict = std::max(answer_.effects.verdict, *verdict);
  }

  /// A hook that tries to decide something in words that nobody knows has failed.
  void fail_unknown(const Json& value) {
    answer_.failure = Failure{Cause::Output, "it answered with an unknown verdict: " + text::cap(value.dump(), 80)};
  }

  /// An empty objection is no objection.
  void read_objection(const OutputRow& output, const Json& value) {
    read_text(output, value, answer_.effects.reasons);
    if (!answer_.effects.reasons.empty()) answer_.effects.verdict = Verdict::Deny;
  }

  /// A boolean that blocks if it equals `denies`. If it does not, it leaves the decision to others.
  void read_gate(const OutputRow& output, const Json& value, bool denies) {
    const auto flag = read_decision_flag(output, value);
    if (!flag) return;
    if (*flag != denies) return;
    own_.is_decided = true;
    answer_.effects.verdict = Verdict::Deny;
  }

  /// A flag can only be switched on: another place or object cannot take it back.
  void read_stop(const OutputRow& output, const Json& value, bool stops) {
    answer_.effects.stop |= read_decision_flag(output, value) == stops;
  }

  /// A boolean that decides something. Some hooks write it as a text or a number; anything else is a failure.
  std::optional<bool> read_decision_flag(const OutputRow& output, const Json& value) {
    const auto flag = spoken_flag(value);
    if (!flag) answer_.failure = Failure{Cause::Output, std::string(output.pointer) + " should be true or false"};
    if (flag && !value.as_bool()) complain(output, "true or false", *flag ? "read as true" : "read as false");
    return flag;
  }

  void read_flag(const OutputRow& output, const Json& value, bool sets, bool& target) {
    const auto flag = value.as_bool();
    if (!flag) return complain(output, "true or false");
    target |= *flag == sets;
  }

  /// Adds a text under the name of the hook.
  void read_text(const OutputRow& output, const Json& value, std::vector<Attributed>& target) {
    const auto text = value.as_string();
    if (!text) return complain(output, "a string");
    const Attributed said{hook_.name, *text};
    const bool is_new = std::ranges::find(target, said) == target.end();  // some dialects repeat a text in two places
    if (!text->empty() && is_new) target.push_back(said);
  }

  void read_context(const OutputRow& output, const Json& value) {
    const auto text = value.as_string();
    if (!text) return complain(output, "a string");
    if (text->empty()) return;
    const Attributed said{hook_.name, hook_.dialect->answer.escape_markup ? escape_markup(*text) : *text};
    auto& target = answer_.effects.context;
    if (std::ranges::find(target, said) == target.end()) target.push_back(said);
  }

  void read_string(const OutputRow& output, const Json& value, std::optional<std::string>& target) {
    if (!value.is_string()) return complain(output, "a string");
    target = value.as_string();
  }

  void read_object(const OutputRow& output, const Json& value, std::optional<Json>& target) {
    if (!value.is_object()) return complain(output, "an object");
    // An object whose list of contents is empty would replace the value with nothing, so it counts as absent.
    if (!output.filled.empty() && value.at_pointer(output.filled).size() == 0) return;
    target = value;
  }

  /// A part of the answer for a tool server; the parts stand beside each other in the output.
  void read_reply(const OutputRow& output, const Json& value, std::string_view key, bool is_right) {
    if (!is_right) return complain(output, key == "action" ? "a string" : "an object");
    answer_.effects.elicitation = answer_.effects.elicitation.value_or(Json::object()).with(key, value);
  }

  void read_input(const OutputRow& output, const Json& value, Rewrite::Mode mode) {
    if (!value.is_object()) return complain(output, "an object");
    answer_.effects.input = Rewrite{mode, value};
  }

  void read_choice(const OutputRow& output, const Json& value) {
    answer_.effects.tool_choice = read_tool_choice(value, hook_.dialect->answer.tool_choice);
    if (!answer_.effects.tool_choice) complain(output, "a tool choice");
  }

  /// Values that are not strings are skipped, since an environment has no others.
  void read_env(const OutputRow& output, const Json& value) {
    if (!value.is_object()) return complain(output, "an object of strings");
    for (const JsonMember& member : value.members()) {
      if (const auto text = member.value.as_string()) answer_.effects.env.emplace_back(member.key, *text);
    }
    // `Effects::env` is sorted by name.
    std::ranges::sort(answer_.effects.env);
  }

  const HookSpec& hook_;
  const EventRow& row_;
  HookAnswer& answer_;
  OwnReading own_;
};

}  // namespace

Reading read_answer(const HookSpec& hook, const EventRow& row, const Json& object, HookAnswer& answer) {
  return AnswerReader(hook, row, answer).read(object);
}

bool holds_answer(const HookSpec& hook, const EventRow& row, const Json& object) {
  const Json root = find_root(*hook.dialect, object);
  const auto is_there = [&](const OutputRow& output) { return static_cast<bool>(root.at_pointer(output.pointer)); };
  return std::ranges::any_of(row.answer.outputs, is_there);
}

bool says_no(const HookSpec& hook, const EventRow& row, const Json& object) {
  HookAnswer said;
  read_answer(hook, row, object, said);
  return said.effects.verdict >= Verdict::Ask || said.effects.stop;
}

}  // namespace grapnel
