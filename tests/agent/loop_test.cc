#include <atomic>
#include <thread>

#include "agent/session_fixture.h"

// A prompt on its way through the loop.

namespace grapnel::agent::testing {
namespace {

using LoopTest = SessionTest;
using Ending = TurnResult::Ending;

TEST_F(LoopTest, AnswersAPrompt) {
  const auto session = start(options(R"({"say": ["Hel", "lo"], "usage": {"input": 7, "output": 2}})"));
  const TurnResult turn = session->send("hi");
  EXPECT_EQ(turn.ending, Ending::Answered);
  EXPECT_EQ(turn.answer, "Hello");
  EXPECT_EQ(turn.model_calls, 1);
  EXPECT_EQ(turn.usage.input_tokens, 7);
  EXPECT_EQ(session->usage().output_tokens, 2);
  EXPECT_EQ(ui_->text(), "Hello");
}

TEST_F(LoopTest, CallsToolsUntilTheModelIsDone) {
  dir_.put("project/a.txt", "alpha\n");
  const auto session = start(options(R"({"call": "Read", "input": {"file_path": "a.txt"}}
{"expect": "alpha", "calls": [{"name": "Read", "input": {"file_path": "a.txt"}}, {"name": "Bash", "input": {"command": "echo beta"}}]}
{"expect": "beta", "say": "done"})"));
  const TurnResult turn = session->send("read");
  EXPECT_EQ(turn.answer, "done") << turn.reason;
  EXPECT_EQ(turn.model_calls, 3);
  EXPECT_EQ(ui_->all<ToolFinished>().size(), 3U);
}

TEST_F(LoopTest, AModelThatFailsEndsTheTurnWithItsError) {
  const auto session = start(options(R"({"error": "overloaded"})"));
  const TurnResult turn = session->send("hi");
  EXPECT_EQ(turn.ending, Ending::Failed);
  EXPECT_TRUE(turn.reason.contains("overloaded")) << turn.reason;
}

// Gemini 82, and what the documents say of a prompt's hooks.
struct PromptCase {
  const char* note;
  Effects effects;
  Ending ending;
  const char* answer;
  const char* reason;
  const char* script;  ///< what the model expects and says
};

TEST_F(LoopTest, APromptsHooks) {
  const PromptCase cases[] = {
      {"no opinion", {}, Ending::Answered, "ok", "", R"({"expect": "original", "say": "ok"})"},
      {"deny: dropped, the model is not asked", deny("no secrets"), Ending::Blocked, "", "no secrets", ""},
      {"stop: the agent stops", stop("enough"), Ending::Stopped, "", "enough", ""},
      {"context", inject("branch main"), Ending::Answered, "ok", "",
       R"({"expect": ["original", "<hook_context>branch main</hook_context>"], "say": "ok"})"},
      {"rewrite", {.prompt = "better"}, Ending::Answered, "ok", "", R"({"expect": "better", "say": "ok"})"},
  };
  for (const PromptCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto session = start_with(c.script, {EventKind::UserPromptSubmit}, [&](const Event&) { return c.effects; });
    const TurnResult turn = session->send("original");
    EXPECT_EQ(turn.ending, c.ending) << turn.reason;
    EXPECT_EQ(turn.answer, c.answer);
    EXPECT_EQ(turn.reason, c.reason);
  }
}

// Blade 51.
TEST_F(LoopTest, ARewrittenPromptKeepsItsImages) {
  const auto session =
      start_with(R"({"expect": "better", "say": "ok"})", {EventKind::UserPromptSubmit}, [](const Event& event) {
        EXPECT_EQ(event.get(Field::HasImages), Json::boolean(true));
        EXPECT_EQ(event.get(Field::ImageCount), Json::number(int64_t{1}));
        return Effects{.prompt = "better"};
      });
  session->send("original", {{"image/png", "aGVsbG8="}});
  const std::string kept = dir_.read("sessions/" + session->id() + ".jsonl");
  EXPECT_TRUE(kept.contains("aGVsbG8=")) << kept;
  EXPECT_TRUE(kept.contains("better") && !kept.contains("original")) << kept;
}

struct ModelCase {
  const char* note;
  EventKind event;
  Effects effects;
  Ending ending;
  const char* shown;
  const char* reason;
  const char* script;
};

Json response(std::string_view text) {
  return json(R"({"candidates":[{"content":{"role":"model","parts":[")" + std::string(text) +
              R"("]},"finishReason":"STOP"}]})");
}

// Gemini 84 and 92-94.
TEST_F(LoopTest, AModelCallsHooks) {
  const ModelCase cases[] = {
      {"request rewritten",
       EventKind::BeforeModel,
       {.model_request = json(R"({"messages":[{"role":"user","content":"please say hi"}]})")},
       Ending::Answered,
       "hi",
       "",
       R"({"expect": "please say hi", "say": "hi"})"},
      {"denied: no call", EventKind::BeforeModel, deny("no model today"), Ending::Blocked, "", "no model today", ""},
      {"denied with a response of its own", EventKind::BeforeModel,
       [] {
         Effects e = deny("cached");
         e.model_response = response("from the cache");
         return e;
       }(),
       Ending::Answered, "from the cache", "", ""},
      {"stopped", EventKind::BeforeModel, stop("enough"), Ending::Stopped, "", "enough", ""},
      {"response rewritten, shown and kept",
       EventKind::AfterModel,
       {.model_response = response("[redacted]")},
       Ending::Answered,
       "[redacted]",
       "",
       R"({"say": ["the pass", "word"]})"},
      {"response withheld", EventKind::AfterModel, deny("leaks"), Ending::Blocked, "", "leaks",
       R"({"say": "secret", "calls": [{"name": "Bash", "input": {"command": "touch ran"}}]})"},
      {"stopped after the response", EventKind::AfterModel, stop("enough"), Ending::Stopped, "", "enough",
       R"({"say": "secret"})"},
      {"tools ruled out",
       EventKind::BeforeToolSelection,
       {.tool_choice = ToolChoice{ToolChoice::Mode::None, {}}},
       Ending::Answered,
       "no tools",
       "",
       R"({"say": "no tools"})"},
  };
  for (const ModelCase& c : cases) {
    SCOPED_TRACE(c.note);
    ui_->events.clear();
    const auto session = start_with(c.script, {c.event}, [&](const Event&) { return c.effects; });
    const TurnResult turn = session->send("hello");
    EXPECT_EQ(turn.ending, c.ending) << turn.reason;
    EXPECT_EQ(ui_->text(), c.shown);
    EXPECT_EQ(turn.reason, c.reason);
    EXPECT_FALSE(std::filesystem::exists(dir_ / "project/ran"));
    if (turn.ending == Ending::Answered) {
      EXPECT_EQ(turn.answer, c.shown);
    }
  }
}

TEST_F(LoopTest, WhatAHookRedactsIsNotInTheHistoryEither) {
  const auto session = start_with(R"({"say": "the password is 1234"}
{"expect": "[redacted]", "say": "fine"})",
                                  {EventKind::AfterModel}, [](const Event& event) -> Effects {
                                    const std::string said = event.get(Field::ModelResponse).dump();
                                    if (!said.contains("1234")) return {};
                                    return {.model_response = response("[redacted]")};
                                  });
  session->send("what is it?");
  session->send("again");
  const std::string kept = dir_.read("sessions/" + session->id() + ".jsonl");
  EXPECT_FALSE(kept.contains("1234")) << kept;
  EXPECT_FALSE(ui_->text().contains("1234"));
}

TEST_F(LoopTest, AfterModelMaySeeEachChunk) {
  AgentOptions wanted = options(R"({"say": ["one ", "two ", "three"]})");
  wanted.after_model_per_chunk = true;
  std::vector<std::string> seen;
  const auto session = start_hooked(std::move(wanted), {EventKind::AfterModel}, [&](const Event& event) -> Effects {
    seen.push_back(event.get(Field::ModelResponse)["text"].as_string().value_or(""));
    return seen.back() == "two " ? Effects{.model_response = response("2 ")} : Effects{};
  });
  EXPECT_EQ(session->send("count").answer, "one 2 three");
  EXPECT_EQ(seen, (std::vector<std::string>{"one ", "two ", "three"}));
  EXPECT_EQ(ui_->text(), "one 2 three");
}

TEST_F(LoopTest, TheLastChunkHasTheEndOfTheResponse) {
  AgentOptions wanted = options(R"({"call": "Bash", "input": {"command": "true"}}
{"say": ["one ", "two"]})");
  wanted.after_model_per_chunk = true;
  std::string seen;
  const auto session = start_hooked(std::move(wanted), {EventKind::AfterModel}, [&](const Event& event) -> Effects {
    const Json response = event.get(Field::ModelResponse);
    seen += response["text"].as_string().value_or("-") + ":" +
            response["candidates"].at(0)["finishReason"].as_string().value_or("-") + "\n";
    return {};
  });
  EXPECT_EQ(session->send("count").answer, "one two");
  EXPECT_EQ(seen, "-:STOP\none :-\ntwo:STOP\n");
}

TEST_F(LoopTest, AChunkThatIsDeniedEndsTheResponse) {
  AgentOptions wanted = options(R"({"say": ["one ", "two ", "three"]})");
  wanted.after_model_per_chunk = true;
  const auto session = start_hooked(std::move(wanted), {EventKind::AfterModel}, [&](const Event& event) -> Effects {
    return event.get(Field::ModelResponse).dump().contains("two") ? deny("no twos") : Effects{};
  });
  const TurnResult turn = session->send("count");
  EXPECT_EQ(turn.ending, Ending::Blocked);
  EXPECT_EQ(turn.reason, "no twos");
  EXPECT_EQ(ui_->text(), "one ");
}

// Gemini 80, 81, 83, 106.
TEST_F(LoopTest, AGateSendsTheModelBackToWork) {
  std::vector<Json> seen;
  int prompts = 0;
  const auto session = start_with(R"({"say": "Response 1"}
{"expect": "the tests fail", "say": "Response 2"})",
                                  {EventKind::Stop, EventKind::UserPromptSubmit}, [&](const Event& event) {
                                    if (event.kind() == EventKind::UserPromptSubmit) ++prompts;
                                    if (event.kind() == EventKind::UserPromptSubmit) return Effects{};
                                    seen.push_back(event.payload());
                                    return seen.size() == 1 ? deny("the tests fail") : Effects{};
                                  });
  const TurnResult turn = session->send("finish");
  EXPECT_EQ(turn.ending, Ending::Answered);
  EXPECT_EQ(turn.answer, "Response 2");
  EXPECT_EQ(prompts, 1) << "the gate's reason is no prompt of the user's";
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0]["stop_hook_active"], Json::boolean(false));
  EXPECT_EQ(seen[1]["stop_hook_active"], Json::boolean(true));
  EXPECT_EQ(seen[0]["prompt"], Json::string("finish"));
  EXPECT_EQ(seen[1]["final_response"], Json::string("Response 2"));
  EXPECT_EQ(seen[1]["turn_text"], Json::string("Response 1\nResponse 2"));
  EXPECT_EQ(seen[0]["stop_reason"], Json::string("end_turn"));
}

TEST_F(LoopTest, AGateOpensByItselfAfterAWhile) {
  std::string script;
  for (int i = 0; i < 10; ++i) script += "{\"say\": \"done\"}\n";
  const auto session = start_with(script, {EventKind::Stop}, [](const Event&) { return deny("never"); });
  const TurnResult turn = session->send("finish");
  EXPECT_EQ(turn.ending, Ending::GateOpened);
  EXPECT_EQ(turn.model_calls, 6) << "the engine's cap is five refusals";
}

TEST_F(LoopTest, AGateMayClearTheContext) {
  int calls = 0;
  const auto session = start_with(R"({"say": "Response 1"}
{"expect": "start over", "say": "Response 2"})",
                                  {EventKind::Stop}, [&](const Event&) {
                                    if (++calls > 1) return Effects{};
                                    Effects effects = deny("start over");
                                    effects.clear_context = true;
                                    return effects;
                                  });
  EXPECT_EQ(session->send("a long story").answer, "Response 2");
  EXPECT_EQ(ui_->all<ContextCleared>().size(), 1U);
  const std::vector<ModelCalled> asked = ui_->all<ModelCalled>();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_FALSE(asked[1].request_text.contains("a long story"));
}

TEST_F(LoopTest, AGateThatStopsTheAgentStopsIt) {
  const auto session = start_with(R"({"say": "done"})", {EventKind::Stop}, [](const Event&) { return stop("enough"); });
  const TurnResult turn = session->send("finish");
  EXPECT_EQ(turn.ending, Ending::Stopped);
  EXPECT_EQ(turn.reason, "enough");
  EXPECT_EQ(turn.answer, "done");
}

// Clawd (seed 001) 12e.9.1: before the gate, a model that only announced its next step is told to take it.
TEST_F(LoopTest, AnAnnouncedStepIsNudgedBeforeTheGate) {
  int gates = 0;
  const auto session = start_with(R"({"say": "Let me look at the file:"}
{"expect": "called no tool", "call": "Bash", "input": {"command": "true"}}
{"say": "I'll write it now."}
{"say": "I'll really write it now."}
{"say": "I will, promise..."})",
                                  {EventKind::Stop}, [&](const Event&) {
                                    ++gates;
                                    return Effects{};
                                  });
  const TurnResult turn = session->send("go");
  EXPECT_EQ(turn.model_calls, 5) << "two nudges in a row at most";
  EXPECT_EQ(gates, 1);
}

TEST_F(LoopTest, TheLimitOfModelCallsEndsTheTurn) {
  AgentOptions wanted = options(R"({"call": "Bash", "input": {"command": "true"}}
{"say": "Still at it.", "call": "Bash", "input": {"command": "true"}}
{"call": "Bash", "input": {"command": "true"}})");
  wanted.max_turns = 2;
  std::vector<bool> flags;
  std::string last;
  wanted.stop_hooks.push_back([&](const StopHookContext& context) {
    flags.push_back(context.reached_max_iterations);
    last = context.final_response;
  });
  const auto session = start(std::move(wanted));
  const TurnResult turn = session->send("go");
  EXPECT_EQ(turn.ending, Ending::MaxTurns);
  EXPECT_EQ(turn.answer, "Still at it.");
  EXPECT_EQ(flags, (std::vector<bool>{true}));
  EXPECT_EQ(last, "Still at it.");
}

// Synapse (seed 000).
TEST_F(LoopTest, StopHooksSeeTheWholeTurnAndSpeakInReverseOrder) {
  AgentOptions wanted = options(R"({"call": "Bash", "input": {"command": "echo out"}}
{"say": "done"})");
  StopHookContext seen;
  wanted.stop_hooks = {[&](const StopHookContext& context) {
                         seen = context;
                         return StopHookResult{"first"};
                       },
                       [](const StopHookContext&) -> StopHookResult { throw std::runtime_error("boom"); },
                       [](const StopHookContext&) { return StopHookResult{"third"}; }};
  const auto session = start(std::move(wanted));
  session->send("go");
  std::vector<std::string> lines;
  for (const StopHookSaid& said : ui_->all<StopHookSaid>()) lines.push_back((said.is_error ? "! " : "") + said.line);
  EXPECT_EQ(lines, (std::vector<std::string>{"[StopHook] third", "! Stop hook execution failed: threw: boom",
                                             "[StopHook] first"}));
  EXPECT_TRUE(ui_->all<Told>().empty()) << "said once";
  EXPECT_EQ(seen.session_id, session->id());
  EXPECT_EQ(seen.final_response, "done");
  EXPECT_FALSE(seen.reached_max_iterations);
  ASSERT_EQ(seen.tool_calls.size(), 1U);
  EXPECT_EQ(seen.tool_calls[0].tool_name, "Bash");
  EXPECT_TRUE(seen.tool_calls[0].success);
  EXPECT_EQ(seen.messages.size(), 4U);
}

TEST_F(LoopTest, AnInterruptedTurnHasNoGateAndNoStopHooks) {
  std::vector<std::string> fired;
  AgentOptions wanted = options(R"({"say": "well...", "hang": true}
{"say": "still here"})");
  wanted.stop_hooks.push_back([&](const StopHookContext&) { fired.push_back("stop hook"); });
  const auto session = start_hooked(std::move(wanted), {EventKind::Stop, EventKind::TurnEnd}, [&](const Event& event) {
    fired.emplace_back(to_string(event.kind()));
    return Effects{};
  });
  std::stop_source interrupt;
  ui_->on_show = [&](const AgentEvent& event) {
    if (std::holds_alternative<TextChunk>(event)) interrupt.request_stop();
  };
  const TurnResult turn = session->send("go", {}, interrupt.get_token());
  EXPECT_EQ(turn.ending, Ending::Interrupted);
  EXPECT_TRUE(fired.empty());
  EXPECT_EQ(session->send("are you there?").answer, "still here");
  EXPECT_EQ(fired.size(), 3U);
}

TEST_F(LoopTest, ARefusedCallEndsTheTurnInDialectsThatHaveIt) {
  struct Row {
    const char* note;
    const char* dialect;
    const char* calls;
    Approval answer;
    TurnResult::Ending ending;
    size_t questions;
  };
  const std::string write = R"({"name":"Write","input":{"file_path":"a","content":"x"}})";
  const std::string two = write + "," + write;
  const std::string read_and_write = R"({"name":"Glob","input":{"pattern":"*"}},)" + write;
  const Row rows[] = {
      {"one call", "gemini", write.c_str(), Approval::No, TurnResult::Ending::Cancelled, 1},
      {"the next one is cancelled, too", "gemini", two.c_str(), Approval::No, TurnResult::Ending::Cancelled, 1},
      {"another one has run: the model hears of it", "gemini", read_and_write.c_str(), Approval::No,
       TurnResult::Ending::Answered, 1},
      {"nobody is there to refuse", "gemini", write.c_str(), Approval::Nobody, TurnResult::Ending::Answered, 1},
      {"elsewhere the model goes on", "claude", two.c_str(), Approval::No, TurnResult::Ending::Answered, 2},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    AgentOptions wanted = options("{\"calls\":[" + std::string(row.calls) + "]}\n{\"say\":\"so be it\"}\n");
    wanted.dialect = row.dialect;
    wanted.approval = ApprovalMode::Default;
    ui_->answer = row.answer;
    ui_->questions.clear();
    const auto session = start(std::move(wanted));
    const TurnResult turn = session->send("go");
    EXPECT_EQ(turn.ending, row.ending);
    EXPECT_EQ(turn.model_calls, row.ending == TurnResult::Ending::Answered ? 2 : 1);
    EXPECT_EQ(ui_->questions.size(), row.questions);
    EXPECT_EQ(session->send("again").ending == TurnResult::Ending::Answered,
              row.ending == TurnResult::Ending::Cancelled)
        << "the next prompt goes to the model, which has a turn left";
  }
}

TEST_F(LoopTest, ReadingToolsRunBesideEachOther) {
  std::atomic<int> inside = 0;
  std::atomic<bool> met = false;
  Tool meet{"Read", ToolKind::Read, "waits for another", json(R"({"type":"object"})"),
            [&](const Json&, const ToolContext& context) -> ToolResult {
              ++inside;
              while (inside < 2 && !context.cancel.stop_requested()) std::this_thread::yield();
              met = true;
              return {.text = "met"};
            }};
  AgentOptions wanted = options(R"({"calls": [{"name": "Read", "input": {}}, {"name": "Read", "input": {}}]}
{"say": "done"})");
  wanted.tools = {meet};
  EXPECT_EQ(start(std::move(wanted))->send("go").answer, "done");
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace grapnel::agent::testing
