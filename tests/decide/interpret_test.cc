#include "decide/interpret.h"

#include <csignal>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

HookSpec hook_of(const Dialect& dialect) {
  HookSpec hook;
  hook.name = "hook";
  hook.dialect = &dialect;
  hook.handler = CommandHandler{};
  return hook;
}

RunOutcome ended(Ending ending, std::string out = "", std::string err = "") {
  RunOutcome outcome;
  outcome.ending = std::move(ending);
  outcome.out.bytes = std::move(out);
  outcome.err.bytes = std::move(err);
  return outcome;
}

std::string first_text(const std::vector<Attributed>& items) {
  return items.empty() ? "" : items.front().text;
}

TEST(Interpret, AnEndingThatIsNoExitIsAFailureInEveryDialect) {
  struct Case {
    const char* note;
    Ending ending;
    Cause cause;
  };
  const Case cases[] = {
      {"could not start", NotStarted{"no such file", 2}, Cause::NotStarted},
      {"could not be contained", NotStarted{"no Landlock", 0, true}, Cause::NoSandbox},
      {"did what its sandbox forbids", Stopped{"it ran more than 4 processes"}, Cause::Crash},
      {"crashed", Signaled{SIGSEGV}, Cause::Crash},
      {"timed out", TimedOut{std::chrono::milliseconds(50)}, Cause::Timeout},
      {"status lost", StatusLost{}, Cause::Crash},
      {"cancelled", Cancelled{}, Cause::Cancelled},
      {"threw", Threw{"bad"}, Cause::Crash},
      {"no server", NoReply{"connection refused"}, Cause::Crash},
      {"a reply without end", NoReply{"larger than 100 bytes", true}, Cause::Output},
      {"a status that is none of success", Replied{404, 20, "https://a.test/"}, Cause::Exit},
      {"an address that may not be posted to", NotAllowed{"private"}, Cause::NotStarted},
      {"nobody answered", Unanswered{"no model"}, Cause::Crash},
  };
  for (const Dialect* dialect : {&kGeminiDialect, &kClawdDialect}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(dialect->name) + ": " + c.note);
      const HookAnswer answer =
          interpret(hook_of(*dialect), EventKind::PreToolUse, ended(c.ending, R"({"decision":"allow"})"));
      ASSERT_TRUE(answer.failure);
      EXPECT_EQ(answer.failure->cause, c.cause);
      EXPECT_TRUE(answer.effects.is_neutral()) << "failing is not answering";
    }
  }
}

struct ExitCase {
  const char* note;
  const Dialect* dialect;
  int code;
  std::string out, err;
  Verdict verdict;
  std::string reason;
  std::string message = "";
  std::optional<Cause> failure = std::nullopt;
};

TEST(Interpret, AnAgentThatAsksHearsWhatItWouldDoItself) {
  const HookSpec hook = hook_of(kGeminiDialect);
  const RunOutcome outcome = ended(Exited{3}, "no disk");
  const HookAnswer asked = interpret(hook, EventKind::PreToolUse, outcome, Asker::BridgedAgent);
  EXPECT_EQ(asked.effects.verdict, Verdict::Deny);
  EXPECT_EQ(first_text(asked.effects.reasons), "no disk");
  EXPECT_FALSE(asked.failure);
  const HookAnswer own = interpret(hook, EventKind::PreToolUse, outcome);
  ASSERT_TRUE(own.failure);
  EXPECT_EQ(own.failure->what, "exit 3: no disk");
  EXPECT_EQ(own.failure->warning, "Warning: no disk");
}

TEST(Interpret, ExitCodesAndOutput) {
  const ExitCase cases[] = {
      {"gemini: silent success", &kGeminiDialect, 0, "", "", Verdict::Pass, ""},
      {"gemini: allow grants nothing", &kGeminiDialect, 0, R"({"decision":"allow"})", "", Verdict::Pass, ""},
      {"gemini: block", &kGeminiDialect, 0, R"({"decision":"block","reason":"r"})", "", Verdict::Deny, "r"},
      {"gemini: deny on stderr counts when stdout is empty", &kGeminiDialect, 2, "",
       R"({"decision":"deny","reason":"r"})", Verdict::Deny, "r"},
      {"gemini: text on success is a message", &kGeminiDialect, 0, "hello", "", Verdict::Pass, "", "hello"},
      {"gemini: text on exit 1 is a warning", &kGeminiDialect, 1, "", "careful", Verdict::Pass, "", "", Cause::Exit},
      {"gemini: text on exit 2 blocks", &kGeminiDialect, 2, "", "no way", Verdict::Deny, "no way"},
      {"gemini: text on exit 127 is a warning", &kGeminiDialect, 127, "", "not found", Verdict::Pass, "", "",
       Cause::Exit},
      {"gemini: a silent exit 2 blocks", &kGeminiDialect, 2, "", "", Verdict::Deny, "No reason provided"},
      {"gemini: exit 2 beats an allow", &kGeminiDialect, 2, R"({"decision":"allow"})", "", Verdict::Deny,
       "No reason provided"},
      {"gemini: a silent exit 1 is a failure", &kGeminiDialect, 1, "", "", Verdict::Pass, "", "", Cause::Exit},
      {"gemini: a silent exit 127 is a failure", &kGeminiDialect, 127, "", "", Verdict::Pass, "", "", Cause::Exit},
      {"gemini: the reason to stop explains a block", &kGeminiDialect, 0, R"({"decision":"deny","stopReason":"s"})", "",
       Verdict::Deny, "s"},
      {"gemini: JSON decides on exit 3", &kGeminiDialect, 3, R"({"decision":"allow"})", "", Verdict::Pass, ""},
      {"gemini: an unknown word is a failure", &kGeminiDialect, 0, R"({"decision":"maybe"})", "", Verdict::Pass, "", "",
       Cause::Output},
      {"gemini: a verdict of the wrong type is a failure", &kGeminiDialect, 0, R"({"decision":true})", "",
       Verdict::Pass, "", "", Cause::Output},
      {"gemini: broken JSON is a failure", &kGeminiDialect, 0, R"({"decision":"deny")", "", Verdict::Pass, "", "",
       Cause::Output},
      {"gemini: a deny behind a log line is found", &kGeminiDialect, 0, "log\n{\"decision\":\"deny\",\"reason\":\"r\"}",
       "", Verdict::Deny, "r", "log"},
      {"clawd: silent success", &kClawdDialect, 0, "", "", Verdict::Pass, ""},
      {"clawd: bare object", &kClawdDialect, 0, R"({"permissionDecision":"deny","permissionDecisionReason":"r"})", "",
       Verdict::Deny, "r"},
      {"clawd: nested object", &kClawdDialect, 0, R"({"hookSpecificOutput":{"permissionDecision":"ask"}})", "",
       Verdict::Ask, ""},
      {"clawd: allow skips the prompt", &kClawdDialect, 0, R"({"permissionDecision":"allow"})", "", Verdict::Allow, ""},
      {"clawd: exit 1 failed", &kClawdDialect, 1, R"({"permissionDecision":"deny"})", "", Verdict::Pass, "", "",
       Cause::Exit},
      {"clawd: exit 2 blocks with stderr", &kClawdDialect, 2, "", "no", Verdict::Deny, "no"},
      {"clawd: exit 2 blocks by default", &kClawdDialect, 2, "", "", Verdict::Deny, "Hook blocked execution"},
      {"clawd: exit 124 is a timeout", &kClawdDialect, 124, "", "", Verdict::Pass, "", "", Cause::Timeout},
      {"clawd: exit 3 failed", &kClawdDialect, 3, "", "", Verdict::Pass, "", "", Cause::Exit},
      {"clawd: a number is no answer", &kClawdDialect, 0, "1", "", Verdict::Pass, ""},
  };
  for (const ExitCase& c : cases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer =
        interpret(hook_of(*c.dialect), EventKind::PreToolUse, ended(Exited{c.code}, c.out, c.err));
    EXPECT_EQ(answer.effects.verdict, c.verdict);
    EXPECT_EQ(first_text(answer.effects.reasons), c.reason);
    EXPECT_EQ(first_text(answer.effects.messages), c.message);
    EXPECT_EQ(answer.failure.has_value(), c.failure.has_value());
    if (answer.failure && c.failure) {
      EXPECT_EQ(answer.failure->cause, *c.failure);
    }
  }
}

/// What is printed beside an answer, or instead of one. Texts that other people have to read stay texts.
TEST(Interpret, WhatIsSaidBesideAnAnswer) {
  struct Case {
    const char* note;
    const Dialect* dialect;
    EventKind event;
    const char* out;
    const char* err;
    const char* want;  ///< the reason of a denial, "failed", or "" for neither
  };
  const char* const docs = "Hooks may print:\n```json\n{\"decision\": \"block\"}\n```\nDENY: is the old way.";
  const Case cases[] = {
      {"an example in context is no answer", &kClaudeDialect, EventKind::UserPromptSubmit, docs, "", ""},
      {"before a tool it would be one", &kClaudeDialect, EventKind::PreToolUse, docs, "", "Blocked by hook"},
      {"a whole answer in other words is none of context", &kClaudeDialect, EventKind::UserPromptSubmit,
       R"({"verdict":"deny","reason":"r"})", "", "r"},
      {"a report is context", &kClaudeDialect, EventKind::SessionStart, R"({"branch":"main"})", "", ""},
      {"a gate is guarded by its exit code", &kGrapnelDialect, EventKind::Stop, "DENY: 3 tests of 9", "", ""},
      {"the reason comes along", &kClawdDialect, EventKind::PreToolUse, R"({"permission":"deny","agent_message":"r"})",
       "", "r"},
      {"both readings of a member count", &kClaudeDialect, EventKind::PreToolUse,
       R"({"decision":"block","reason":"r","decision":"approve"})", "", "r"},
      {"a verdict in a report does not undo the hook's own", &kGeminiDialect, EventKind::PreToolUse,
       R"({"decision":"allow","last":{"decision":"deny"}})", "", ""},
      {"but is heard if there is no other", &kGeminiDialect, EventKind::PreToolUse,
       R"({"last":{"decision":"deny","reason":"r"}})", "", "r"},
      {"data may contain any word", &kClaudeDialect, EventKind::PreToolUse,
       R"({"hookSpecificOutput":{"updatedInput":{"decision":"deny","block":true}}})", "", ""},
      {"the other stream", &kClaudeDialect, EventKind::PreToolUse, "", R"(guard: {"decision":"block","reason":"r"})",
       "r"},
      {"the other stream is a log if there is a verdict", &kClaudeDialect, EventKind::PreToolUse,
       R"({"decision":"approve"})", R"({"decision":"block"})", ""},
      {"a reason for nothing", &kClaudeDialect, EventKind::PreToolUse, R"({"reason":"r","safe":false})", "", "failed"},
      {"a misspelt member", &kClaudeDialect, EventKind::PreToolUse, R"({"continue":true,"decison":"deny"})", "",
       "failed"},
      {"a count", &kClaudeDialect, EventKind::PreToolUse, "Denied: 0 of 12", "Blocked 3 calls today", ""},
      {"an error of another program", &kAgentHooksDialect, EventKind::PreToolUse, "permission denied (publickey)", "",
       ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer = interpret(hook_of(*c.dialect), c.event, ended(Exited{0}, c.out, c.err));
    const std::string want = c.want;
    EXPECT_EQ(answer.failure.has_value(), want == "failed") << (answer.failure ? answer.failure->what : "");
    if (want == "failed") continue;
    EXPECT_EQ(answer.effects.verdict == Verdict::Deny, !want.empty());
    if (!want.empty()) {
      EXPECT_EQ(first_text(answer.effects.reasons), want);
    }
  }
}

TEST(Interpret, MoreOutputThanTheLimitIsAFailureButNotForABlock) {
  RunOutcome outcome = ended(Exited{0}, "noise");
  outcome.out.dropped = 50'000'000;
  EXPECT_EQ(interpret(hook_of(kGeminiDialect), EventKind::PreToolUse, outcome).failure->cause, Cause::Output);
  outcome.ending = Exited{2};
  EXPECT_EQ(interpret(hook_of(kGeminiDialect), EventKind::PreToolUse, outcome).effects.verdict, Verdict::Deny);
}

TEST(Interpret, MembersOfTheWrongTypeAreIgnoredWithAComplaint) {
  const HookAnswer answer = interpret(
      hook_of(kGeminiDialect), EventKind::PreToolUse,
      ended(Exited{0}, R"({"decision":"deny","reason":7,"continue":"false","hookSpecificOutput":{"tool_input":[1]}})"));
  EXPECT_EQ(answer.effects.verdict, Verdict::Deny);
  EXPECT_TRUE(answer.effects.stop) << "a text in place of a boolean is read as what it says";
  EXPECT_FALSE(answer.effects.input);
  EXPECT_EQ(answer.complaints.size(), 3u);
}

TEST(Interpret, AnEventThatCannotBeBlockedShowsTheReason) {
  const HookAnswer answer =
      interpret(hook_of(kGeminiDialect), EventKind::SessionStart, ended(Exited{2}, "", "no session"));
  EXPECT_EQ(answer.effects.verdict, Verdict::Pass);
  EXPECT_EQ(first_text(answer.effects.messages), "no session");
}

struct GateCase {
  const char* note;
  EventKind event;
  int code;
  const char* out;
  const char* err;
  const char* want;  ///< the reason of a denial, "failed", or "" for neither
};

constexpr GateCase kGateCases[] = {
    {"a gate passes", EventKind::Stop, 0, "all fine", "", ""},
    {"any other code closes it", EventKind::Stop, 7, "3 failed", "make: error", "3 failed\nmake: error"},
    {"without a word", EventKind::SubagentStop, 1, "", "", "hook: exit 1"},
    {"JSON has a better reason", EventKind::TaskCompleted, 1, R"({"reason":"tests"})", "noise", "tests"},
    {"JSON closes it, too", EventKind::PreCompact, 0, R"({"verdict":"deny","reason":"not now"})", "", "not now"},
    {"no such program", EventKind::Stop, 127, "", "sh: make: not found", "failed"},
    {"elsewhere only 2 denies", EventKind::PreToolUse, 2, "out", "why", "why"},
    {"and others fail", EventKind::PreToolUse, 1, "", "why", "failed"},
};

TEST(Interpret, AnyProgramMayGuardAGateOfARuleFile) {
  for (const GateCase& c : kGateCases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer = interpret(hook_of(kGrapnelDialect), c.event, ended(Exited{c.code}, c.out, c.err));
    const std::string want = c.want;
    EXPECT_EQ(answer.failure.has_value(), want == "failed");
    if (want == "failed") continue;
    EXPECT_EQ(answer.effects.verdict, want.empty() ? Verdict::Pass : Verdict::Deny);
    EXPECT_EQ(first_text(answer.effects.reasons), want);
  }
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "line " + std::to_string(i) + "\n";
  const HookAnswer answer = interpret(hook_of(kGrapnelDialect), EventKind::Stop, ended(Exited{1}, lines));
  const std::string reason = first_text(answer.effects.reasons);
  EXPECT_TRUE(reason.starts_with("…\nline ") && reason.ends_with("line 999")) << reason;
  EXPECT_LT(reason.size(), 2100U);
}

TEST(Interpret, WhatAnInjectingCommandPrintsIsContext) {
  HookSpec hook = hook_of(kGrapnelDialect);
  hook.handler = CommandHandler{.inject = Inject{.budget = 20}};
  const auto context = [&](std::string_view out) {
    return first_text(interpret(hook, EventKind::SessionStart, ended(Exited{0}, std::string(out))).effects.context);
  };
  EXPECT_EQ(context("on branch main\n"), "on branch main");
  EXPECT_EQ(context(R"({"branch":"main"})"), R"({"branch":"main"})") << "JSON that is no answer is text";
  EXPECT_TRUE(context("a text that is longer than its budget").starts_with("a text that is longe"));
  EXPECT_EQ(
      first_text(interpret(hook_of(kGrapnelDialect), EventKind::SessionStart, ended(Exited{0}, "x")).effects.context),
      "")
      << "others say nothing by printing";
}

}  // namespace
}  // namespace grapnel
