#include "dialect/answer.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "decide/interpret.h"
#include "dialect/json_text.h"
#include "dialect/payload.h"

namespace grapnel {

namespace {

Effects effects_with(Verdict verdict, const char* reason) {
  Effects effects;
  effects.verdict = verdict;
  if (*reason != '\0') effects.reasons.push_back({"h", reason});
  return effects;
}

Effects stopping() {
  Effects effects;
  effects.stop = true;
  effects.stop_reasons.push_back({"h", "enough"});
  return effects;
}

Effects rewriting(Rewrite::Mode mode, const char* value) {
  Effects effects;
  effects.input = Rewrite{mode, parse(value)};
  return effects;
}

Effects saying(const char* context, const char* message) {
  Effects effects;
  if (*context != '\0') effects.context.push_back({"h", context});
  if (*message != '\0') effects.messages.push_back({"h", message});
  return effects;
}

struct WireCase {
  const char* note;
  const Dialect* to;
  EventKind kind;
  Effects effects;
  std::string out;
  std::string err = "";
  int exit_code = 0;
};

TEST(WriteAnswer, SaysItInTheAgentsWords) {
  using enum EventKind;
  const WireCase cases[] = {
      {"gemini: nothing", &kGeminiDialect, PreToolUse, {}, ""},
      {"gemini: deny", &kGeminiDialect, PreToolUse, effects_with(Verdict::Deny, "no"),
       R"({"decision":"deny","reason":"no"})"},
      {"gemini: ask", &kGeminiDialect, PreToolUse, effects_with(Verdict::Ask, "sure?"),
       R"({"decision":"ask","reason":"sure?"})"},
      {"gemini: allow grants nothing and is not said", &kGeminiDialect, PreToolUse, effects_with(Verdict::Allow, ""),
       ""},
      {"gemini: an ask nobody can ask is a deny", &kGeminiDialect, UserPromptSubmit,
       effects_with(Verdict::Ask, "sure?"), R"({"decision":"deny","reason":"sure?"})"},
      {"gemini: stop", &kGeminiDialect, PreToolUse, stopping(), R"({"continue":false,"stopReason":"enough"})"},
      {"gemini: the whole input", &kGeminiDialect, PreToolUse, rewriting(Rewrite::Mode::Replace, R"({"b":2})"),
       R"({"hookSpecificOutput":{"tool_input":{"b":2},"hookEventName":"BeforeTool"}})"},
      {"gemini: a patch becomes the whole input", &kGeminiDialect, PreToolUse,
       rewriting(Rewrite::Mode::Merge, R"({"b":2})"),
       R"({"hookSpecificOutput":{"tool_input":{"a":1,"b":2},"hookEventName":"BeforeTool"}})"},
      {"gemini: a failed tool is still AfterTool", &kGeminiDialect, PostToolUseFailure, saying("look", ""),
       R"({"hookSpecificOutput":{"additionalContext":"look","hookEventName":"AfterTool"}})"},
      {"gemini: what the event has no place for", &kGeminiDialect, SessionEnd, saying("look", "bye"),
       R"({"systemMessage":"bye"})"},
      {"gemini: an event it does not have", &kGeminiDialect, SubagentStop, effects_with(Verdict::Deny, "no"), ""},
      {"clawd: nothing", &kClawdDialect, PreToolUse, {}, ""},
      {"clawd: deny", &kClawdDialect, PreToolUse, effects_with(Verdict::Deny, "no"),
       R"({"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no","hookEventName":"PreToolUse"}})"},
      {"clawd: allow", &kClawdDialect, PreToolUse, effects_with(Verdict::Allow, ""),
       R"({"hookSpecificOutput":{"permissionDecision":"allow","hookEventName":"PreToolUse"}})"},
      {"clawd: a patch", &kClawdDialect, PreToolUse, rewriting(Rewrite::Mode::Merge, R"({"b":2})"),
       R"({"hookSpecificOutput":{"updatedInput":{"b":2},"hookEventName":"PreToolUse"}})"},
      {"clawd: a whole input that takes nothing away", &kClawdDialect, PreToolUse,
       rewriting(Rewrite::Mode::Replace, R"({"a":0,"b":2})"),
       R"({"hookSpecificOutput":{"updatedInput":{"a":0,"b":2},"hookEventName":"PreToolUse"}})"},
      {"clawd: a stop it has no word for is a deny", &kClawdDialect, PreToolUse, stopping(),
       R"({"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"enough","hookEventName":"PreToolUse"}})"},
      {"clawd: keep working", &kClawdDialect, Stop, effects_with(Verdict::Deny, "tests fail"),
       R"({"hookSpecificOutput":{"continue":true,"reason":"tests fail","hookEventName":"Stop"}})"},
      {"clawd: a deny without a word is exit code 2", &kClawdDialect, UserPromptSubmit,
       effects_with(Verdict::Deny, "no"), "", "no\n", 2},
      {"clawd: and without a reason", &kClawdDialect, UserPromptSubmit, effects_with(Verdict::Deny, ""), "",
       "Hook blocked execution\n", 2},
  };
  for (const WireCase& c : cases) {
    SCOPED_TRACE(c.note);
    const Event event(c.kind, parse(R"({"tool_name":"other","tool_input":{"a":1}})"));
    Decision decision;
    decision.effects = c.effects;
    const WireAnswer answer = write_answer(decision, event, *c.to);
    EXPECT_EQ(answer.out, c.out.empty() ? "" : c.out + "\n");
    EXPECT_EQ(answer.err, c.err);
    EXPECT_EQ(answer.exit_code, c.exit_code);
  }
}

TEST(WriteAnswer, AnArgumentThatCannotBeRemovedIsADeny) {
  Decision decision;
  decision.effects = rewriting(Rewrite::Mode::Replace, R"({"b":2})");
  const Event event(EventKind::PreToolUse, parse(R"({"tool_name":"other","tool_input":{"a":1}})"));
  const WireAnswer answer = write_answer(decision, event, kClawdDialect);
  EXPECT_EQ(parse(answer.out)["hookSpecificOutput"]["permissionDecision"].as_string(), "deny");
}

std::string joined(const std::vector<Attributed>& items) {
  std::string out;
  for (const Attributed& item : items) out += (out.empty() ? "" : "\n") + item.text;
  return out;
}

/// Effects as far as texts go, whoever said them and in how many pieces.
Effects in_one_voice(Effects effects) {
  for (auto* items : {&effects.reasons, &effects.context, &effects.stop_reasons, &effects.messages, &effects.logs}) {
    if (!items->empty()) *items = {{"h", joined(*items)}};
  }
  return effects;
}

rc::Gen<std::string> any_text() {
  return rc::gen::element<std::string>("no", "two\nlines", "\"quoted\" \\ and ünï", "a, {b}", "0");
}

std::vector<Attributed> one_text() {
  return {{"h", *any_text()}};
}

rc::Gen<Json> any_object() {
  return rc::gen::element(parse("{}"), parse(R"({"a":"x"})"), parse(R"({"a":[1,null],"b":{"c":1.50}})"));
}

ToolChoice any_choice() {
  ToolChoice choice;
  choice.mode = *rc::gen::element(ToolChoice::Mode::Auto, ToolChoice::Mode::Any, ToolChoice::Mode::None);
  if (choice.mode != ToolChoice::Mode::None) choice.names = {"a", "b"};
  return choice;
}

/// Something to say at the place of one output row, or nothing.
void add_effect(Effects& effects, const OutputRow& row) {
  if (row.only_read || !*rc::gen::arbitrary<bool>()) return;
  const Json response = parse(R"({"candidates":[{"content":{"role":"model","parts":["x"]}}]})");
  switch (row.effect) {
    case Effect::Verdict:
    case Effect::LooseVerdict:
    case Effect::DenyIfTrue:
    case Effect::DenyIfFalse:
    case Effect::Objection:
    case Effect::Reason:
    case Effect::StopReason:
      return;  // chosen with the verdict and the stop
    case Effect::Context:
      effects.context = one_text();
      return;
    case Effect::InputReplace:
      effects.input = Rewrite{Rewrite::Mode::Replace, *any_object()};
      return;
    case Effect::InputMerge:
      effects.input = Rewrite{Rewrite::Mode::Merge, *any_object()};
      return;
    case Effect::Output:
      effects.output = *any_object();
      return;
    case Effect::Prompt:
      effects.prompt = *any_text();
      return;
    case Effect::Notification:
      effects.notification = *any_text();
      return;
    case Effect::ModelRequest:
      effects.model_request = *any_object();
      return;
    case Effect::ModelResponse:
      effects.model_response = response;
      return;
    case Effect::ToolChoice:
      effects.tool_choice = any_choice();
      return;
    case Effect::TailCall:
      effects.tail_call = *any_object();
      return;
    case Effect::ElicitationAction:
    case Effect::ElicitationContent:
      effects.elicitation = Json::object({{"action", Json::string("accept")}, {"content", *any_object()}});
      return;
    case Effect::ClearContext:
      effects.clear_context = true;
      return;
    case Effect::StopIfFalse:
    case Effect::StopIfTrue:
      effects.stop = true;
      effects.stop_reasons = one_text();
      return;
    case Effect::Env:
      effects.env = {{"A", *any_text()}};
      return;
    case Effect::Message:
      effects.messages = one_text();
      return;
    case Effect::Log:
      effects.logs = one_text();
      return;
    case Effect::SuppressOutput:
      effects.suppress_output = true;
      return;
  }
}

bool has_output(const EventRow& row, Effect effect) {
  return std::ranges::any_of(row.answer.outputs,
                             [&](const OutputRow& output) { return output.effect == effect && !output.only_read; });
}

bool has_word(const EventRow& row, Verdict verdict) {
  return has_output(row, Effect::Verdict) && std::ranges::any_of(row.answer.words, [&](const WordRow& word) {
           return word.verdict == verdict && !word.only_read;
         });
}

/// Without what the event can only say together with something else.
void drop_unsaid(const EventRow& row, Effects& effects) {
  const bool is_allow = effects.verdict == Verdict::Allow;
  if (effects.verdict == Verdict::Deny || (row.verdicts.rewrite_needs_allow && !is_allow)) effects.input.reset();
  if (row.verdicts.allow_needs_rewrite && is_allow && !effects.input) effects.verdict = Verdict::Pass;
}

/// What that event of that dialect can say, in one answer.
Effects any_answer(const EventRow& row) {
  Effects effects;
  std::vector<Verdict> verdicts = {Verdict::Pass};
  for (const Verdict verdict : {Verdict::Allow, Verdict::Ask}) {
    if (has_word(row, verdict)) verdicts.push_back(verdict);
  }
  if (row.verdicts.can_deny) verdicts.push_back(Verdict::Deny);
  effects.verdict = *rc::gen::elementOf(verdicts);
  if (effects.verdict >= Verdict::Ask) effects.reasons = one_text();
  for (const OutputRow& output : row.answer.outputs) add_effect(effects, output);
  drop_unsaid(row, effects);
  return effects;
}

/// An answer given by exit code is a verdict and a reason, no more.
Effects by_exit_code(const Effects& effects) {
  Effects out;
  out.verdict = effects.verdict;
  out.reasons = effects.reasons;
  return out;
}

/// The verdict that the word we write for one reads as.
Verdict as_read(const EventRow& row, Verdict verdict) {
  const auto written = std::ranges::find(row.answer.words, verdict, &WordRow::verdict);
  if (written == row.answer.words.end()) return verdict;
  return std::ranges::find(row.answer.words, written->word, &WordRow::word)->verdict;
}

/// The dialects of agents; nobody waits for an answer in Grapnel's own.
std::vector<const Dialect*> native_dialects() {
  std::vector<const Dialect*> dialects(all_dialects().begin(), all_dialects().end());
  std::erase(dialects, &kCanonicalDialect);
  std::erase(dialects, &kGrapnelDialect);
  return dialects;
}

RC_GTEST_PROP(WriteAnswerProperty, WhatIsWrittenReadsAsWhatWasMeant, ()) {
  const Dialect* dialect = *rc::gen::elementOf(native_dialects());
  const EventRow& any_row = dialect->events[*rc::gen::inRange<size_t>(0, dialect->events.size())];
  const EventRow& row = *dialect->find_event(any_row.kind);  // that of others' events
  Decision decision;
  decision.effects = any_answer(row);
  const Event event(row.kind, parse(R"({"tool_name":"other","tool_input":{}})"));
  const WireAnswer wire = write_answer(decision, event, *dialect);

  HookSpec hook;
  hook.name = "h";
  hook.dialect = dialect;
  hook.handler = CommandHandler{};
  RunOutcome outcome;
  outcome.ending = Exited{wire.exit_code};
  outcome.out.bytes = wire.out;
  outcome.err.bytes = wire.err;
  const HookAnswer read = interpret(hook, row.kind, outcome);

  RC_LOG() << dialect->name << " " << row.wire_name << ": exit " << wire.exit_code << ", " << wire.out << wire.err
           << "\n"
           << read.effects.reasons.size() << " reasons read\n";
  Effects want = wire.exit_code == 0 ? decision.effects : by_exit_code(decision.effects);
  const bool says_rewrite = want.input && !row.verdicts.rewrite_word.empty();
  const Verdict verdict = says_rewrite ? Verdict::Allow : as_read(row, want.verdict);
  const bool has_reason = has_output(row, Effect::Reason) || has_output(row, Effect::Objection);
  if (want.verdict >= Verdict::Ask && !has_reason && wire.exit_code == 0) {
    want.reasons = {{"h", std::string(dialect->answer.default_reason)}};
  }
  want.verdict = verdict;
  const auto is_texts = [](const OutputRow& output) { return output.effect == Effect::Output && output.as_text; };
  if (want.output && !want.output->is_string() && std::ranges::any_of(row.answer.outputs, is_texts)) {
    want.output = Json::string(want.output->dump());
  }
  if (verdict == Verdict::Deny && row.verdicts.deny_hides_output) want.output = read.effects.output;
  RC_ASSERT(!read.failure.has_value());
  RC_ASSERT(in_one_voice(read.effects) == in_one_voice(want));
}

TEST(ToolChoice, BothWays) {
  const ToolChoiceShape& shape = kGeminiDialect.answer.tool_choice;
  for (const char* text :
       {R"({"mode":"AUTO","allowedFunctionNames":[]})", R"({"mode":"ANY","allowedFunctionNames":["a","b"]})",
        R"({"mode":"NONE","allowedFunctionNames":[]})"}) {
    const auto choice = read_tool_choice(parse(text), shape);
    ASSERT_TRUE(choice.has_value()) << text;
    EXPECT_EQ(write_tool_choice(*choice, shape).dump(), text);
  }
  EXPECT_EQ(read_tool_choice(parse(R"({"mode":"ANY","allowedFunctionNames":["b",7,"a","b"]})"), shape)->names,
            (std::vector<std::string>{"a", "b"}));
  for (const char* text : {"7", "[]", R"({"mode":"SOME"})", R"({"mode":7})"}) {
    EXPECT_FALSE(read_tool_choice(parse(text), shape).has_value()) << text;
  }
}

}  // namespace

}  // namespace grapnel
