#include "dialect/payload.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "dialect/json_text.h"

namespace grapnel {

namespace {

Event event_of(std::string_view dialect, std::string_view payload) {
  return Event::from_native(dialect, parse(payload)).value();
}

struct TranslateCase {
  const char* note;
  const char* from;
  const char* payload;
  const char* to;
  const char* want;
};

TEST(Payload, BetweenDialects) {
  const TranslateCase cases[] = {
      {"a tool call, gemini to clawd: names of fields, of the tool and of its arguments", "gemini",
       R"({"session_id": "s", "cwd": "/p", "hook_event_name": "BeforeTool", "timestamp": "t", "tool_name": "grep_search", "tool_input": {"pattern": "x", "dir_path": "/d", "include": "*.c"}})",
       "clawd",
       R"({"hook_event_name":"PreToolUse","timestamp":"t","project_dir":"/p","session_id":"s","tool_name":"Grep","tool_input":{"pattern":"x","path":"/d","glob":"*.c"}})"},
      {"a tool call, clawd to gemini; what has no place there is extra", "clawd",
       R"({"hook_event_name": "PreToolUse", "session_id": "s", "project_dir": "/p", "permission_mode": "autoEdit", "tool_name": "Bash", "tool_use_id": "u1", "tool_input": {"command": "ls"}})",
       "gemini",
       R"({"session_id":"s","cwd":"/p","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"},"extra":{"clawd":{"permission_mode":"autoEdit","tool_use_id":"u1"}}})"},
      {"to canonical words, values too", "clawd",
       R"({"hook_event_name": "PreToolUse", "permission_mode": "autoEdit", "tool_name": "Read", "tool_input": {"file_path": "a"}})",
       "canonical",
       R"({"event":"PreToolUse","permission_mode":"auto-edit","tool_name":"Read","tool_input":{"file_path":"a"}})"},
      {"from canonical words", "canonical",
       R"({"event": "PreToolUse", "permission_mode": "auto-edit", "tool_name": "Edit", "tool_input": {"file_path": "a"}})",
       "clawd",
       R"({"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"a"},"permission_mode":"autoEdit"})"},
      {"two directories where the other knows one", "canonical",
       R"({"event": "TurnEnd", "cwd": "/p/sub", "project_dir": "/p"})", "canonical",
       R"({"event":"TurnEnd","cwd":"/p/sub","project_dir":"/p"})"},
      {"canonical events say more than any dialect: no extra", "canonical",
       R"({"event": "Stop", "cwd": "/p/sub", "project_dir": "/p"})", "clawd",
       R"({"hook_event_name":"Stop","project_dir":"/p"})"},
      {"fields nobody knows are extra", "gemini",
       R"({"hook_event_name": "BeforeAgent", "prompt": "hi", "mood": {"level": 1.50}})", "clawd",
       R"({"hook_event_name":"UserPromptSubmit","prompt_content":"hi","extra":{"gemini":{"mood":{"level":1.50}}}})"},
      {"also in canonical words", "gemini", R"({"hook_event_name": "BeforeAgent", "prompt": "hi", "mood": 1})",
       "canonical", R"({"event":"UserPromptSubmit","prompt":"hi","extra":{"gemini":{"mood":1}}})"},
      {"a tool nobody knows keeps its name and arguments", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "my_tool", "tool_input": {"dir_path": "/d"}})", "canonical",
       R"({"event":"PreToolUse","tool_name":"my_tool","tool_input":{"dir_path":"/d"}})"},
      {"a tool of a server", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "mcp_git_log", "tool_input": {"dir_path": "/d"}})",
       "canonical",
       R"({"event":"PreToolUse","tool_name":"mcp__git__log","tool_input":{"dir_path":"/d"},"mcp_context":{"server_name":"git","tool_name":"log"}})"},
      {"a server with an underscore in its name, as the context says", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "mcp_my_git_log", "tool_input": {}, "mcp_context": {"server_name": "my_git", "tool_name": "log"}})",
       "codex",
       R"({"hook_event_name":"PreToolUse","tool_name":"mcp__my_git__log","tool_input":{},"extra":{"gemini":{"mcp_context":{"server_name":"my_git","tool_name":"log"}}}})"},
      {"a context for those who look for it", "claude",
       R"({"hook_event_name": "PreToolUse", "tool_name": "mcp__my_git__log", "tool_input": {}})", "gemini",
       R"({"hook_event_name":"BeforeTool","tool_name":"mcp_my_git_log","tool_input":{},"mcp_context":{"server_name":"my_git","tool_name":"log"}})"},
      {"an error inside a response", "gemini",
       R"({"hook_event_name": "AfterTool", "tool_name": "replace", "tool_input": {}, "tool_response": {"error": "boom"}})",
       "clawd",
       R"({"hook_event_name":"PostToolUseFailure","tool_name":"Edit","tool_input":{},"error":"boom","extra":{"gemini":{"tool_response":{"error":"boom"}}}})"},
      {"an error into a response", "clawd",
       R"({"hook_event_name": "PostToolUseFailure", "tool_name": "Edit", "tool_input": {}, "error": "boom"})", "gemini",
       R"({"hook_event_name":"AfterTool","tool_name":"replace","tool_input":{},"tool_response":{"error":"boom"}})"},
      {"session sources", "canonical", R"({"event": "SessionStart", "source": "compact"})", "gemini",
       R"({"hook_event_name":"SessionStart","source":"startup"})"},
      {"end reasons: two spellings of one", "gemini",
       R"({"hook_event_name": "SessionEnd", "reason": "prompt_input_exit"})", "canonical",
       R"({"event":"SessionEnd","reason":"exit"})"},
      {"end reasons: anything else is other", "canonical", R"({"event": "SessionEnd", "reason": "crash"})", "gemini",
       R"({"hook_event_name":"SessionEnd","reason":"other"})"},
      {"kinds of notification", "gemini",
       R"({"hook_event_name": "Notification", "notification_type": "ToolPermission", "message": "m", "details": {}})",
       "clawd", R"({"hook_event_name":"Notification","message":"m","level":"info","extra":{"gemini":{"details":{}}}})"},
      {"compaction", "clawd", R"({"hook_event_name": "Compaction", "pre_tokens": 10, "message_count": 2})", "gemini",
       R"({"hook_event_name":"PreCompress","extra":{"clawd":{"pre_tokens":10,"message_count":2}}})"},
      {"compaction in canonical words", "clawd",
       R"({"hook_event_name": "Compaction", "pre_tokens": 10, "message_count": 2})", "canonical",
       R"({"event":"PreCompact","messages_before":2,"tokens_before":10})"},
      {"a value of another type is passed on", "canonical", R"({"event": "SessionStart", "source": 7})", "gemini",
       R"({"hook_event_name":"SessionStart","source":7})"},
  };
  for (const TranslateCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(payload_for(event_of(c.from, c.payload), *find_dialect(c.to), {}), c.want);
  }
}

TEST(Payload, TheHostsOwnDialectGetsTheHostsBytes) {
  const char* const payloads[] = {
      R"({"hook_event_name":"BeforeTool","tool_input":{"n":1.50e0,"s":"\u00e9\/"}})",
      R"({  "hook_event_name" : "BeforeTool" ,"unknown":[1 ,2],"unknown":null })",
      "{\n\t\"tool_name\": 7,\n\t\"hook_event_name\": \"before-tool\"\n}",
  };
  for (const char* payload : payloads) {
    const Supplements supplements = [](Field) { return std::string("s"); };
    const Event event = event_of("gemini", payload);
    EXPECT_EQ(payload_for(event, kGeminiDialect, supplements), payload);
    const auto shared = shared_payload_for(event, kGeminiDialect, supplements, "");
    EXPECT_EQ(*shared, payload);
    EXPECT_EQ(shared->data(), event.payload().raw().data()) << "not copied";
  }
}

TEST(Payload, SupplementsFillWhatTheHostDidNotSay) {
  const std::map<Field, const char*> known = {{Field::SessionId, "supplied"},
                                              {Field::Timestamp, "now"},
                                              {Field::PermissionMode, "auto-edit"},
                                              {Field::ProjectDir, "/supplied"}};
  const Supplements supplements = [&](Field field) -> Supplement {
    if (!known.contains(field)) return {};
    return known.at(field);
  };
  const Event event =
      event_of("gemini", R"({"hook_event_name": "BeforeTool", "session_id": "said", "tool_name": "glob"})");
  EXPECT_EQ(
      payload_for(event, kClawdDialect, supplements),
      R"({"hook_event_name":"PreToolUse","timestamp":"now","project_dir":"/supplied","session_id":"said","tool_name":"Glob","permission_mode":"autoEdit"})");
}

struct SupplementCase {
  const char* note;
  const char* payload;
  Supplement known;  ///< of every field that is asked for
  const char* to;
  const char* want;
};

TEST(Payload, SupplementsOfEveryType) {
  const SupplementCase cases[] = {
      {"nothing", R"({"event":"Stop"})", {}, "clawd", R"({"hook_event_name":"Stop"})"},
      {"a flag", R"({"event":"Stop"})", true, "claude",
       R"({"transcript_path":true,"cwd":true,"hook_event_name":"Stop","permission_mode":true,"stop_hook_active":true})"},
      {"a number", R"({"event":"Stop"})", int64_t{-7}, "claude",
       R"({"transcript_path":-7,"cwd":-7,"hook_event_name":"Stop","permission_mode":-7,"stop_hook_active":-7})"},
      {"a text that has to be escaped", R"({"event":"SessionStart","cwd":"/said"})", "\"", "claude",
       R"({"transcript_path":"\"","cwd":"/said","hook_event_name":"SessionStart"})"},
  };
  for (const SupplementCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(payload_for(event_of("canonical", c.payload), *find_dialect(c.to), [&](Field) { return c.known; }),
              c.want);
  }
}

TEST(Payload, MembersByTheRowsOfTheTable) {
  const struct {
    const char* note;
    const char* payload;
    const char* want;
  } cases[] = {
      {"in the table's order", R"({"session_id":"s","cwd":"/d","hook_event_name":"Stop","stop_hook_active":true})",
       R"({"event":"Stop","session_id":"s","cwd":"/d","project_dir":"/d","stop_hook_active":true})"},
      {"in another", R"({"stop_hook_active":true,"hook_event_name":"Stop","cwd":"/d","session_id":"s"})",
       R"({"event":"Stop","session_id":"s","cwd":"/d","project_dir":"/d","stop_hook_active":true})"},
      {"of a name that is there twice the last", R"({"cwd":"/a","hook_event_name":"Stop","cwd":"/b"})",
       R"({"event":"Stop","cwd":"/b","project_dir":"/b"})"},
      {"a name with an escape", R"({"\u0063wd":"/a","hook_event_name":"Stop"})",
       R"({"event":"Stop","cwd":"/a","project_dir":"/a"})"},
      {"a name that no table has, with one", R"({"hook_event_name":"Stop","\u0061\n":[1, 2]})",
       R"({"event":"Stop","extra":{"claude":{"a\n":[1,2]}}})"},
      {"a name that reads like a pointer", R"({"hook_event_name":"Stop","/cwd":"/a"})",
       R"({"event":"Stop","extra":{"claude":{"/cwd":"/a"}}})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(payload_for(event_of("claude", c.payload), kCanonicalDialect, {}), c.want);
  }
}

/// Writers of payloads count on it: a key is set once.
TEST(Payload, KeysOfATableAreDifferent) {
  const auto are_different = [](std::span<const FieldRow> rows) {
    std::set<std::string_view> keys;
    for (const FieldRow& row : rows) keys.insert(row.key);
    return keys.size() == rows.size() && !keys.contains("");
  };
  for (const Dialect* dialect : all_dialects()) {
    EXPECT_TRUE(are_different(dialect->payload.common_inputs)) << dialect->name;
    for (const EventRow& row : dialect->events)
      EXPECT_TRUE(are_different(row.payload.inputs)) << dialect->name << row.wire_name;
  }
}

struct FieldCase {
  const char* note;
  const char* dialect;
  const char* payload;
  Field field;
  const char* want;  ///< JSON text, "" for missing
};

TEST(Payload, FieldsInCanonicalWords) {
  const FieldCase cases[] = {
      {"by its wire name", "clawd", R"({"hook_event_name": "UserPromptSubmit", "prompt_content": "hi"})", Field::Prompt,
       "\"hi\""},
      {"the event's name", "gemini", R"({"hook_event_name": "allow-tool"})", Field::EventName, "\"PreToolUse\""},
      {"the tool's name", "gemini", R"({"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"})",
       Field::ToolName, "\"Bash\""},
      {"its arguments", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "glob", "tool_input": {"dir_path": "/d"}})", Field::ToolInput,
       R"({"path":"/d"})"},
      {"its path", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": {"file_path": "/a"}})",
       Field::ToolPath, "\"/a\""},
      {"its command", "gemini",
       R"({"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}})",
       Field::ToolCommand, "\"ls\""},
      {"in canonical words any tool may have a command", "clawd",
       R"({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"command": "ls"}})",
       Field::ToolCommand, "\"ls\""},
      {"an error inside a response", "gemini",
       R"({"hook_event_name": "AfterTool", "tool_response": {"error": {"message": "x"}}})", Field::Error,
       R"({"message":"x"})"},
      {"not there", "gemini", R"({"hook_event_name": "BeforeTool"})", Field::SessionId, ""},
      {"no such field in that dialect", "gemini", R"({"hook_event_name": "BeforeTool", "tool_use_id": "u"})",
       Field::ToolUseId, ""},
  };
  for (const FieldCase& c : cases) {
    SCOPED_TRACE(c.note);
    const Json value = event_of(c.dialect, c.payload).get(c.field);
    EXPECT_EQ(value ? value.dump() : "", c.want);
  }
}

TEST(Payload, AChangedFieldLeavesTheRestAsItWas) {
  const Event event =
      event_of("gemini", R"({"hook_event_name": "AfterTool", "n": 1.50, "tool_response": {"error": "a", "x": 1}})");
  EXPECT_EQ(with_field(event, Field::Error, Json::string("b")).payload().dump(),
            R"({"hook_event_name":"AfterTool","n":1.50,"tool_response":{"error":"b","x":1}})");
  EXPECT_EQ(with_field(event, Field::TaskId, Json::string("b")).payload().dump(), event.payload().dump())
      << "a field the dialect does not have";
}

/// Every kind both dialects know survives the way there and back, as far as the other has a place for it.
TEST(Payload, CommonFieldsSurviveAnyWayThere) {
  for (const Dialect* from : all_dialects()) {
    for (const Dialect* to : all_dialects()) {
      for (const EventRow& row : from->events) {
        if (to->find_event(row.kind) == nullptr) continue;
        SCOPED_TRACE(std::string(from->name) + " " + std::string(row.wire_name) + " to " + std::string(to->name));
        const Event event = Event(row.kind, Json::object({{"session_id", Json::string("s-1")}}));
        const std::string there = payload_for(event, *to, {});
        const auto back = Event::from_native(to->name, parse(there), to->find_event(row.kind)->wire_name);
        ASSERT_TRUE(back.has_value()) << there;
        EXPECT_EQ(back->text(Field::SessionId), "s-1");
      }
    }
  }
}

}  // namespace

}  // namespace grapnel
