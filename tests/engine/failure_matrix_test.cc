#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

/// {cause} × {what failing shall mean} × {event}: the verdict, the notice people see, and the record. Real children.

using FailureMatrix = EngineTest;

/// What one cause comes to at one event.
struct Row {
  EventKind event;
  HookFate::Kind fate;
  const char* detail;  ///< how it begins
  Verdict open, ask, closed;
};

struct CauseCase {
  const char* note;
  const char* command;
  const char* cwd;      ///< "" for the project
  const char* timeout;  ///< "" for the usual
  Row rows[3];
};

constexpr auto kPre = EventKind::PreToolUse;
constexpr auto kStop = EventKind::Stop;
constexpr auto kPost = EventKind::PostToolUse;
constexpr auto kRan = HookFate::Kind::Ran;
constexpr auto kFailed = HookFate::Kind::Failed;
constexpr auto Pass = Verdict::Pass;
constexpr auto Ask = Verdict::Ask;
constexpr auto Deny = Verdict::Deny;

// Only a tool call that has not run can be asked about.
const CauseCase kCauses[] = {
    {"spawn error",
     "true",
     "/nowhere/at/all",
     "",
     {{kPre, kFailed, "not started: ", Pass, Ask, Deny},
      {kStop, kFailed, "not started: ", Pass, Pass, Deny},
      {kPost, kFailed, "not started: ", Pass, Pass, Deny}}},
    {"signal",
     "kill -SEGV $$",
     "",
     "",
     {{kPre, kFailed, "killed by SIGSEGV", Pass, Ask, Deny},
      {kStop, kFailed, "killed by SIGSEGV", Pass, Pass, Deny},
      {kPost, kFailed, "killed by SIGSEGV", Pass, Pass, Deny}}},
    {"exit 1",
     "echo oops >&2; exit 1",
     "",
     "",
     {{kPre, kFailed, "exit 1: oops", Pass, Ask, Deny},
      {kStop, kFailed, "exit 1: oops", Pass, Pass, Deny},
      {kPost, kFailed, "exit 1: oops", Pass, Pass, Deny}}},
    {"exit 3",
     "exit 3",
     "",
     "",
     {{kPre, kFailed, "exit 3", Pass, Ask, Deny},
      {kStop, kFailed, "exit 3", Pass, Pass, Deny},
      {kPost, kFailed, "exit 3", Pass, Pass, Deny}}},
    {"exit 126: a script that is not executable",
     "./plain",
     "",
     "",
     {{kPre, kFailed, "exit 126", Pass, Ask, Deny},
      {kStop, kFailed, "exit 126", Pass, Pass, Deny},
      {kPost, kFailed, "exit 126", Pass, Pass, Deny}}},
    {"exit 127: a program that is not there",
     "no-such-program-at-all",
     "",
     "",
     {{kPre, kFailed, "exit 127", Pass, Ask, Deny},
      {kStop, kFailed, "exit 127", Pass, Pass, Deny},
      {kPost, kFailed, "exit 127", Pass, Pass, Deny}}},
    {"timeout",
     "sleep 20",
     "",
     "100ms",
     {{kPre, kFailed, "timed out after 100 ms", Pass, Ask, Deny},
      {kStop, kFailed, "timed out after 100 ms", Pass, Pass, Deny},
      {kPost, kFailed, "timed out after 100 ms", Pass, Pass, Deny}}},
    {"bad JSON; where text is context, it is text",
     "echo '{\"decision\": '",
     "",
     "",
     {{kPre, kFailed, "its output starts like JSON but is not valid", Pass, Ask, Deny},
      {kStop, kFailed, "its output starts like JSON but is not valid", Pass, Pass, Deny},
      {kPost, kRan, "exit 0", Pass, Pass, Pass}}},
    {"empty: silence is no failure",
     "true",
     "",
     "",
     {{kPre, kRan, "exit 0", Pass, Pass, Pass},
      {kStop, kRan, "exit 0", Pass, Pass, Pass},
      {kPost, kRan, "exit 0", Pass, Pass, Pass}}},
    {"oversized",
     "head -c 5000 /dev/zero | tr '\\0' x",
     "",
     "",
     {{kPre, kFailed, "it printed more than the limit", Pass, Ask, Deny},
      {kStop, kFailed, "it printed more than the limit", Pass, Pass, Deny},
      {kPost, kFailed, "it printed more than the limit", Pass, Pass, Deny}}},
};

struct PolicyCase {
  const char* word;  ///< in the file
  Verdict Row::* want;
  Origin when_asked_or_denied;
};
const PolicyCase kPolicies[] = {
    {"ignore", &Row::open, Origin::FailOpen},
    {"ask", &Row::ask, Origin::FailAsk},
    {"deny", &Row::closed, Origin::FailClosed},
};

Json settings_for(const CauseCase& cause, const PolicyCase& policy) {
  const Json hook = Json::object({{"type", Json::string("command")}, {"command", Json::string(cause.command)}});
  const Json group = Json::array({Json::object({{"name", Json::string("guard")}, {"hooks", Json::array({hook})}})});
  return Json::object({{"hooks", Json::object({{"timeoutBehavior", Json::string(policy.word)},
                                               {"failureBehavior", Json::string(policy.word)},
                                               {"PreToolUse", group},
                                               {"Stop", group},
                                               {"PostToolUse", group}})}});
}

TEST_F(FailureMatrix, EveryCausePolicyAndEvent) {
  dir_.put("project/plain", "echo\n", 0644);
  for (const CauseCase& cause : kCauses) {
    for (const PolicyCase& policy : kPolicies) {
      EngineOptions with = options();
      with.configs.push_back({"clawd", "", settings_for(cause, policy)});
      with.limits.max_output = 1024;
      if (*cause.timeout != '\0') with.env->push_back(std::string("GRAPNEL_TIMEOUT=") + cause.timeout);
      const auto engine = Engine::create(with);
      for (const Row& row : cause.rows) {
        SCOPED_TRACE(std::string(cause.note) + " / " + policy.word + " / " + std::string(to_string(row.event)));
        notices_.clear();
        sink_->records.clear();
        const Json cwd = *cause.cwd == '\0' ? Json() : Json::string(cause.cwd);
        const Decision decision = engine->fire(
            Event(row.event, Json::object({{"tool_name", Json::string("Bash")}, {"cwd", cwd}, {"project_dir", cwd}})));

        const Verdict want = row.*policy.want;
        EXPECT_EQ(decision.verdict(), want);
        const std::string notice = "hook 'guard' failed: " + std::string(row.detail);
        if (row.fate == kFailed) {
          ASSERT_FALSE(notices_.empty());
          EXPECT_TRUE(notices_.front().starts_with(notice)) << notices_.front();
          EXPECT_EQ(decision.origin, want == Pass ? Origin::FailOpen : policy.when_asked_or_denied);
        } else {
          EXPECT_TRUE(notices_.empty());
          EXPECT_EQ(decision.origin, Origin::Hook);
        }
        EXPECT_EQ(decision.reason().starts_with(notice), want != Pass) << decision.reason();

        ASSERT_EQ(sink_->records.size(), 1u);
        const Record& record = sink_->records.front();
        EXPECT_EQ(record.verdict, want);
        EXPECT_EQ(record.origin, decision.origin);
        EXPECT_EQ(record.decided_by, want == Pass ? "" : "guard");
        ASSERT_EQ(record.hooks.size(), 1u);
        EXPECT_EQ(record.hooks[0].kind, row.fate);
        EXPECT_TRUE(record.hooks[0].detail.starts_with(row.detail)) << record.hooks[0].detail;
        EXPECT_EQ(record.hooks[0].verdict, want);
      }
    }
  }
}

}  // namespace
}  // namespace grapnel::testing
