#include "decide/interpret.h"

#include <algorithm>

#include "base/text.h"
#include "decide/output_json.h"
#include "dialect/answer.h"

namespace grapnel {

namespace {

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

/// Reads one hook's JSON object by the output rows of its event.
class ObjectReader {
 public:
  ObjectReader(const HookSpec& hook, const EventRow& row, Answer& answer) : hook_(hook), row_(row), answer_(answer) {}

  void read(const Json& object) {
    const Json root = find_root(object);
    for (const OutputRow& output : row_.outputs) {
      const Json value = root.at_pointer(output.pointer);
      if (value && !value.is_null()) read_row(output, value);
    }
  }

 private:
  Json find_root(const Json& object) const {
    for (const std::string_view pointer : hook_.dialect->output_roots) {
      const Json root = object.at_pointer(pointer);
      if (root.is_object()) return root;
    }
    return object;
  }

  void read_row(const OutputRow& output, const Json& value) {
    Effects& effects = answer_.effects;
    switch (output.effect) {
      case Effect::Verdict:
        return read_verdict(value);
      case Effect::DenyIfTrue:
        return read_gate(output, value, true);
      case Effect::DenyIfFalse:
        return read_gate(output, value, false);
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
      case Effect::ClearContext:
        return read_flag(output, value, true, effects.clear_context);
      case Effect::StopIfFalse:
        return read_flag(output, value, false, effects.stop);
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

  void complain(const OutputRow& output, std::string_view wanted) {
    answer_.complaints.push_back(std::string(output.pointer) + " should be " + std::string(wanted) + "; ignored");
  }

  void read_verdict(const Json& value) {
    const auto word = value.as_string();
    const auto known = word ? std::ranges::find(row_.words, *word, &WordRow::word) : row_.words.end();
    if (known == row_.words.end()) {
      answer_.failure = Failure{Cause::Output, "it answered with an unknown verdict: " + text::cap(value.dump(), 80)};
    } else {
      answer_.effects.verdict = std::max(answer_.effects.verdict, known->verdict);
    }
  }

  void read_gate(const OutputRow& output, const Json& value, bool denies) {
    const auto flag = value.as_bool();
    if (!flag) {
      answer_.failure = Failure{Cause::Output, std::string(output.pointer) + " should be true or false"};
    } else if (*flag == denies) {
      answer_.effects.verdict = Verdict::Deny;
    }
  }

  void read_flag(const OutputRow& output, const Json& value, bool sets, bool& target) {
    const auto flag = value.as_bool();
    if (!flag) return complain(output, "true or false");
    target |= *flag == sets;
  }

  void read_text(const OutputRow& output, const Json& value, std::vector<Attributed>& target) {
    const auto text = value.as_string();
    if (!text) return complain(output, "a string");
    if (!text->empty()) target.push_back({hook_.name, *text});
  }

  void read_context(const OutputRow& output, const Json& value) {
    const auto text = value.as_string();
    if (!text) return complain(output, "a string");
    if (text->empty()) return;
    answer_.effects.context.push_back({hook_.name, hook_.dialect->escape_markup ? escape_markup(*text) : *text});
  }

  void read_string(const OutputRow& output, const Json& value, std::optional<std::string>& target) {
    if (!value.is_string()) return complain(output, "a string");
    target = value.as_string();
  }

  void read_object(const OutputRow& output, const Json& value, std::optional<Json>& target) {
    if (!value.is_object()) return complain(output, "an object");
    if (!output.filled.empty() && value.at_pointer(output.filled).size() == 0) return;
    target = value;
  }

  void read_input(const OutputRow& output, const Json& value, Rewrite::Mode mode) {
    if (!value.is_object()) return complain(output, "an object");
    answer_.effects.input = Rewrite{mode, value};
  }

  void read_choice(const OutputRow& output, const Json& value) {
    answer_.effects.tool_choice = read_tool_choice(value, hook_.dialect->tool_choice);
    if (!answer_.effects.tool_choice) complain(output, "a tool choice");
  }

  void read_env(const OutputRow& output, const Json& value) {
    if (!value.is_object()) return complain(output, "an object of strings");
    for (const JsonMember& member : value.members()) {
      if (const auto text = member.value.as_string()) answer_.effects.env.emplace_back(member.key, *text);
    }
    std::ranges::sort(answer_.effects.env);
  }

  const HookSpec& hook_;
  const EventRow& row_;
  Answer& answer_;
};

ExitMeaning meaning_of(const Dialect& dialect, int code) {
  for (const ExitRow& row : dialect.exits) {
    if (code >= row.from && code <= row.to) return row.meaning;
  }
  return ExitMeaning::Failure;
}

Answer failed(Cause cause, std::string what) {
  Answer answer;
  answer.failure = Failure{cause, std::move(what)};
  return answer;
}

std::string first_of(std::string_view a, std::string_view b) {
  return std::string(a.empty() ? b : a);
}

void read_plain_text(const HookSpec& hook, const EventRow& row, ExitMeaning meaning, const std::string& text,
                     Answer& answer) {
  if (text.empty()) return;
  if (meaning == ExitMeaning::DenyText) {
    answer.effects.verdict = Verdict::Deny;
    answer.effects.reasons.push_back({hook.name, text});
  } else if (meaning == ExitMeaning::Warn) {
    answer.effects.messages.push_back({hook.name, "Warning: " + text});
  } else if (meaning == ExitMeaning::Success && row.text == TextMeaning::Message) {
    answer.effects.messages.push_back({hook.name, text});
  } else if (meaning == ExitMeaning::Success && row.text == TextMeaning::Context) {
    answer.effects.context.push_back({hook.name, text});
  }
}

/// Exit code 2 and its like: blocked, whatever was printed, with the best reason there is.
void apply_deny_exit(const HookSpec& hook, const std::string& out, const std::string& err, Answer& answer) {
  answer.failure.reset();
  answer.effects.verdict = Verdict::Deny;
  if (!answer.effects.reasons.empty()) return;
  const std::string text = first_of(err, out);
  if (!text.empty()) answer.effects.reasons.push_back({hook.name, text});
}

void settle_verdict(const HookSpec& hook, const EventRow& row, Answer& answer) {
  Effects& effects = answer.effects;
  if (effects.verdict == Verdict::Deny && !row.can_deny) {
    answer.complaints.emplace_back("this event cannot be blocked; the reason is shown instead");
    std::ranges::move(effects.reasons, std::back_inserter(effects.messages));
    effects.reasons.clear();
    effects.verdict = Verdict::Pass;
  }
  if (effects.verdict >= Verdict::Ask && effects.reasons.empty()) {
    effects.reasons.push_back({hook.name, std::string(hook.dialect->default_reason)});
  }
  if (effects.stop && effects.stop_reasons.empty()) {
    const bool has_reason = !effects.reasons.empty();
    effects.stop_reasons.push_back(
        {hook.name, has_reason ? effects.reasons.front().text : std::string(hook.dialect->default_reason)});
  }
}

Answer interpret_exit(const HookSpec& hook, const EventRow& row, int code, const RunOutcome& outcome) {
  const Dialect& dialect = *hook.dialect;
  const ExitMeaning meaning = meaning_of(dialect, code);
  const std::string err(text::trim(text::to_valid_utf8(outcome.err.bytes)));
  if (meaning == ExitMeaning::Timeout)
    return failed(Cause::Timeout, "it reports a timeout (" + describe(outcome.ending) + ")");
  if (meaning == ExitMeaning::Failure) {
    return failed(Cause::Exit, describe(outcome.ending) + (err.empty() ? "" : ": " + text::cap(err, 400)));
  }

  Answer answer;
  const bool from_stderr = dialect.stderr_stands_in && text::trim(outcome.out.bytes).empty();
  const Capture& source = from_stderr ? outcome.err : outcome.out;
  const ParsedOutput output = parse_output(source.bytes);
  const bool reads_json = meaning == ExitMeaning::Success || meaning == ExitMeaning::Deny || dialect.json_on_any_exit;
  if (source.dropped > 0 && meaning != ExitMeaning::Deny) {
    answer =
        failed(Cause::Output, "it printed more than the limit (" + std::to_string(source.dropped) + " bytes over)");
  } else if (output.is_broken && meaning == ExitMeaning::Success) {
    answer = failed(Cause::Output, "its output starts like JSON but is none: " + text::cap(output.text, 200));
  } else if (output.object && reads_json) {
    ObjectReader(hook, row, answer).read(output.object);
    if (!output.text.empty()) answer.effects.messages.push_back({hook.name, output.text});
  } else {
    read_plain_text(hook, row, meaning, output.text, answer);
  }
  if (meaning == ExitMeaning::Deny) apply_deny_exit(hook, output.text, err, answer);
  if (answer.failure) answer.effects = {};
  settle_verdict(hook, row, answer);
  return answer;
}

struct InterpretEnding {
  const HookSpec& hook;
  EventKind kind;
  const RunOutcome& outcome;

  Answer operator()(const Exited& e) const {
    const EventRow* row = hook.dialect->find_event(kind);
    if (row == nullptr) return failed(Cause::Output, "its dialect has no such event");
    return interpret_exit(hook, *row, e.code, outcome);
  }
  Answer operator()(const Returned& e) const { return Answer{e.effects, std::nullopt, {}}; }
  Answer operator()(const NotStarted&) const { return failed(Cause::NotStarted, describe(outcome.ending)); }
  Answer operator()(const Signaled&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  Answer operator()(const StatusLost&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  Answer operator()(const Threw&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  Answer operator()(const TimedOut&) const { return failed(Cause::Timeout, describe(outcome.ending)); }
  Answer operator()(const Cancelled&) const { return failed(Cause::Cancelled, describe(outcome.ending)); }
};

}  // namespace

Answer interpret(const HookSpec& hook, EventKind kind, const RunOutcome& outcome) {
  return std::visit(InterpretEnding{hook, kind, outcome}, outcome.ending);
}

}  // namespace grapnel
