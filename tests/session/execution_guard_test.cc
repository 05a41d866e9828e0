#include "session/execution_guard.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

Event call(EventKind kind, std::string_view tool, std::string_view command, std::string_view id) {
  return Event(kind, Json::object({{"tool_name", Json::string(tool)},
                                   {"tool_input", Json::object({{"command", Json::string(command)}})},
                                   {"tool_use_id", Json::string(id)}}));
}

TEST(ExecutionGuard, TheKeyIsAboutTheWholeCall) {
  const auto key = [](EventKind kind, std::string_view tool, std::string_view command, std::string_view id,
                      const std::string& digest = "d1") { return guard_key(call(kind, tool, command, id), digest); };
  const std::string one = key(EventKind::PreToolUse, "Bash", "ls", "u1");
  EXPECT_EQ(key(EventKind::PreToolUse, "Bash", "ls", "u1"), one);
  EXPECT_NE(key(EventKind::PostToolUse, "Bash", "ls", "u1"), one);
  EXPECT_NE(key(EventKind::PreToolUse, "Read", "ls", "u1"), one);
  EXPECT_NE(key(EventKind::PreToolUse, "Bash", "rm", "u1"), one);
  EXPECT_NE(key(EventKind::PreToolUse, "Bash", "ls", "u2"), one);
  EXPECT_NE(key(EventKind::PreToolUse, "Bash", "ls", "u1", "d2"), one) << "other hooks may decide otherwise";
  EXPECT_EQ(key(EventKind::PreToolUse, "Bash", "ls", ""), "") << "nothing tells two such calls apart";
  EXPECT_EQ(key(EventKind::PermissionRequest, "Bash", "ls", "u1"), "");
}

TEST(ExecutionGuard, RemembersAndForgetsTheOldest) {
  SessionState state;
  EXPECT_EQ(recall_decision(state, "k0"), nullptr);
  for (size_t i = 0; i <= SessionState::kMaxRemembered; ++i) {
    remember_decision(state, "k" + std::to_string(i), {.decided_by = "hook " + std::to_string(i)});
  }
  EXPECT_EQ(recall_decision(state, "k0"), nullptr);
  ASSERT_NE(recall_decision(state, "k1"), nullptr);
  EXPECT_EQ(recall_decision(state, "k1")->decided_by, "hook 1");
  EXPECT_EQ(recall_decision(state, ""), nullptr) << "no key: not guarded";
}

}  // namespace
}  // namespace grapnel
