#include "session/call_dedupe.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

Event told_by(std::string_view dialect, const char* payload) {
  auto event = Event::from_native(dialect, *Json::parse(payload));
  EXPECT_TRUE(event.has_value()) << (event ? "" : event.error().to_string());
  return *event;
}

// Cursor tells a shell call at two of its events.
Event general() {
  return told_by("cursor", R"({"hook_event_name":"preToolUse","conversation_id":"c1","session_id":"c1",
      "cursor_version":"2026.09","tool_name":"Shell","tool_input":{"command":"ls"}})");
}
Event special() {
  return told_by("cursor", R"({"hook_event_name":"beforeShellExecution","conversation_id":"c1","session_id":"c1",
      "cursor_version":"2026.09","command":"ls"})");
}

TEST(CallDedupe, AnotherRouteTakesTheDecision) {
  EXPECT_EQ(call_key(general()), call_key(special()));
  const auto sessions = make_memory_session_store();
  const Event first = general();
  const Event second = special();
  CallDedupe deciding(first, *sessions);
  EXPECT_FALSE(deciding.join()) << "the first to tell the call decides";
  deciding.settle(Decision{.decided_by = "guard"});
  CallDedupe taking(second, *sessions);
  const auto taken = taking.join();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->decided_by, "guard");
}

TEST(CallDedupe, TheSameRouteTellsAnotherCall) {
  const auto sessions = make_memory_session_store();
  const Event event = general();
  CallDedupe first(event, *sessions);
  EXPECT_FALSE(first.join());
  first.settle(Decision{.decided_by = "guard"});
  EXPECT_FALSE(CallDedupe(event, *sessions).join());
}

// A provider may count its ids from zero in every answer: `call_0` then names another call each time.
TEST(CallDedupe, AnIdThatIsUsedAgainIsAnotherCall) {
  const auto sessions = make_memory_session_store();
  const Event event = told_by("claude", R"({"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"Read",
      "tool_use_id":"call_0","tool_input":{"file_path":"notes.txt"}})");
  CallDedupe first(event, *sessions);
  EXPECT_FALSE(first.join());
  first.settle(Decision{.decided_by = "guard"});
  EXPECT_FALSE(CallDedupe(event, *sessions).join());
}

TEST(CallDedupe, ACallThatWasGivenUpIsDecidedByTheNextRoute) {
  const auto sessions = make_memory_session_store();
  const Event first = general();
  const Event second = special();
  CallDedupe given_up(first, *sessions);
  EXPECT_FALSE(given_up.join());
  given_up.settle(std::nullopt);
  EXPECT_FALSE(CallDedupe(second, *sessions).join());
}

}  // namespace
}  // namespace grapnel
