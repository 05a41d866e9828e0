#include <atomic>

#include "agent/session_fixture.h"

// What happens around the prompts of a session: its start and end, compaction, clearing, resuming, subagents.

namespace grapnel::agent::testing {
namespace {

using SessionLife = SessionTest;
using Ending = TurnResult::Ending;
using Names = std::vector<std::string>;

const std::vector<EventKind> kAll(all_event_kinds().begin(), all_event_kinds().end());

TEST_F(SessionLife, AHookMayKeepASessionFromStarting) {
  AgentOptions wanted = options("");
  wanted.engine = Engine::create({.discovery = {.use_hook_files = false}});
  ASSERT_TRUE(wanted.engine->register_callback({.name = "hook",
                                                .events = {EventKind::SessionStart},
                                                .call = [](const Event&, std::stop_token) { return deny("closed"); }}));
  const auto session = create_session(std::move(wanted));
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, Errc::Refused);
  EXPECT_TRUE(session.error().message.contains("closed")) << session.error().message;
}

TEST_F(SessionLife, AStartCanBeInterrupted) {
  AgentOptions wanted = options("");
  wanted.engine = Engine::create({.discovery = {.use_hook_files = false}});
  std::stop_source interrupt;
  ASSERT_TRUE(wanted.engine->register_callback(
      {.name = "hook", .events = {EventKind::SessionStart}, .call = [&](const Event&, std::stop_token) {
         interrupt.request_stop();
         return Effects{};
       }}));
  const auto session = create_session(std::move(wanted), interrupt.get_token());
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, Errc::Cancelled);
}

TEST_F(SessionLife, WhatHooksSayAtTheStartReachesTheModelAndTheTools) {
  const auto session = start_with(
      R"({"expect": "<hook_context>branch main</hook_context>", "call": "Bash", "input": {"command": "echo $FLAVOUR"}}
{"expect": "vanilla", "say": "done"})",
      {EventKind::SessionStart}, [](const Event& event) {
        EXPECT_EQ(event.text(Field::Source), "startup");
        Effects effects = inject("branch main");
        effects.env = {{"FLAVOUR", "vanilla"}};
        return effects;
      });
  EXPECT_EQ(session->send("go").answer, "done");
}

TEST_F(SessionLife, ASessionEndsOnceWithItsTotals) {
  std::vector<Json> ends;
  const auto session = start_with(R"({"say": "hi", "usage": {"input": 10, "output": 5}})", {EventKind::SessionEnd},
                                  [&](const Event& event) {
                                    ends.push_back(event.payload());
                                    return Effects{};
                                  });
  session->send("hello");
  session->close("exit");
  session->close("other");
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0]["reason"], Json::string("exit"));
  EXPECT_EQ(ends[0]["total_turns"], Json::number(int64_t{1}));
  EXPECT_EQ(ends[0]["total_tokens"], Json::number(int64_t{15}));
}

TEST_F(SessionLife, ASessionNobodyClosedEndsAllTheSame) {
  std::string reason;
  start_with("", {EventKind::SessionEnd}, [&](const Event& event) {
    reason = event.text(Field::EndReason);
    return Effects{};
  }).reset();
  EXPECT_EQ(reason, "other");
}

TEST_F(SessionLife, ClearingIsAnEndAndANewStart) {
  Names seen;
  const auto session = start_with(
      R"({"say": "hi"}
{"expect": "fresh context", "say": "new"})",
      {EventKind::SessionStart, EventKind::SessionEnd}, [&](const Event& event) {
        const bool is_end = event.kind() == EventKind::SessionEnd;
        seen.push_back(event.text(is_end ? Field::EndReason : Field::Source) + " " + event.text(Field::SessionId));
        return is_end ? Effects{} : inject("fresh context");
      });
  const std::string first = session->id();
  session->send("hello");
  session->clear();
  const std::string second = session->id();
  EXPECT_NE(first, second);
  EXPECT_EQ(session->send("again").answer, "new");
  EXPECT_EQ(seen, (Names{"startup " + first, "clear " + first, "clear " + second}));
  EXPECT_FALSE(ui_->all<ModelCalled>().back().request_text.contains("hello"));
}

TEST_F(SessionLife, CompactionOnRequest) {
  std::vector<std::pair<EventKind, Json>> seen;
  const auto session =
      start_with(R"({"say": "a long answer"}
{"method": "generateContent", "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "THE SUMMARY"}]}, "finishReason": "STOP"}]}}
{"expect": ["THE SUMMARY", "remember the style"], "say": "I remember"})",
                 {EventKind::PreCompact, EventKind::PostCompact, EventKind::SessionStart}, [&](const Event& event) {
                   seen.emplace_back(event.kind(), event.payload());
                   const bool restarts = event.text(Field::Source) == "compact";
                   return restarts ? inject("remember the style") : Effects{};
                 });
  session->send("a long story");
  EXPECT_TRUE(session->compact());
  EXPECT_EQ(session->send("go on").answer, "I remember");
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[1].first, EventKind::PreCompact);
  EXPECT_EQ(seen[1].second["trigger"], Json::string("manual"));
  EXPECT_EQ(seen[1].second["messages_before"], Json::number(int64_t{2}));
  EXPECT_EQ(seen[2].first, EventKind::PostCompact);
  EXPECT_EQ(seen[2].second["summary"], Json::string("THE SUMMARY"));
  EXPECT_EQ(seen[3].second["source"], Json::string("compact"));
  EXPECT_FALSE(ui_->all<ModelCalled>().back().request_text.contains("a long story"));
}

// The summary is a model call like any other, except that nobody sees its text.
TEST_F(SessionLife, CompactionHasTheHooksOfAModelCall) {
  AgentOptions wanted = options(R"({"say": "a long answer"}
{"expect": "psst", "say": "THE SUMMARY"}
{"expect": "[redacted]", "say": "I remember"})");
  wanted.after_model_per_chunk = true;
  const auto session = start_hooked(
      std::move(wanted), {EventKind::BeforeModel, EventKind::AfterModel}, [](const Event& event) -> Effects {
        if (!event.payload().dump().contains("Summarise")) return {};
        if (event.kind() == EventKind::BeforeModel) {
          return {.model_request = json(R"({"messages": [{"role": "user", "content": "psst: Summarise"}]})")};
        }
        return {.model_response = json(R"({"candidates": [{"content": {"parts": ["[redacted]"]}}]})")};
      });
  session->send("a long story");
  EXPECT_TRUE(session->compact());
  EXPECT_EQ(session->send("go on").answer, "I remember");
  EXPECT_EQ(ui_->text(), "a long answerI remember");
}

TEST_F(SessionLife, AModelHookMayRefuseACompaction) {
  const auto session = start_with(R"({"say": "a long answer"}
{"expect": "a long story", "say": "I remember"})",
                                  {EventKind::BeforeModel}, [](const Event& event) {
                                    const bool is_summary = event.payload().dump().contains("Summarise");
                                    return is_summary ? deny("not that") : Effects{};
                                  });
  session->send("a long story");
  EXPECT_FALSE(session->compact());
  EXPECT_EQ(session->send("go on").answer, "I remember");
}

struct CompactionCase {
  const char* note;
  int64_t context_tokens;
  bool denies;
  bool compacts;
};

// Deny means: this compaction is skipped, but never above the hard limit.
TEST_F(SessionLife, CompactionByItself) {
  const CompactionCase cases[] = {
      {"far from the limit", 100'000, false, false},
      {"four fifths full", 1'150, false, true},
      {"a hook is against it", 1'150, true, false},
      {"a hook is against it and there is no room left", 900, true, true},
  };
  for (const CompactionCase& c : cases) {
    SCOPED_TRACE(c.note);
    ui_->events.clear();
    AgentOptions wanted = options(c.compacts ? R"({"say": "first"}
{"say": "SUMMARY"}
{"expect": ["SUMMARY", "the second prompt"], "say": "second"})"
                                             : R"({"say": "first"}
{"say": "second"})");
    wanted.context_tokens = c.context_tokens;
    std::string trigger;
    const auto session = start_hooked(std::move(wanted), {EventKind::PreCompact}, [&](const Event& event) {
      trigger = event.text(Field::Trigger);
      return c.denies ? deny("not now") : Effects{};
    });
    session->send(std::string(4000, 'x') + " the first prompt");
    EXPECT_EQ(session->send("the second prompt").answer, "second");
    EXPECT_EQ(ui_->all<Compacted>().size(), c.compacts ? 1U : 0U);
    EXPECT_EQ(trigger, c.context_tokens > 10'000 ? "" : "auto");
  }
}

TEST_F(SessionLife, ASessionGoesOnWhereItWas) {
  std::string id;
  {
    const auto session = start(options(R"({"call": "Bash", "input": {"command": "echo kept"}}
{"say": "the answer is 42"})"));
    session->send("compute");
    id = session->id();
  }
  AgentOptions wanted = options(R"({"expect": ["compute", "the answer is 42", "and now?"], "say": "still 42"})");
  wanted.session_id = id;
  wanted.resume = true;
  Json started;
  const auto session = start_hooked(std::move(wanted), {EventKind::SessionStart}, [&](const Event& event) {
    started = event.payload();
    return Effects{};
  });
  EXPECT_EQ(session->id(), id);
  EXPECT_EQ(started["source"], Json::string("resume"));
  EXPECT_EQ(started["is_resume"], Json::boolean(true));
  EXPECT_EQ(started["resume_session_id"], Json::string(id));
  EXPECT_EQ(session->send("and now?").answer, "still 42");
}

struct TornCase {
  const char* note;
  const char* tail;
};

TEST_F(SessionLife, AKilledSessionCanBeResumed) {
  constexpr std::string_view kStart =
      R"({"type":"message","message":{"role":"user","content":[{"type":"text","text":"compute"}]}}
{"type":"message","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"sleep 100"}}]}}
)";
  const TornCase cases[] = {{"between two lines", ""}, {"in the middle of a line", R"({"type":"message","mess)"}};
  for (const TornCase& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("sessions/killed.jsonl", std::string(kStart) + c.tail);
    for (int again = 0; again < 2; ++again) {
      AgentOptions wanted = options(R"({"expect": "The session ended before this call did", "say": "I see"})");
      wanted.session_id = "killed";
      wanted.resume = true;
      const auto session = start(std::move(wanted));
      ASSERT_NE(session, nullptr);
      EXPECT_EQ(session->send("go on").answer, "I see");
    }
  }
}

TEST_F(SessionLife, WhatCannotBeResumedSaysWhy) {
  AgentOptions wanted = options("");
  wanted.session_id = "nobody";
  wanted.resume = true;
  EXPECT_EQ(create_session(wanted).error().code, Errc::NotFound);
  dir_.put("sessions/broken.jsonl", "{\"type\":\"reset\"}\nnonsense\n{}\n");
  wanted.session_id = "broken";
  const auto broken = create_session(wanted);
  ASSERT_FALSE(broken);
  EXPECT_TRUE(broken.error().to_string().contains("broken.jsonl:2:1")) << broken.error().to_string();
}

TEST_F(SessionLife, SubagentsHaveTheirOwnGatesAndTheSameToolHooks) {
  Names seen;
  bool closed = false;
  const auto session = start_with(
      R"({"call": "Task", "input": {"description": "look", "prompt": "find the bug", "subagent_type": "explore"}}
{"for": "explore", "expect": "find the bug", "call": "Glob", "input": {"pattern": "*"}}
{"for": "explore", "say": "nothing"}
{"for": "explore", "expect": "look harder", "say": "line 7"}
{"expect": "line 7", "say": "done"})",
      kAll, [&](const Event& event) {
        const bool own = !event.text(Field::AgentId).empty();
        seen.push_back(std::string(to_string(event.kind())) + (own ? "*" : ""));
        if (event.kind() != EventKind::SubagentStop || closed) return Effects{};
        closed = true;
        EXPECT_EQ(event.text(Field::AgentType), "explore");
        return deny("look harder");
      });
  EXPECT_EQ(session->send("go").answer, "done");
  EXPECT_EQ(
      seen,
      (Names{"SessionStart", "UserPromptSubmit",     "BeforeModel",         "BeforeToolSelection", "AfterModel",
             "PreToolUse",   "SubagentStart*",                                                                      //
             "BeforeModel*", "BeforeToolSelection*", "AfterModel*",         "PreToolUse*",         "PostToolUse*",  //
             "BeforeModel*", "BeforeToolSelection*", "AfterModel*",         "SubagentStop*",                        //
             "BeforeModel*", "BeforeToolSelection*", "AfterModel*",         "SubagentStop*",                        //
             "PostToolUse",  "BeforeModel",          "BeforeToolSelection", "AfterModel",          "Stop",
             "TurnEnd"}));
}

TEST_F(SessionLife, ASubagentMayBeRefused) {
  const auto session =
      start_with(R"({"call": "Task", "input": {"description": "d", "prompt": "p", "subagent_type": "General-Purpose"}}
{"expect": "no helpers here", "say": "alone then"})",
                 {EventKind::SubagentStart}, [](const Event&) { return deny("no helpers here"); });
  EXPECT_EQ(session->send("go").answer, "alone then");
}

TEST_F(SessionLife, ExploringSubagentsCannotWrite) {
  const auto session =
      start(options(R"({"call": "Task", "input": {"description": "d", "prompt": "p", "subagent_type": "explore"}}
{"for": "explore", "call": "Write", "input": {"file_path": "x", "content": "y"}}
{"for": "explore", "expect": "Write", "say": "could not"}
{"say": "done"})"));
  EXPECT_EQ(session->send("go").answer, "done");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/x"));
}

// The callback of seed 004, word for word: reading is approved, one command is refused, and everything else falls back
// to PermissionRequest hooks and a person.
TEST_F(SessionLife, TheDocumentsCanUseToolWorks) {
  dir_.put("project/a.txt", "A");
  AgentOptions wanted = options(R"({"call": "Read", "input": {"file_path": "a.txt"}, "id": "c1"}
{"call": "Bash", "input": {"command": "rm -rf build"}, "id": "c2"}
{"expect": "禁止危险命令", "call": "Write", "input": {"file_path": "b.txt", "content": "B"}, "id": "c3"}
{"call": "Bash", "input": {"command": "touch c.txt"}, "id": "c4"}
{"say": "done"})");
  wanted.dialect = "blade";
  wanted.hooks = json(R"({"PermissionRequest": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command":
      "echo '{\"hookSpecificOutput\": {\"hookEventName\": \"PermissionRequest\", \"permissionDecision\": \"approve\"}}'"}]}]})");
  Names asked;
  wanted.can_use_tool = [&](const ToolUse& use, const std::stop_token& cancel) -> PermissionAnswer {
    EXPECT_FALSE(cancel.stop_requested());
    asked.push_back(use.name + " " + std::string(to_string(use.access)) + " " + use.use_id);
    if (to_string(use.access) == "readonly") return {Verdict::Allow};
    const bool removes = use.input["command"].as_string().value_or("").contains("rm -rf");
    if (use.name == "Bash" && removes) return {Verdict::Deny, "禁止危险命令"};
    return {Verdict::Ask};
  };
  ui_->answer = Approval::No;
  const auto session = start(std::move(wanted));
  EXPECT_EQ(session->send("go").answer, "done");
  EXPECT_EQ(asked, (Names{"Read readonly c1", "Bash execute c2", "Write write c3", "Bash execute c4"}));
  EXPECT_TRUE(std::filesystem::exists(dir_ / "project/b.txt")) << "a hook approved it";
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/c.txt")) << "the person refused it, even in yolo mode";
  EXPECT_EQ(ui_->questions.size(), 1u);
}

TEST_F(SessionLife, CanUseToolIsCalledByOneThreadAtATime) {
  AgentOptions wanted = options(
      R"({"calls": [{"name": "Glob", "input": {"pattern": "a"}}, {"name": "Glob", "input": {"pattern": "b"}}]}
{"say": "done"})");
  std::atomic<int> inside = 0;
  int calls = 0;
  wanted.can_use_tool = [&](const ToolUse&, const std::stop_token&) -> PermissionAnswer {
    EXPECT_EQ(++inside, 1);
    ++calls;
    --inside;
    return {Verdict::Allow};
  };
  const auto session = start(std::move(wanted));
  EXPECT_EQ(session->send("go").answer, "done");
  EXPECT_EQ(calls, 2);
}

TEST_F(SessionLife, AnIdleNotificationCanBeChangedOrSuppressed) {
  Effects effects;
  const auto session = start_with("", {EventKind::Notification}, [&](const Event& event) {
    EXPECT_EQ(event.text(Field::NotificationType), "idle_prompt");
    return effects;
  });
  EXPECT_EQ(session->notify("idle_prompt", "waiting"), "waiting");
  effects.notification = "still waiting";
  EXPECT_EQ(session->notify("idle_prompt", "waiting"), "still waiting");
  effects = deny("hush");
  EXPECT_EQ(session->notify("idle_prompt", "waiting"), std::nullopt);
}

// Every event of the design, once or more, in its order: a session with tools, a failure, a subagent, a task, a
// question, a compaction, a clear and an exit.
TEST_F(SessionLife, EveryEventFires) {
  AgentOptions wanted = options(R"({"calls": [{"name": "Write", "input": {"file_path": "a.txt", "content": "A"}}]}
{"call": "Read", "input": {"file_path": "missing.txt"}}
{"call": "Task", "input": {"description": "look", "prompt": "find", "subagent_type": "explore"}}
{"for": "explore", "say": "found"}
{"call": "TodoWrite", "input": {"todos": [{"id": "1", "content": "write", "status": "completed"}]}}
{"say": "all done"}
{"say": "SUMMARY"})");
  wanted.approval = ApprovalMode::Default;
  ui_->answer = Approval::Once;
  Names seen;
  const auto session = start_hooked(std::move(wanted), kAll, [&](const Event& event) {
    seen.emplace_back(to_string(event.kind()));
    EXPECT_FALSE(event.text(Field::SessionId).empty());
    EXPECT_EQ(event.text(Field::Cwd), std::filesystem::canonical(dir_ / "project"));
    return Effects{};
  });
  EXPECT_EQ(session->send("go").answer, "all done");
  EXPECT_TRUE(session->compact());
  session->clear();
  session->close("exit");

  const Names model = {"BeforeModel", "BeforeToolSelection", "AfterModel"};
  Names want = {"SessionStart", "UserPromptSubmit"};
  const auto then = [&](const Names& more) { want.insert(want.end(), more.begin(), more.end()); };
  then(model);
  then({"PreToolUse", "PermissionRequest", "Notification", "PostToolUse"});
  then(model);
  then({"PreToolUse", "PostToolUseFailure"});
  then(model);
  then({"PreToolUse", "SubagentStart"});
  then(model);
  then({"SubagentStop", "PostToolUse"});
  then(model);
  then({"PreToolUse", "TaskCompleted", "PostToolUse"});
  then(model);
  // A summary needs no tools, so there is nothing to select.
  then({"Stop", "TurnEnd", "PreCompact", "BeforeModel", "AfterModel", "PostCompact", "SessionStart", "Notification"});
  then({"SessionEnd", "SessionStart", "SessionEnd"});
  EXPECT_EQ(seen, want);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 18u) << "the other kinds are other agents'";
}

}  // namespace
}  // namespace grapnel::agent::testing
