#include "decide/interpret.h"

#include <algorithm>

#include "base/text.h"
#include "decide/hear.h"
#include "decide/output_json.h"
#include "decide/read_answer.h"
#include "decide/read_judgement.h"

namespace grapnel {

namespace {

/// How many bytes at the end of a program's output become the reason why a gate stays closed.
constexpr size_t kMaxTail = 2000;
/// How many bytes of what a hook printed explain why it failed.
constexpr size_t kMaxExplanation = 400;

/// The meaning of an exit code. If the event has rows of its own, they replace those of the dialect altogether. A code
/// that is in no row is a failure.
ExitMeaning meaning_of(const Dialect& dialect, const EventRow& event, int code, Asker asker) {
  for (const ExitRow& row : event.exit.codes.empty() ? dialect.exit.codes : event.exit.codes) {
    if (code < row.from || code > row.to) continue;
    return asker == Asker::BridgedAgent ? row.in_bridge.value_or(row.meaning) : row.meaning;
  }
  return ExitMeaning::Failure;
}

HookAnswer failed(Cause cause, std::string what) {
  HookAnswer answer;
  answer.failure = Failure{cause, std::move(what)};
  return answer;
}

std::string first_of(std::string_view a, std::string_view b) {
  return std::string(a.empty() ? b : a);
}

/// A command of a rule with `inject` prints context, whatever plain text means at the event otherwise.
TextMeaning meaning_of_text(const HookSpec& hook, const EventRow& row) {
  const CommandHandler* command = hook.command();
  return command != nullptr && command->inject ? TextMeaning::Context : row.exit.text;
}

/// Gives plain text the effect that the exit code and the event assign to it. Text without a meaning is dropped.
void read_plain_text(const HookSpec& hook, const EventRow& row, ExitMeaning meaning, const std::string& text,
                     HookAnswer& answer) {
  if (text.empty()) return;
  const TextMeaning text_is = meaning_of_text(hook, row);
  if (meaning == ExitMeaning::DenyText) {
    answer.effects.verdict = Verdict::Deny;
    answer.effects.reasons.push_back({hook.name, text});
  } else if (meaning == ExitMeaning::Success && text_is == TextMeaning::Message) {
    answer.effects.messages.push_back({hook.name, text});
  } else if (meaning == ExitMeaning::Success && text_is == TextMeaning::Context) {
    // `inject` may limit the text of this rule; without a budget only the limit of the whole decision applies.
    const size_t budget = hook.command() != nullptr && hook.command()->inject ? hook.command()->inject->budget : 0;
    answer.effects.context.push_back({hook.name, budget == 0 ? text : text::cap(text, budget)});
  } else if (meaning == ExitMeaning::Success && text_is == TextMeaning::Log) {
    answer.error = "its output is not JSON: " + text::cap(text, 200);
  }
}

/// The reason in a JSON answer that was printed to standard error, or the text as it is.
std::string reason_in(const HookSpec& hook, const EventRow& row, std::string text) {
  const ParsedOutput output = parse_output(text);
  if (!output.object || !holds_answer(hook, row, output.object)) return text;
  HookAnswer said;
  read_answer(hook, row, output.object, said);
  return said.effects.reasons.empty() ? text : said.effects.reasons.front().text;
}

/// An exit code that blocks, such as 2: the event is denied, whatever else was printed. The reason comes from the JSON
/// answer if the dialect reads JSON with any exit code or if standard error is empty; otherwise from standard error, or
/// from standard output if that is all there is.
void apply_deny_exit(const HookSpec& hook, const std::string& out, const std::string& err, HookAnswer& answer) {
  answer.failure.reset();
  answer.effects.verdict = Verdict::Deny;
  const bool json_first = hook.dialect->exit.json_on_any_exit || err.empty();
  if (!answer.effects.reasons.empty() && json_first) return;
  const std::string text = first_of(err, out);
  if (!text.empty()) answer.effects.reasons = {{hook.name, text}};
}

/// A captured stream as valid UTF-8, without white space at both ends.
std::string whole_text(const Capture& capture) {
  return std::string(text::trim(text::to_valid_utf8(capture.bytes)));
}

/// The last `kMaxTail` bytes of a text. The cut is moved to the next start of a line if there is one.
std::string tail_of(const std::string& text) {
  if (text.size() <= kMaxTail) return text;
  size_t start = text.size() - kMaxTail;
  const size_t line = text.find('\n', start);
  if (line != std::string::npos && line + 1 < text.size()) start = line + 1;
  // Without a line break the cut may be inside a UTF-8 character: skip its continuation bytes.
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) ++start;
  return "…\n" + text.substr(start);
}

/// Any program can guard a gate, for example a test run that knows nothing about hooks. Such a program prints what went
/// wrong at the end of its output, so the last lines become the reason.
void apply_tail_exit(const HookSpec& hook, const RunOutcome& outcome, HookAnswer& answer) {
  answer.failure.reset();
  answer.effects.verdict = Verdict::Deny;
  if (!answer.effects.reasons.empty()) return;
  const std::string out = whole_text(outcome.out);
  const std::string err = whole_text(outcome.err);
  const std::string all = out + (out.empty() || err.empty() ? "" : "\n") + err;
  const std::string reason = all.empty() ? hook.name + ": " + describe(outcome.ending) : tail_of(all);
  answer.effects.reasons = {{hook.name, reason}};
}

/// Splits the output into JSON and text. Where plain text is context, output that is not an answer is context as a
/// whole: a report that happens to be JSON, a number, half a file. Dialects with `braces_are_json` make an exception
/// for text in braces, which is always JSON there.
ParsedOutput read_output(const HookSpec& hook, const EventRow& row, const Capture& source) {
  if (meaning_of_text(hook, row) != TextMeaning::Context) return parse_output(source.bytes);
  ParsedOutput output = parse_output(source.bytes);
  const bool answers = output.object && (holds_answer(hook, row, output.object) || says_no(hook, row, output.object));
  if (answers) return output;
  const std::string text = whole_text(source);
  const bool looks_like_json = text.starts_with('{') && text.ends_with('}');
  if (hook.dialect->exit.braces_are_json && looks_like_json) return output;
  return {.text = text};
}

/// Whether a hook whose exit code means `FailureUnlessJson` answered in JSON. For a hook that should block if it fails,
/// the exit code decides: its answer is not used.
bool is_answer_after_all(const HookSpec& hook, const EventRow& row, const RunOutcome& outcome) {
  if (hook.failure.on_failure == OnFailure::Closed) return false;
  return static_cast<bool>(read_output(hook, row, outcome.out).object);
}

/// Whether the hook only reports that its script does not exist. Interpreters such as python3 exit with 2 in this case,
/// which is also the code that blocks.
bool only_misses_file(const EventRow& row, const RunOutcome& outcome) {
  return row.failure.missing_file_fails && text::trim(outcome.out.bytes).empty() &&
         outcome.err.bytes.find("No such file or directory") != std::string::npos;
}

/// What the exit code means once the output is taken into account.
ExitMeaning settled_meaning(const HookSpec& hook, const EventRow& row, int code, const RunOutcome& outcome,
                            Asker asker) {
  const ExitMeaning meaning = meaning_of(*hook.dialect, row, code, asker);
  if (meaning == ExitMeaning::FailureUnlessJson) {
    return is_answer_after_all(hook, row, outcome) ? ExitMeaning::Success : ExitMeaning::Failure;
  }
  return meaning == ExitMeaning::Deny && only_misses_file(row, outcome) ? ExitMeaning::Failure : meaning;
}

/// Cuts texts to the limit of the dialect. In dialects that keep the long text in a file and show a preview,
/// `LongTexts` of src/session does this later.
void cap_texts(std::vector<Attributed>& items, const Dialect& dialect) {
  const size_t limit = dialect.answer.max_text;
  if (limit == 0 || dialect.answer.text_preview > 0) return;
  for (Attributed& item : items) {
    const size_t end = text::find_character(item.text, limit);
    if (end < item.text.size()) item.text = text::cap(item.text, end);
  }
}

/// Adds the variables that the hook wrote into its environment file.
void read_env_file(const HookSpec& hook, const RunOutcome& outcome, HookAnswer& answer) {
  auto& env = answer.effects.env;
  env.insert(env.end(), outcome.env.begin(), outcome.env.end());
  std::ranges::sort(env);
  if (outcome.env_problem.empty()) return;
  answer.effects.messages.push_back({hook.name, "its environment file cannot be read: " + outcome.env_problem});
}

/// A hook that failed and printed plain text. The text explains the failure, and people see it as a warning.
HookAnswer warned(const RunOutcome& outcome, const std::string& text) {
  HookAnswer answer = failed(Cause::Exit, describe(outcome.ending) + ": " + text::cap(text, kMaxExplanation));
  answer.failure->warning = "Warning: " + text;
  return answer;
}

/// The failure that an exit code means, with standard error as explanation.
HookAnswer interpret_failed_exit(const HookSpec& hook, const EventRow& row, ExitMeaning meaning,
                                 const RunOutcome& outcome) {
  const std::string how = describe(outcome.ending);
  const std::string err = whole_text(outcome.err);
  HookAnswer answer = meaning == ExitMeaning::Timeout
                          ? failed(Cause::Timeout, "it reports a timeout (" + how + ")")
                          : failed(Cause::Exit, how + (err.empty() ? "" : ": " + text::cap(err, kMaxExplanation)));
  // At such an event even a failed hook contributes its text.
  if (row.exit.text_on_any_exit) read_plain_text(hook, row, ExitMeaning::Success, whole_text(outcome.out), answer);
  return answer;
}

/// The last step of every answer: removes a verdict that this event of the dialect does not have, and finds a reason
/// for the verdict that is left. The order is important, since each step uses the reasons that earlier steps left.
void settle_verdict(const HookSpec& hook, const EventRow& row, HookAnswer& answer) {
  Effects& effects = answer.effects;
  if (effects.verdict == Verdict::Deny && !row.verdicts.can_deny) {
    answer.complaints.emplace_back("this event cannot be blocked; the reason is shown instead");
    std::ranges::move(effects.reasons, std::back_inserter(effects.messages));
    effects.reasons.clear();
    effects.verdict = Verdict::Pass;
  }
  if (row.verdicts.allow_needs_rewrite && effects.verdict == Verdict::Allow && !effects.input) {
    answer.complaints.emplace_back("an approval without a changed input has no effect here");
    effects.verdict = Verdict::Pass;
    effects.reasons.clear();
  }
  if (!effects.stop) {
    // A stop reason without a stop still explains the verdict.
    if (effects.verdict >= Verdict::Ask && effects.reasons.empty()) effects.reasons = effects.stop_reasons;
    effects.stop_reasons.clear();
  }
  const bool is_unexplained = effects.verdict >= Verdict::Ask && effects.reasons.empty();
  if (is_unexplained && hook.dialect->answer.message_explains) effects.reasons = effects.messages;
  if (effects.verdict == Verdict::Deny && effects.reasons.empty()) {
    effects.reasons.push_back({hook.name, std::string(hook.dialect->answer.default_reason)});
  }
  // The tool has already run. In these dialects the model sees the reason in place of the output.
  if (effects.verdict == Verdict::Deny && row.verdicts.deny_hides_output && !effects.output) {
    effects.output = Json::string(effects.reasons.front().text);
  }
  if (effects.stop && effects.stop_reasons.empty()) {
    const bool has_reason = !effects.reasons.empty();
    effects.stop_reasons.push_back(
        {hook.name, has_reason ? effects.reasons.front().text : std::string(hook.dialect->answer.default_reason)});
  }
}

/// Reads every object of the output, the last one last, so that its values win. The text around them is context or a
/// message.
Reading read_objects(const HookSpec& hook, const EventRow& row, const ParsedOutput& output, HookAnswer& answer) {
  auto& beside = meaning_of_text(hook, row) == TextMeaning::Context ? answer.effects.context : answer.effects.messages;
  if (!output.text.empty()) beside.push_back({hook.name, output.text});
  Reading reading;
  for (const Json& earlier : output.earlier) reading.add(read_answer(hook, row, earlier, answer));
  reading.add(read_answer(hook, row, output.object, answer));
  return reading;
}

/// Whether what a hook prints besides its answer may be meant as one. It is not where nothing can be denied, where
/// plain text is context for the model, or where any program may guard a gate with its exit code.
bool may_mean_it(const HookSpec& hook, const EventRow& row) {
  const bool is_any_program =
      std::ranges::find(row.exit.codes, ExitMeaning::DenyTail, &ExitRow::meaning) != row.exit.codes.end();
  return row.verdicts.can_deny && !is_any_program && meaning_of_text(hook, row) != TextMeaning::Context;
}

/// Whether output that starts like JSON but is not valid says clearly enough what it means: an object in it denies, or
/// its verdict lets the event pass. The second is not honoured, but no reason to call the hook broken either.
bool is_understood_anyway(const HookSpec& hook, const EventRow& row, const ParsedOutput& output) {
  const auto denies = [&](const Json& object) { return says_no(hook, row, object); };
  if (std::ranges::any_of(output.inside, denies)) return true;
  // A fence may follow.
  const size_t end = output.text.find_last_not_of("` \t\r\n");
  return end != std::string::npos && output.text[end] == '}' && hint_in(row.kind, output.text) == Hint::Allows;
}

/// Reads those of the objects that ask or deny. The others are reports about something.
void read_refusals(const HookSpec& hook, const EventRow& row, const std::vector<Json>& objects, HookAnswer& answer) {
  for (const Json& object : objects) {
    if (says_no(hook, row, object)) read_answer(hook, row, object, answer);
  }
}

/// Listens to what a hook that succeeded said besides its answer. JSON that denies counts, wherever it is. If the hook
/// has decided nothing but seems to have meant to, it has failed: its failure policy applies, and people see the text.
void hear_the_rest(const HookSpec& hook, const EventRow& row, const ParsedOutput& output, const Capture& err,
                   const Reading& reading, HookAnswer& answer) {
  const bool is_silent = output.text.empty() && !output.object && err.bytes.empty();  // as most hooks are
  if (is_silent || answer.failure || !may_mean_it(hook, row)) return;
  read_refusals(hook, row, output.inside, answer);
  if (reading.has_verdict || answer.effects.verdict >= Verdict::Ask || answer.effects.stop) return;
  const ParsedOutput on_stderr = parse_output(err.bytes);
  if (on_stderr.object) read_refusals(hook, row, {on_stderr.object}, answer);
  read_refusals(hook, row, on_stderr.earlier, answer);
  read_refusals(hook, row, on_stderr.inside, answer);
  if (answer.effects.verdict >= Verdict::Ask || answer.effects.stop) return;
  const auto said = [&] { return text::cap(output.object ? output.object.dump() : output.text, kMaxExplanation); };
  if (reading.is_doubtful || hint_in(row.kind, output.text) == Hint::Denies) {
    answer = failed(Cause::Output, "it seems to deny, but not in the words of an answer: " + said());
  } else if (hint_in(row.kind, on_stderr.text) == Hint::Denies) {
    const std::string text = text::cap(on_stderr.text, kMaxExplanation);
    answer = failed(Cause::Output, "it seems to deny on standard error, but exits with 0: " + text);
  } else if (reading.has_unknown && !reading.has_known) {
    answer = failed(Cause::Output, "its JSON has no member that an answer has: " + said());
  }
}

/// The answer of a hook whose exit code is not a failure. First JSON or plain text becomes effects; then an exit code
/// that denies overrides their verdict; limits, the environment file and the final checks follow.
HookAnswer interpret_output(const HookSpec& hook, const EventRow& row, ExitMeaning meaning, const RunOutcome& outcome) {
  const Dialect& dialect = *hook.dialect;
  HookAnswer answer;
  const bool from_stderr = dialect.exit.stderr_stands_in && text::trim(outcome.out.bytes).empty();
  const Capture& source = from_stderr ? outcome.err : outcome.out;
  const ParsedOutput output = read_output(hook, row, source);
  const bool denies = meaning == ExitMeaning::Deny || meaning == ExitMeaning::DenyTail;
  const bool reads_json = meaning == ExitMeaning::Success || dialect.exit.json_on_any_exit ||
                          (denies && !dialect.exit.json_on_success_only);
  Reading reading;
  const ExitMeaning text_meaning = row.exit.text_on_any_exit ? ExitMeaning::Success : meaning;
  // Output that was cut may have lost its verdict, so it is a failure, unless the exit code decides anyway.
  if (source.dropped > 0 && !denies) {
    answer =
        failed(Cause::Output, "it printed more than the limit (" + std::to_string(source.dropped) + " bytes over)");
  } else if (output.is_broken && meaning == ExitMeaning::Success && !is_understood_anyway(hook, row, output)) {
    answer = failed(Cause::Output, "its output starts like JSON but is not valid: " + text::cap(output.text, 200));
  } else if (output.is_false && meaning == ExitMeaning::Success) {
    answer = failed(Cause::Output, "it printed 'false', which is no answer");
  } else if (output.object && reads_json) {
    reading = read_objects(hook, row, output, answer);
  } else if (output.text.empty() && (meaning == ExitMeaning::Warn || meaning == ExitMeaning::DenyText)) {
    answer = failed(Cause::Exit, describe(outcome.ending));
  } else if (text_meaning == ExitMeaning::Warn) {
    answer = warned(outcome, output.text);
  } else {
    read_plain_text(hook, row, text_meaning, output.text, answer);
  }
  if (from_stderr) reading.has_unknown = false;  // JSON there may be a log
  if (meaning == ExitMeaning::Success) hear_the_rest(hook, row, output, outcome.err, reading, answer);
  // Standard output is no reason if it is already context, or in dialects that ignore it beside a code that denies.
  const bool text_is_taken = text_meaning != meaning || dialect.exit.json_on_success_only;
  if (meaning == ExitMeaning::Deny) {
    std::string err = whole_text(outcome.err);
    if (dialect.exit.stderr_may_answer) err = reason_in(hook, row, std::move(err));
    apply_deny_exit(hook, text_is_taken ? "" : output.text, err, answer);
  }
  if (meaning == ExitMeaning::DenyTail) apply_tail_exit(hook, outcome, answer);
  if (answer.failure) answer.effects = {};
  cap_texts(answer.effects.context, dialect);
  cap_texts(answer.effects.messages, dialect);
  if (!answer.failure) read_env_file(hook, outcome, answer);
  settle_verdict(hook, row, answer);
  return answer;
}

HookAnswer interpret_exit(const HookSpec& hook, const EventRow& row, int code, const RunOutcome& outcome, Asker asker) {
  const ExitMeaning meaning = settled_meaning(hook, row, code, outcome, asker);
  const bool has_failed = meaning == ExitMeaning::Timeout || meaning == ExitMeaning::Failure;
  return has_failed ? interpret_failed_exit(hook, row, meaning, outcome)
                    : interpret_output(hook, row, meaning, outcome);
}

/// Reads the reply of a server. A status can make the hook fail, but it cannot block: only the body can.
HookAnswer interpret_reply(const HookSpec& hook, const EventRow& row, const Replied& reply, const RunOutcome& outcome) {
  const std::string body = whole_text(outcome.out);
  const bool is_success = reply.status >= 200 && reply.status < 300;
  if (!is_success) {
    return failed(Cause::Exit, describe(outcome.ending) + (body.empty() ? "" : ": " + text::cap(body, 200)));
  }
  const auto json = Json::parse(body);
  // A body that was cut is no valid JSON either; `interpret_output` reports it as too long, which is more helpful.
  const bool is_text = !body.empty() && !(json && json->is_object());
  if (is_text && outcome.out.dropped == 0 && !hook.dialect->http.takes_text) {
    return failed(Cause::Output, "its answer is not a JSON object: " + text::cap(body, 200));
  }
  return interpret_output(hook, row, ExitMeaning::Success, outcome);
}

/// The hook wanted to post to an address that a rule forbids. Its dialect decides whether that blocks or is a failure.
HookAnswer interpret_refusal(const HookSpec& hook, const EventRow& row, const RunOutcome& outcome) {
  const std::string why = describe(outcome.ending);
  if (!hook.dialect->http.refusal_denies) return failed(Cause::NotStarted, why);
  HookAnswer answer;
  answer.effects.verdict = Verdict::Deny;
  answer.effects.reasons.push_back({hook.name, why});
  settle_verdict(hook, row, answer);
  return answer;
}

/// The answer of a worker is a single JSON object: there is no exit code, and plain text has no meaning.
HookAnswer interpret_answer(const HookSpec& hook, const EventRow& row, const Capture& said) {
  if (said.dropped > 0) {
    return failed(Cause::Output, "its answer is longer than the limit");
  }
  HookAnswer answer;
  const ParsedOutput output = parse_output(said.bytes);
  Reading reading;
  if (output.object) reading = read_answer(hook, row, output.object, answer);
  hear_the_rest(hook, row, output, {}, reading, answer);
  if (answer.failure) answer.effects = {};
  cap_texts(answer.effects.context, *hook.dialect);
  cap_texts(answer.effects.messages, *hook.dialect);
  settle_verdict(hook, row, answer);
  return answer;
}

/// One overload for each way in which a hook can end (`RunOutcome::ending`).
struct InterpretEnding {
  const HookSpec& hook;
  EventKind kind;
  const RunOutcome& outcome;
  Asker asker;

  HookAnswer operator()(const Exited& e) const {
    return with_row([&](const EventRow& row) { return interpret_exit(hook, row, e.code, outcome, asker); });
  }
  HookAnswer operator()(const Replied& e) const {
    return with_row([&](const EventRow& row) { return interpret_reply(hook, row, e, outcome); });
  }
  HookAnswer operator()(const NotAllowed&) const {
    return with_row([&](const EventRow& row) { return interpret_refusal(hook, row, outcome); });
  }
  HookAnswer operator()(const NoReply& e) const {
    return failed(e.is_too_long ? Cause::Output : Cause::Crash, describe(outcome.ending));
  }
  HookAnswer operator()(const Judged&) const {
    const EventRow* row = hook.dialect->find_event(kind);
    if (row == nullptr) return failed(Cause::Output, "its dialect has no such event");
    HookAnswer answer = read_judgement(hook, *row, outcome.out);
    if (!answer.failure) settle_verdict(hook, *row, answer);
    return answer;
  }
  HookAnswer operator()(const Answered&) const {
    return with_row([&](const EventRow& row) { return interpret_answer(hook, row, outcome.out); });
  }
  HookAnswer operator()(const Unanswered&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  HookAnswer operator()(const Returned& e) const { return HookAnswer{e.effects, std::nullopt, {}}; }
  HookAnswer operator()(const NotStarted& e) const {
    return failed(e.lacks_sandbox ? Cause::NoSandbox : Cause::NotStarted, describe(outcome.ending));
  }
  HookAnswer operator()(const Stopped&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  HookAnswer operator()(const Signaled&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  HookAnswer operator()(const StatusLost&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  HookAnswer operator()(const Threw&) const { return failed(Cause::Crash, describe(outcome.ending)); }
  HookAnswer operator()(const TimedOut&) const { return failed(Cause::Timeout, describe(outcome.ending)); }
  HookAnswer operator()(const Cancelled&) const { return failed(Cause::Cancelled, describe(outcome.ending)); }

  /// Calls `interpret` with the row of the event in the hook's dialect; without a row the hook has failed.
  template <typename Interpret>
  HookAnswer with_row(const Interpret& interpret) const {
    const EventRow* row = hook.dialect->find_event(kind);
    return row == nullptr ? failed(Cause::Output, "its dialect has no such event") : interpret(*row);
  }
};

}  // namespace

HookAnswer interpret(const HookSpec& hook, EventKind kind, const RunOutcome& outcome, Asker asker) {
  return std::visit(InterpretEnding{hook, kind, outcome, asker}, outcome.ending);
}

HookAnswer interpret_taking(const HookSpec& hook, EventKind kind, RunOutcome& outcome, Asker asker) {
  if (auto* returned = std::get_if<Returned>(&outcome.ending)) return {std::move(returned->effects), std::nullopt, {}};
  return interpret(hook, kind, outcome, asker);
}

}  // namespace grapnel
