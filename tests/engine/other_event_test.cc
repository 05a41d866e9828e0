#include <fstream>

#include "dialect/answer.h"
#include "engine/fixture.h"

// Events that only few agents have, and events that no table knows.

namespace grapnel::testing {
namespace {

class OtherEventTest : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine_for(const std::string& rules, const std::string& claude = "") {
    EngineOptions out = options();
    out.recording.unmatched = true;
    out.configs.push_back({"", dir_.put("rules/grapnel.yaml", "version: 1\nhooks:\n" + rules), {}});
    if (!claude.empty()) out.configs.push_back({"claude", "", json(claude)});
    return Engine::create(std::move(out));
  }

  static Event claude(const std::string& payload) {
    auto event = Event::from_native("claude", json(payload).with("session_id", Json::string("s")));
    EXPECT_TRUE(event) << (event ? "" : event.error().message);
    return event ? *event : Event(EventKind::Other, Json());
  }
};

TEST_F(OtherEventTest, HooksOnItsNameRun) {
  const auto engine = engine_for(
      "  - {name: rule, on: [MoonRose, Stop], notify: up}\n"
      "  - {name: any, on: Other, notify: something}\n"
      "  - {name: not-this, on: SunSet, notify: down}\n",
      R"({"hooks": {"MoonRose": [{"hooks": [{"type": "command", "command": "cat > seen"}]}],
                    "SunSet": [{"hooks": [{"type": "command", "command": "touch never"}]}]}})");
  const Decision decision = engine->fire(claude(R"({"hook_event_name": "MoonRose", "phase": "full"})"));
  std::vector<std::string> names;
  for (const HookFate& fate : decision.hooks) {
    EXPECT_EQ(fate.kind, HookFate::Kind::Ran) << fate.detail;
    names.push_back(fate.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"rule", "any", "cat > seen"}));
  EXPECT_TRUE(std::filesystem::exists(dir_ / "project/seen"));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/never"));
  EXPECT_EQ(sink_->records.back().other_event, "MoonRose");
}

TEST_F(OtherEventTest, ItIsRecordedAlthoughNobodyListens) {
  engine_for("  - {name: a, on: Stop, notify: x}\n")->fire(claude(R"({"hook_event_name": "MoonRose"})"));
  ASSERT_EQ(sink_->records.size(), 1u);
  EXPECT_EQ(sink_->records[0].event, EventKind::Other);
  EXPECT_EQ(sink_->records[0].other_event, "MoonRose");
}

/// What the agent would make of an answer is not known, so it gets none that could do harm.
TEST_F(OtherEventTest, TheAnswerDegradesToSilence) {
  const auto engine = engine_for("  - {name: a, on: MoonRose, run: 'echo no >&2; exit 2'}\n");
  const Event event = claude(R"({"hook_event_name": "MoonRose"})");
  const Decision decision = engine->fire(event);
  EXPECT_FALSE(decision.denied());
  const WireAnswer answer = write_answer(decision, event, event.dialect());
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out, "");
}

TEST_F(OtherEventTest, WhatClaudeCanBeToldAtItsRarerEvents) {
  struct Case {
    const char* note;
    const char* rule;
    const char* payload;
    int exit_code;
    const char* out;
  };
  const Case cases[] = {
      {"a changed setting is not applied", "{name: a, on: ConfigChange, when: {path: '**/settings.json'}, deny: no}",
       R"({"hook_event_name": "ConfigChange", "source": "project_settings", "file_path": "/p/.claude/settings.json"})",
       0, R"({"decision":"block","reason":"no"})"},
      {"another file is", "{name: a, on: ConfigChange, when: {path: '**/settings.json'}, deny: no}",
       R"({"hook_event_name": "ConfigChange", "source": "skills", "file_path": "/p/x.md"})", 0, ""},
      {"a slash command", "{name: a, on: UserPromptExpansion, when: {prompt: '*deploy*'}, deny: not today}",
       R"({"hook_event_name": "UserPromptExpansion", "command_name": "deploy", "prompt": "please deploy"})", 0,
       R"({"decision":"block","reason":"not today"})"},
      {"a batch of calls", "{name: a, on: PostToolBatch, inject: mind the gap}",
       R"({"hook_event_name": "PostToolBatch", "tool_calls": []})", 0,
       R"({"hookSpecificOutput":{"additionalContext":"mind the gap","hookEventName":"PostToolBatch"}})"},
      {"a task", "{name: a, on: TaskCreated, deny: too many}",
       R"({"hook_event_name": "TaskCreated", "task_id": "1", "task_subject": "x"})", 2, ""},
      {"an idle teammate", "{name: a, on: TeammateIdle, run: 'false'}",
       R"({"hook_event_name": "TeammateIdle", "teammate_name": "t"})", 2, ""},
      {"a question of a server", "{name: a, on: Elicitation, when: {session: evil}, deny: no}",
       R"({"hook_event_name": "Elicitation", "mcp_server_name": "evil", "message": "password?"})", 2, ""},
      {"a directory cannot be left again, but people are told",
       "{name: a, on: CwdChanged, when: {path: /etc/**}, notify: careful}",
       R"({"hook_event_name": "CwdChanged", "old_cwd": "/", "new_cwd": "/etc/ssl"})", 0,
       R"({"systemMessage":"careful"})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto engine = engine_for("  - " + std::string(c.rule) + "\n");
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    const Event event = claude(c.payload);
    const WireAnswer answer = write_answer(engine->fire(event), event, event.dialect());
    EXPECT_EQ(answer.exit_code, c.exit_code);
    EXPECT_EQ(answer.out.empty() ? "" : json(answer.out).dump(), c.out);
  }
}

TEST_F(OtherEventTest, ThePathOfTheEventIsAnArgument) {
  engine_for("  - {name: a, on: CwdChanged, run: 'echo {path} {event} > went'}\n")
      ->fire(claude(R"({"hook_event_name": "CwdChanged", "old_cwd": "/", "new_cwd": "/usr/lib"})"));
  std::ifstream went(dir_ / "project/went");
  std::string line;
  std::getline(went, line);
  EXPECT_EQ(line, "/usr/lib CwdChanged");
}

TEST_F(OtherEventTest, AReasonSaysWhichSubagentAsked) {
  const auto engine = engine_for("  - {name: a, on: PreToolUse, deny: Not here.}\n");
  const char* call = R"({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {})";
  EXPECT_EQ(engine->fire(claude(call + std::string("}"))).reason(), "Not here.");
  EXPECT_EQ(engine->fire(claude(call + std::string(R"(, "agent_id": "1", "agent_type": "Explore"})"))).reason(),
            "Not here. (in the subagent Explore)");
  EXPECT_EQ(engine->fire(claude(call + std::string(R"(, "agent_id": "1"})"))).reason(), "Not here. (in a subagent)");
  EXPECT_EQ(engine->fire(claude(call + std::string(R"(, "agent_type": "main"})"))).reason(), "Not here.")
      << "the main conversation may have a type, too";
}

}  // namespace
}  // namespace grapnel::testing
