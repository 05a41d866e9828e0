#include "dialect/degrade.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "dialect/answer.h"
#include "dialect/payload.h"

/// What agents cannot be told, and what becomes of it: the table that `grapnel agents` prints, and what is done.
namespace grapnel {

namespace {

std::string text_of(const Fit& fit) {
  switch (fit.how) {
    case Fit::How::Works:
      return "works";
    case Fit::How::Degrades:
      return "-> " + std::string(fit.to);
    case Fit::How::Impossible:
      return "impossible";
  }
  return "";
}

TEST(Degrade, TheTableOfEffects) {
  using enum EventKind;
  const struct {
    const Dialect* agent;
    EventKind kind;
    Wish wish;
    const char* want;
  } cases[] = {
      {&kClaudeDialect, PreToolUse, Wish::Deny, "works"},
      {&kClaudeDialect, PreToolUse, Wish::Ask, "works"},
      {&kClaudeDialect, PreToolUse, Wish::Allow, "works"},
      {&kClaudeDialect, PreToolUse, Wish::Input, "works"},
      {&kClaudeDialect, PermissionRequest, Wish::Input, "-> deny"},
      {&kClaudeDialect, UserPromptSubmit, Wish::Prompt, "-> deny"},
      {&kClaudeDialect, PostToolUse, Wish::Output, "works"},
      {&kClaudeDialect, SessionStart, Wish::Env, "works"},
      {&kClaudeDialect, SessionStart, Wish::Deny, "-> context"},
      {&kClaudeDialect, SessionEnd, Wish::Deny, "impossible"},
      {&kGeminiDialect, PreToolUse, Wish::Allow, "-> pass"},
      {&kGeminiDialect, PreToolUse, Wish::Context, "impossible"},
      {&kGeminiDialect, PostToolUse, Wish::Context, "works"},
      {&kGeminiDialect, BeforeModel, Wish::ModelRequest, "works"},
      {&kGeminiDialect, Stop, Wish::ClearContext, "works"},
      {&kCodexDialect, PreToolUse, Wish::Ask, "-> deny"},
      {&kCodexDialect, PreToolUse, Wish::Allow, "-> pass"},
      {&kCodexDialect, PreToolUse, Wish::Input, "works"},
      {&kCodexDialect, PreToolUse, Wish::Stop, "-> deny"},
      {&kCodexDialect, PermissionRequest, Wish::Ask, "works"},
      {&kCodexDialect, PermissionRequest, Wish::Input, "-> deny"},
      {&kQwenDialect, PreToolUse, Wish::Ask, "works"},
      {&kQwenDialect, PreToolUse, Wish::Message, "impossible"},
      {&kQwenDialect, Stop, Wish::Message, "works"},
      {&kKimiDialect, PreToolUse, Wish::Ask, "-> deny"},
      {&kKimiDialect, PreToolUse, Wish::Input, "-> deny"},
      {&kKimiDialect, PreToolUse, Wish::Context, "impossible"},
      {&kKimiDialect, PreToolUse, Wish::Message, "-> stderr"},
      {&kKimiDialect, PostToolUse, Wish::Deny, "impossible"},
      {&kCursorDialect, PreToolUse, Wish::Ask, "-> deny"},
      {&kCursorDialect, PreToolUse, Wish::Input, "works"},
      {&kCursorDialect, PostToolUse, Wish::Deny, "-> context"},
      {&kCursorDialect, Stop, Wish::Deny, "works"},
      {&kCopilotDialect, PreToolUse, Wish::Ask, "works"},
      {&kCopilotDialect, UserPromptSubmit, Wish::Deny, "impossible"},
      {&kCopilotDialect, UserPromptSubmit, Wish::Prompt, "impossible"},
      {&kCopilotDialect, PostToolUse, Wish::Output, "works"},
      {&kCopilotVscodeDialect, Stop, Wish::Deny, "works"},
      {&kOpencodeDialect, PreToolUse, Wish::Ask, "-> deny"},
      {&kOpencodeDialect, PreToolUse, Wish::Input, "works"},
      {&kOpencodeDialect, UserPromptSubmit, Wish::Prompt, "works"},
      {&kOpencodeDialect, Stop, Wish::Deny, "works"},
  };
  for (const auto& c : cases) {
    const EventRow* row = c.agent->find_event(c.kind);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(text_of(fit(*row, c.wish)), c.want) << c.agent->name << " " << row->wire_name << " " << to_string(c.wish);
  }
}

Effects with_everything(Verdict verdict) {
  Effects effects;
  effects.verdict = verdict;
  if (verdict >= Verdict::Ask) effects.reasons = {{"h", "why"}};
  effects.context = {{"h", "context"}};
  effects.input = Rewrite{Rewrite::Mode::Merge, Json::object({{"command", Json::string("ls -l")}})};
  effects.output = Json::string("output");
  effects.prompt = "prompt";
  effects.stop = true;
  effects.stop_reasons = {{"h", "enough"}};
  effects.messages = {{"h", "message"}};
  return effects;
}

/// Whatever is wanted of whichever event: what is told and what is on record as lost add up, and an objection is told
/// wherever one can be.
TEST(Degrade, NothingIsLostWithoutAWord) {
  for (const Dialect* agent : all_dialects()) {
    if (agent == &kCanonicalDialect || agent == &kGrapnelDialect) continue;
    for (const EventRow& row : agent->events) {
      for (const Verdict verdict : {Verdict::Pass, Verdict::Allow, Verdict::Ask, Verdict::Deny}) {
        SCOPED_TRACE(std::string(agent->name) + " " + std::string(row.wire_name) + " " +
                     std::string(to_string(verdict)));
        const auto [effects, losses] = degrade(with_everything(verdict), row, Json::object());
        const auto is_lost = [&](Wish wish) {
          return std::ranges::find(losses, to_string(wish), &Degradation::effect) != losses.end();
        };
        const bool objects = verdict >= Verdict::Ask;
        if (objects && row.verdicts.can_deny) {
          const bool is_asked =
              effects.verdict == Verdict::Ask || (row.verdicts.asks_anyway && verdict == Verdict::Ask);
          EXPECT_TRUE(effects.verdict == Verdict::Deny || is_asked || row.lost.ask == Verdict::Pass);
        }
        const bool is_on_record = is_lost(Wish::Deny) || is_lost(Wish::Ask) || is_lost(Wish::Stop);
        EXPECT_TRUE(!objects || row.verdicts.can_deny || is_on_record);
        EXPECT_EQ(is_lost(Wish::Context), written_at(row, Effect::Context) == nullptr);
        EXPECT_EQ(is_lost(Wish::Output), written_at(row, Effect::Output) == nullptr);
        EXPECT_FALSE(effects.verdict == Verdict::Deny && effects.input) << "a blocked call needs no other input";
        for (const Degradation& loss : losses) EXPECT_FALSE(loss.why.empty() || loss.to.empty()) << loss.effect;
      }
    }
  }
}

TEST(Degrade, ACanonicalEventLosesNothing) {
  EXPECT_TRUE(losses_of(with_everything(Verdict::Ask), Event(EventKind::PreToolUse, Json::object())).empty());
}

}  // namespace

}  // namespace grapnel
