#include "llm/replay.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "llm/model_support.h"
#include "llm/provider.h"
#include "os/temp_dir.h"

namespace grapnel::llm {
namespace {

using testing::ask;
using testing::ChunkLog;
using testing::describe;

std::unique_ptr<ModelClient> play(std::string_view script) {
  auto turns = parse_replay(script, "script");
  if (!turns) ADD_FAILURE() << turns.error().to_string();
  return std::make_unique<ReplayModel>(turns.value_or(std::vector<ReplayTurn>()), "script");
}

struct TurnCase {
  const char* note;
  const char* line;
  const char* want;
  const char* chunks;
};

constexpr TurnCase kTurnCases[] = {
    {"a text", R"({"say": "Hello"})", "say(Hello) EndTurn 0/0", "say(Hello) EndTurn"},
    {"a text in pieces", R"({"say": ["Hel", "lo"]})", "say(Hello) EndTurn 0/0", "say(Hel) say(lo) EndTurn"},
    {"a thought", R"({"think": "Hm", "say": "a"})", "think(Hm) say(a) EndTurn 0/0", "think(Hm) say(a) EndTurn"},
    {"a call", R"({"call": "f", "input": {"a": 1}})", "call(call_1 f {\"a\":1}) ToolCalls 0/0",
     "call(call_1 f {\"a\":1}) ToolCalls"},
    {"a call without input", R"({"call": "f"})", "call(call_1 f {}) ToolCalls 0/0", "call(call_1 f {}) ToolCalls"},
    {"calls with a text", R"({"say": "a", "calls": [{"name": "f"}, {"name": "g", "input": {}, "id": "x"}]})",
     "say(a) call(call_1 f {}) call(x g {}) ToolCalls 0/0", "say(a) call(call_1 f {}) call(x g {}) ToolCalls"},
    {"usage", R"({"say": "a", "usage": {"input": 10, "output": 5}})", "say(a) EndTurn 10/5", "say(a) 10/5 EndTurn"},
    {"cut off", R"({"say": "a", "stop": "max_tokens"})", "say(a) MaxTokens 0/0", "say(a) MaxTokens"},
    {"refused without a word", R"({"stop": "refusal"})", "Refusal 0/0", "Refusal"},
    {"an error", R"({"error": "overloaded"})", "error: replay: overloaded", ""},
    {"an error after a text", R"({"say": "a", "error": "overloaded"})", "error: replay: overloaded", "say(a)"},
    {"an expected text", R"({"say": "a", "expect": ["pro", "mpt"]})", "say(a) EndTurn 0/0", "say(a) EndTurn"},
    {"an expected text that is not there", R"({"say": "a", "expect": ["pro", "nope"]})",
     "error: script:1:1: the request has no \"nope\" in it; requested: generateContentStream of 'test-model' after "
     "\"prompt\"",
     ""},
    {"a recording of a stream",
     R"({"method": "generateContentStream", "response": [{"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}}]}, {"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]}, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4}}]})",
     "say(a) call(call_1 f {\"x\":1}) ToolCalls 3/4", "say(a) call(call_1 f {\"x\":1}) 3/4 ToolCalls"},
    {"a recording without a finish",
     R"({"method": "generateContentStream", "response": [{"candidates": [{"content": {"parts": [{"text": "a"}]}}]}]})",
     "say(a) EndTurn 0/0", "say(a) EndTurn"},
    {"a recording of another kind of call", R"({"method": "generateContent", "response": {}})",
     "error: script:1:1: the next turn is a generateContent; requested: generateContentStream of 'test-model' after "
     "\"prompt\"",
     ""},
};

TEST(Replay, Turns) {
  for (const TurnCase& c : kTurnCases) {
    SCOPED_TRACE(c.note);
    ChunkLog log;
    EXPECT_EQ(describe(play(c.line)->generate(ask("prompt"), log.sink(), {})), c.want);
    EXPECT_EQ(log.text(), c.chunks);
  }
}

TEST(Replay, CallsThatAreNotShown) {
  const auto model =
      play(R"({"method": "generateContent", "response": {"candidates": [{"content": {"parts": [{"text": "a"}]}}]}}
{"say": "either"}
{"method": "generateContentStream", "response": []})");
  ModelRequest request = ask("prompt");
  request.stream = false;
  EXPECT_EQ(describe(model->generate(request, {}, {})), "say(a) EndTurn 0/0");
  EXPECT_EQ(describe(model->generate(request, {}, {})), "say(either) EndTurn 0/0");
  EXPECT_EQ(describe(model->generate(request, {}, {})),
            "error: script:3:1: the next turn is a generateContentStream; requested: generateContent of 'test-model' "
            "after \"prompt\"");
}

TEST(Replay, PlaysInOrderAndSaysWhenThereIsNoMore) {
  const auto model = play(R"(# the first
{"say": "one"}

// what nobody asks for
{"method": "countTokens", "response": {"totalTokens": 1}}
  {"call": "f"}
{"call": "f"}
)");
  EXPECT_EQ(describe(model->generate(ask("a"), {}, {})), "say(one) EndTurn 0/0");
  EXPECT_EQ(describe(model->generate(ask("b"), {}, {})), "call(call_1 f {}) ToolCalls 0/0");
  EXPECT_EQ(describe(model->generate(ask("c"), {}, {})), "call(call_2 f {}) ToolCalls 0/0");
  EXPECT_EQ(describe(model->generate(ask("the question"), {}, {})),
            "error: script:7: no turn left for 'main' after 3; requested: generateContentStream of 'test-model' after "
            "\"the question\"");
}

TEST(Replay, SubagentsHaveTurnsOfTheirOwn) {
  const auto model = play(R"({"say": "main 1"}
{"say": "reviewer 1", "for": "reviewer"}
{"say": "main 2"}
{"method": "generateContentStream", "for": "reviewer", "response": [{"candidates": [{"content": {"parts": [{"text": "reviewer 2"}]}}]}]})");
  const auto say = [&](std::string lane) {
    ModelRequest request = ask("go");
    request.lane = std::move(lane);
    const auto response = model->generate(request, {}, {});
    return response ? response->text() : response.error().to_string();
  };
  EXPECT_EQ(say("reviewer"), "reviewer 1");
  EXPECT_EQ(say(""), "main 1");
  EXPECT_EQ(say("reviewer"), "reviewer 2");
  EXPECT_EQ(say("somebody without turns"), "main 2");
  EXPECT_EQ(say("reviewer"),
            "script:4: no turn left for 'reviewer' after 2; requested: generateContentStream of 'test-model' after "
            "\"go\"");
}

struct WrongCase {
  const char* note;
  const char* script;
  const char* want;
};

constexpr WrongCase kWrongCases[] = {
    {"no JSON", "{\"say\": \"a\"}\n\n  {\"say\" \"b\"}", "script:3:10: expected ':' after a key, found a string"},
    {"no object", "[]", "script:1:1: a model turn is a JSON object on one line"},
    {"nothing in it", "{}", "script:1:1: a model turn has a 'say', 'call', 'calls', 'error' or 'hang'"},
    {"a word misspelt", R"({"sya": "a"})", "script:1:1: a model turn has no 'sya'; did you mean 'say'?"},
    {"an unknown word", R"({"temperature": 1})", "script:1:1: a model turn has no 'temperature'"},
    {"a wrong type", R"({"say": 1})", "script:1:1: 'say' has to be a text or a list of texts"},
    {"a list of wrong types", R"({"say": ["a", 1]})", "script:1:1: 'say' has to be a text or a list of texts"},
    {"a call without a name", R"({"calls": [{"input": {}}]})",
     "script:1:1: 'calls' has to be a list of {\"name\": …, \"input\": {…}}"},
    {"an input of nothing", R"({"say": "a", "input": {}})", "script:1:1: 'input' belongs to a 'call'"},
    {"a reason nobody knows", R"({"say": "a", "stop": "tired"})",
     "script:1:1: 'stop' has to be end_turn, tool_calls, max_tokens, refusal or other"},
    {"an unknown method", R"({"method": "generate", "response": {}})", "script:1:1: no such method: 'generate'"},
    {"a stream that is no list", R"({"method": "generateContentStream", "response": {}})",
     "script:1:1: the response of a stream is a list of chunks"},
    {"a response that is no object", R"({"method": "generateContent", "response": []})",
     "script:1:1: the response is an object"},
};

TEST(Replay, MistakesAreFoundWhenReading) {
  for (const WrongCase& c : kWrongCases) {
    SCOPED_TRACE(c.note);
    const auto turns = parse_replay(c.script, "script");
    ASSERT_FALSE(turns.has_value());
    EXPECT_EQ(turns.error().to_string(), c.want);
    EXPECT_EQ(turns.error().code, Errc::BadInput);
  }
}

TEST(Replay, HangsUntilCancelled) {
  const auto model = play(R"({"say": "wait", "hang": true})");
  std::stop_source stop;
  ChunkLog log;
  std::jthread canceller([&] { stop.request_stop(); });
  const auto response = model->generate(ask("a"), {}, stop.get_token());
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, Errc::Cancelled);
}

TEST(Replay, IsOpenedByTheProvider) {
  const testing::TempDir dir;
  ProviderOptions options{.replay_file = dir.put("turns.jsonl", "{\"say\": \"Hello\"}\n")};
  const auto model = make_model_client(options);
  ASSERT_TRUE(model.has_value()) << model.error().to_string();
  EXPECT_EQ((*model)->name(), "replay");
  EXPECT_EQ(describe((*model)->generate(ask("a"), {}, {})), "say(Hello) EndTurn 0/0");

  options.replay_file = dir / "missing";
  EXPECT_EQ(make_model_client(options).error().code, Errc::NotFound);
}

}  // namespace
}  // namespace grapnel::llm
