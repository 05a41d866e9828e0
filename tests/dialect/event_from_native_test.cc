#include <gtest/gtest.h>

#include "grapnel/event.h"

#include "dialect/json_text.h"

namespace grapnel {

namespace {

struct KindCase {
  const char* note;
  const char* dialect;
  const char* payload;
  const char* name;
  EventKind want;
};

TEST(FromNative, FindsTheKind) {
  const KindCase cases[] = {
      {"the payload says it", "gemini", R"({"hook_event_name": "BeforeTool"})", "", EventKind::PreToolUse},
      {"the caller says it", "gemini", R"({})", "BeforeTool", EventKind::PreToolUse},
      {"both say the same", "gemini", R"({"hook_event_name": "BeforeTool"})", "BeforeTool", EventKind::PreToolUse},
      {"both say the same in two spellings", "gemini", R"({"hook_event_name": "BeforeTool"})", "block-tool",
       EventKind::PreToolUse},
      {"the caller says it canonically", "gemini", R"({"hook_event_name": "BeforeTool"})", "PreToolUse",
       EventKind::PreToolUse},
      {"an alias in the payload", "gemini", R"({"hook_event_name": "session-startup"})", "", EventKind::SessionStart},
      {"a canonical name in the payload", "gemini", R"({"hook_event_name": "UserPromptSubmit"})", "",
       EventKind::UserPromptSubmit},
      {"a tool that succeeded", "gemini", R"({"hook_event_name": "AfterTool", "tool_response": {"llmContent": "x"}})",
       "", EventKind::PostToolUse},
      {"a tool that failed", "gemini",
       R"({"hook_event_name": "AfterTool", "tool_response": {"error": {"message": "x"}}})", "",
       EventKind::PostToolUseFailure},
      {"an error that is null is none", "gemini",
       R"({"hook_event_name": "AfterTool", "tool_response": {"error": null}})", "", EventKind::PostToolUse},
      {"no response at all", "gemini", R"({"hook_event_name": "AfterTool"})", "", EventKind::PostToolUse},
      {"the payload tells rows of one name apart", "gemini",
       R"({"hook_event_name": "AfterTool", "tool_response": {"error": "x"}})", "AfterTool",
       EventKind::PostToolUseFailure},
      {"clawd", "clawd", R"({"hook_event_name": "Compaction"})", "", EventKind::PreCompact},
      {"canonical", "canonical", R"({"event": "TurnEnd"})", "", EventKind::TurnEnd},
  };
  for (const KindCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto event = Event::from_native(c.dialect, parse(c.payload), c.name);
    ASSERT_TRUE(event.has_value()) << event.error().message;
    EXPECT_EQ(to_string(event->kind()), to_string(c.want));
    EXPECT_EQ(event->dialect_name(), c.dialect);
    EXPECT_EQ(event->payload().dump(), parse(c.payload).dump());
  }
}

struct ErrorCase {
  const char* note;
  const char* dialect;
  const char* payload;
  const char* name;
  const char* want;
};

TEST(FromNative, SaysWhatIsWrong) {
  const ErrorCase cases[] = {
      {"unknown dialect", "gemnii", "{}", "BeforeTool", "unknown dialect 'gemnii'; did you mean 'gemini'?"},
      {"nothing near", "quux", "{}", "", "unknown dialect 'quux'"},
      {"no object", "gemini", "[]", "BeforeTool", "the payload must be a JSON object"},
      {"a string", "gemini", "\"BeforeTool\"", "", "the payload must be a JSON object"},
      {"nobody says it", "gemini", R"({"tool_name": "x"})", "",
       "the payload names no event ('hook_event_name' is missing); say which one it is"},
      {"a name that is no string", "gemini", R"({"hook_event_name": 7})", "",
       "the payload names no event ('hook_event_name' is missing); say which one it is"},
      {"unknown in our own words", "canonical", R"({"event": "PreTolUse"})", "",
       "'PreTolUse' is not an event of dialect canonical; did you mean 'PreToolUse'?"},
      {"two unknown names", "gemini", R"({"hook_event_name": "OnOne"})", "OnOther",
       "the payload says 'OnOne' but the event was given as 'OnOther'"},
      {"a known and an unknown name", "gemini", R"({"hook_event_name": "OnOne"})", "BeforeTool",
       "the payload says 'OnOne' but the event was given as 'BeforeTool'"},
      {"unknown event from the caller", "clawd", R"({})", "PreToolUsed",
       "'PreToolUsed' is not an event of dialect clawd; did you mean 'PreToolUse'?"},
      {"an event only others have", "clawd", R"({})", "BeforeModel", "'BeforeModel' is not an event of dialect clawd"},
      {"they disagree", "gemini", R"({"hook_event_name": "BeforeTool"})", "AfterTool",
       "the payload says 'BeforeTool' but the event was given as 'AfterTool'"},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto event = Event::from_native(c.dialect, parse(c.payload), c.name);
    ASSERT_FALSE(event.has_value());
    EXPECT_EQ(event.error().code, Errc::BadInput);
    EXPECT_EQ(event.error().message, c.want);
  }
}

/// Agents invent events faster than tables are written.
TEST(FromNative, AnEventThatNoTableKnowsKeepsItsName) {
  struct Case {
    const char* note;
    const char* dialect;
    const char* payload;
    const char* name;
    EventKind want;
    const char* called;
  };
  const Case cases[] = {
      {"new in an agent", "claude", R"({"hook_event_name": "MoonRose"})", "", EventKind::Other, "MoonRose"},
      {"near a known one; the agent must know", "gemini", R"({"hook_event_name": "BeforeTol"})", "", EventKind::Other,
       "BeforeTol"},
      {"listed", "cursor", R"({"hook_event_name": "workspaceOpen"})", "", EventKind::Other, "workspaceOpen"},
      {"named by the caller", "claude", "{}", "MoonRose", EventKind::Other, "MoonRose"},
      {"an agent that names no events", "copilot", "{}", "moonRose", EventKind::Other, "moonRose"},
      {"of another agent, in our words", "canonical", R"({"event": "SessionDelete"})", "", EventKind::Other,
       "SessionDelete"},
      {"a kind that this agent did not have", "gemini", R"({"hook_event_name": "CwdChanged"})", "",
       EventKind::CwdChanged, "CwdChanged"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto event = Event::from_native(c.dialect, parse(c.payload), c.name);
    ASSERT_TRUE(event.has_value()) << event.error().message;
    EXPECT_EQ(to_string(event->kind()), to_string(c.want));
    EXPECT_EQ(event->name(), c.called);
    EXPECT_EQ(event->text(Field::EventName), c.called);
    EXPECT_EQ(event->get(Field::EventName).as_string(), c.called) << "in canonical words, too";
  }
}

TEST(FromNative, AMissingPayloadIsNoObject) {
  EXPECT_FALSE(Event::from_native("gemini", Json(), "BeforeTool").has_value());
}

}  // namespace

}  // namespace grapnel
