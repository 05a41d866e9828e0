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
      {"unknown event in the payload", "gemini", R"({"hook_event_name": "BeforeTol"})", "",
       "'BeforeTol' is not an event of dialect gemini; did you mean 'BeforeTool'?"},
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

TEST(FromNative, AMissingPayloadIsNoObject) {
  EXPECT_FALSE(Event::from_native("gemini", Json(), "BeforeTool").has_value());
}

}  // namespace

}  // namespace grapnel
