#include <gtest/gtest.h>

#include "decide/interpret.h"

// What a model says about an event, and what becomes of it.

namespace grapnel {
namespace {

HookSpec asking(const Dialect& dialect, Handler handler = PromptHandler{"ok?", "", false}) {
  HookSpec hook;
  hook.name = "hook";
  hook.dialect = &dialect;
  hook.handler = std::move(handler);
  return hook;
}

HookAnswer judged(const HookSpec& hook, EventKind kind, std::string said) {
  RunOutcome outcome;
  outcome.ending = Judged{};
  outcome.out.bytes = std::move(said);
  return interpret(hook, kind, outcome);
}

TEST(Judgement, IsOneObjectAndNothingElseCounts) {
  struct Case {
    const char* note;
    std::string said;
    std::optional<Verdict> want;  ///< nothing: the hook failed
    std::string reason = "";
  };
  const Case cases[] = {
      {"no objection", R"({"ok": true})", Verdict::Pass},
      {"no objection, with a reason", R"({"ok": true, "reason": "fine"})", Verdict::Pass},
      {"an objection", R"({"ok": false, "reason": "it deletes"})", Verdict::Deny, "it deletes"},
      {"an objection without a reason", R"({"ok": false})", Verdict::Deny, "Hook blocked execution"},
      {"a reason of the wrong type", R"({"ok": false, "reason": 7})", Verdict::Deny, "Hook blocked execution"},
      {"fenced", "```json\n{\"ok\": false, \"reason\": \"no\"}\n```", Verdict::Deny, "no"},
      {"fenced without a language", "```\n{\"ok\": true}\n```", Verdict::Pass},
      {"words around it", "I looked at it.\n{\"ok\": false, \"reason\": \"a } in it\"}\nGood luck.", Verdict::Deny,
       "a } in it"},
      {"words in front on the same line", "Verdict: {\"ok\": true}", Verdict::Pass},
      {"an object that says nothing beside it", "The input {\"command\": \"ls\"} is fine: {\"ok\": true}",
       Verdict::Pass},
      {"braces of prose", "In {this} case: {\"ok\": false, \"reason\": \"x\"}", Verdict::Deny, "x"},
      {"the dialect's own words",
       R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "r"}})",
       Verdict::Deny, "r"},
      {"the dialect's own words: ask",
       R"({"hookSpecificOutput": {"permissionDecision": "ask", "permissionDecisionReason": "r"}})", Verdict::Ask, "r"},
      {"both: the stricter counts",
       R"({"ok": true, "hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "r"}})",
       Verdict::Deny, "r"},
      {"both: an allow beside an objection",
       R"({"ok": false, "reason": "no", "hookSpecificOutput": {"permissionDecision": "allow"}})", Verdict::Deny, "no"},
      {"empty", "", {}},
      {"white space", " \n", {}},
      {"prose", "It looks safe to me.", {}},
      {"yes", "true", {}},
      {"an empty object", "{}", {}},
      {"an object about something else", R"({"safe": true})", {}},
      {"ok of the wrong type", R"({"ok": "true"})", {}},
      {"ok is null", R"({"ok": null})", {}},
      {"cut off", R"({"ok": tr)", {}},
      {"cut off behind the verdict", R"({"ok": true, "reason": "it)", {}},
      {"two verdicts", "{\"ok\": true}\n{\"ok\": false, \"reason\": \"x\"}", {}},
      {"the same verdict twice is two", "{\"ok\": true}\n{\"ok\": true}", {}},
      {"JSON in a string", R"("{\"ok\": true}")", {}},
      {"an unknown verdict of the dialect", R"({"hookSpecificOutput": {"permissionDecision": "perhaps"}})", {}},
      {"bytes that are no text", "\xff\xfe", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer = judged(asking(kBladeDialect), EventKind::PreToolUse, c.said);
    ASSERT_EQ(answer.failure.has_value(), !c.want.has_value()) << (answer.failure ? answer.failure->what : "");
    if (!c.want) {
      EXPECT_EQ(answer.failure->cause, Cause::Output);
      EXPECT_TRUE(answer.effects.is_neutral()) << "failing is not answering";
      continue;
    }
    EXPECT_EQ(answer.effects.verdict, *c.want);
    if (!c.reason.empty()) {
      ASSERT_FALSE(answer.effects.reasons.empty());
      EXPECT_EQ(answer.effects.reasons.back().text, c.reason);
    }
  }
}

TEST(Judgement, OverTheLimitIsAFailure) {
  RunOutcome outcome;
  outcome.ending = Judged{};
  outcome.out = {R"({"ok": true})", 1};
  const HookAnswer answer = interpret(asking(kBladeDialect), EventKind::PreToolUse, outcome);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->cause, Cause::Output);
}

TEST(Judgement, AnObjectionIsWhatTheDialectSaysAtThatEvent) {
  const std::string no = R"({"ok": false, "reason": "no"})";
  const std::string hopeless = R"({"ok": false, "reason": "no", "impossible": true})";
  const Handler prompt = PromptHandler{"ok?", "", false};
  const Handler going_on = PromptHandler{"ok?", "", true};
  const Handler agent = AgentHandler{"ok?", "", 0};
  struct Case {
    const char* note;
    const Dialect* dialect;
    EventKind kind;
    Handler handler;
    std::string said;
    Verdict want;
    bool stops = false;
    std::string message = "";
  };
  const Case cases[] = {
      {"claude ends the turn", &kClaudeDialect, EventKind::PreToolUse, prompt, no, Verdict::Deny, true},
      {"unless told to go on", &kClaudeDialect, EventKind::PreToolUse, going_on, no, Verdict::Deny},
      {"agents always go on", &kClaudeDialect, EventKind::PreToolUse, agent, no, Verdict::Deny},
      {"claude after a tool", &kClaudeDialect, EventKind::PostToolUse, prompt, no, Verdict::Deny, true},
      {"claude after a tool, going on", &kClaudeDialect, EventKind::PostToolUse, going_on, no, Verdict::Deny},
      {"claude keeps working", &kClaudeDialect, EventKind::Stop, prompt, no, Verdict::Deny},
      {"claude: it cannot be done", &kClaudeDialect, EventKind::Stop, prompt, hopeless, Verdict::Pass},
      {"an agent does not know that", &kClaudeDialect, EventKind::Stop, agent, hopeless, Verdict::Deny},
      {"no way out of a tool call", &kClaudeDialect, EventKind::PreToolUse, going_on, hopeless, Verdict::Deny},
      {"claude: a prompt", &kClaudeDialect, EventKind::UserPromptSubmit, prompt, no, Verdict::Deny},
      {"claude: nothing to block", &kClaudeDialect, EventKind::SessionStart, prompt, no, Verdict::Pass, false, "no"},
      {"blade denies", &kBladeDialect, EventKind::PreToolUse, prompt, no, Verdict::Deny},
      {"blade keeps working", &kBladeDialect, EventKind::Stop, prompt, no, Verdict::Deny},
      {"blade: the task is not done", &kBladeDialect, EventKind::TaskCompleted, agent, no, Verdict::Deny},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer = judged(asking(*c.dialect, c.handler), c.kind, c.said);
    ASSERT_FALSE(answer.failure) << answer.failure->what;
    EXPECT_EQ(answer.effects.verdict, c.want);
    EXPECT_EQ(answer.effects.stop, c.stops);
    if (c.want == Verdict::Deny) {
      EXPECT_EQ(answer.effects.reasons.at(0).text, "no");
    }
    if (!c.message.empty()) {
      EXPECT_EQ(answer.effects.messages.at(0).text, c.message);
    }
  }
}

}  // namespace
}  // namespace grapnel
