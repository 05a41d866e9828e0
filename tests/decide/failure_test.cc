#include "decide/failure.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

TEST(Failure, MeansWhatTheHooksPolicySays) {
  struct Case {
    OnFailure policy;
    EventKind kind;
    Verdict want;
  };
  const Case cases[] = {
      {OnFailure::Open, EventKind::PreToolUse, Verdict::Pass},
      {OnFailure::Ask, EventKind::PreToolUse, Verdict::Ask},
      {OnFailure::Closed, EventKind::PreToolUse, Verdict::Deny},
      {OnFailure::Open, EventKind::Stop, Verdict::Pass},
      {OnFailure::Ask, EventKind::Stop, Verdict::Pass},  // nobody to ask
      {OnFailure::Closed, EventKind::Stop, Verdict::Deny},
      {OnFailure::Open, EventKind::PostToolUse, Verdict::Pass},
      {OnFailure::Ask, EventKind::PostToolUse, Verdict::Pass},
      {OnFailure::Closed, EventKind::PostToolUse, Verdict::Deny},
  };
  for (const Case& c : cases) {
    for (const Cause cause : {Cause::NotStarted, Cause::Crash, Cause::Exit, Cause::Timeout, Cause::Output}) {
      SCOPED_TRACE(std::string(to_string(c.policy)) + " at " + std::string(to_string(c.kind)));
      HookSpec hook;
      hook.name = "guard";
      hook.failure = {c.policy, c.policy};
      const Effects effects = effects_of_failure(hook, {cause, "exit 1"}, c.kind);
      EXPECT_EQ(effects.verdict, c.want);
      EXPECT_EQ(effects.messages, (std::vector<Attributed>{{"guard", "hook 'guard' failed: exit 1"}}))
          << "never silent";
      EXPECT_EQ(effects.reasons.empty(), c.want == Verdict::Pass);
    }
  }
}

TEST(Failure, TimeoutsHaveAPolicyOfTheirOwn) {
  HookSpec hook;
  hook.failure = {.on_timeout = OnFailure::Closed, .on_failure = OnFailure::Open};
  EXPECT_EQ(effects_of_failure(hook, {Cause::Timeout, ""}, EventKind::PreToolUse).verdict, Verdict::Deny);
  EXPECT_EQ(effects_of_failure(hook, {Cause::Crash, ""}, EventKind::PreToolUse).verdict, Verdict::Pass);
}

// A machine that cannot contain a hook must not become a way around the hook.
TEST(Failure, AMissingSandboxIsClosedUnlessItsFileSaysOtherwise) {
  HookSpec hook;
  hook.failure = {.on_timeout = OnFailure::Open, .on_failure = OnFailure::Open};
  EXPECT_EQ(effects_of_failure(hook, {Cause::NoSandbox, ""}, EventKind::PreToolUse).verdict, Verdict::Deny);
  EXPECT_EQ(effects_of_failure(hook, {Cause::NotStarted, ""}, EventKind::PreToolUse).verdict, Verdict::Pass);
  hook.failure.on_no_sandbox = OnFailure::Open;
  EXPECT_EQ(effects_of_failure(hook, {Cause::NoSandbox, ""}, EventKind::PreToolUse).verdict, Verdict::Pass);
}

TEST(Failure, PeopleReadTheHooksOwnWarning) {
  const Failure failure{Cause::Exit, "exit 3: no disk", "Warning: no disk"};
  HookSpec hook;
  hook.name = "guard";
  const Effects open = effects_of_failure(hook, failure, EventKind::PreToolUse);
  EXPECT_EQ(open.verdict, Verdict::Pass);
  EXPECT_EQ(open.messages, (std::vector<Attributed>{{"guard", "Warning: no disk"}}));
  hook.failure = {OnFailure::Closed, OnFailure::Closed};
  const Effects closed = effects_of_failure(hook, failure, EventKind::PreToolUse);
  EXPECT_EQ(closed.verdict, Verdict::Deny);
  EXPECT_EQ(closed.reasons, (std::vector<Attributed>{{"guard", "hook 'guard' failed: exit 3: no disk"}}));
}

TEST(Failure, ACancelledHookDecidesNothing) {
  HookSpec hook;
  hook.failure = {OnFailure::Closed, OnFailure::Closed};
  EXPECT_EQ(effects_of_failure(hook, {Cause::Cancelled, "cancelled"}, EventKind::PreToolUse).verdict, Verdict::Pass);
}

}  // namespace
}  // namespace grapnel
