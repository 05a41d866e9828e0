#include "llm/gemini_wire.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grapnel/gemini_model.h"

#include "llm/model_support.h"

// What model hooks see of a request and an answer, and what their changes leave alone.

namespace grapnel::llm {
namespace {

using testing::describe;
using testing::json;

rc::Gen<std::string> any_text() {
  return rc::gen::elementOf(std::vector<std::string>{"", "a", "Hello", "{\"output\":1}", "\u00e9", "line\nline"});
}

rc::Gen<Json> any_json() {
  return rc::gen::map(rc::gen::elementOf(std::vector<std::string>{R"("text")", R"({"output":"x"})", R"({"error":"x"})",
                                                                  "{}", "[1,2]", "7", "null", R"({"a":{"b":[]}})"}),
                      [](const std::string& text) { return json(text); });
}

ModelPart any_part(ModelRole role) {
  if (role == ModelRole::Tool && *rc::gen::inRange(0, 3) > 0) {
    return ToolResultPart{*any_text(), *any_text(), *any_json(), *rc::gen::arbitrary<bool>()};
  }
  switch (*rc::gen::inRange(0, role == ModelRole::Assistant ? 4 : 2)) {
    case 0:
      return TextPart{*any_text()};
    case 1:
      return ImagePart{"image/png", *any_text()};
    case 2:
      return ThoughtPart{*any_text(), *any_text()};
    default:
      return ToolCallPart{*any_text(), *any_text(), json(R"({"path":"a"})"), *any_text()};
  }
}

ModelMessage any_message() {
  const auto role =
      *rc::gen::elementOf(std::vector{ModelRole::System, ModelRole::User, ModelRole::Assistant, ModelRole::Tool});
  ModelMessage message{role, {}};
  // A message of tools has a result, and none is empty.
  if (role == ModelRole::Tool) message.parts.emplace_back(ToolResultPart{"c", "f", *any_json(), false});
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) message.parts.push_back(any_part(role));
  return message;
}

template <typename T>
std::optional<T> maybe(T value) {
  return *rc::gen::arbitrary<bool>() ? std::optional(value) : std::nullopt;
}

ModelRequest any_request() {
  ModelRequest request;
  request.model = *any_text();
  request.system = *any_text();
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) request.messages.push_back(any_message());
  request.tools = {{"read", "Reads", json(R"({"type":"object"})")}};
  request.tool_choice.mode = *rc::gen::elementOf(std::vector{ToolMode::Auto, ToolMode::Any, ToolMode::None});
  if (*rc::gen::arbitrary<bool>()) request.tool_choice.allowed = {"read"};
  request.max_output_tokens = maybe<int64_t>(100);
  request.temperature = maybe(0.5);
  request.top_p = maybe(0.25);
  request.top_k = maybe<int64_t>(4);
  request.lane = *any_text();
  return request;
}

RC_GTEST_PROP(GeminiWireLaw, RequestsComeBackAsTheyWere, ()) {
  const ModelRequest request = any_request();
  RC_ASSERT(from_gemini_request(to_gemini_request(request), request) == request);
}

RC_GTEST_PROP(GeminiWireLaw, HooksThatChangeNothingChangeNothing, ()) {
  const ModelRequest request = any_request();
  const Json sdk = to_gemini_request(request);
  RC_ASSERT(from_gemini_request(gemini_from_hook_request(gemini_to_hook_request(sdk), sdk), request) == request);
}

RC_GTEST_PROP(GeminiWireLaw, ResponsesComeBackAsTheyWere, ()) {
  ModelResponse response;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) response.parts.push_back(any_part(ModelRole::Assistant));
  response.stop_reason = response.calls().empty() ? StopReason::EndTurn : StopReason::ToolCalls;
  response.usage = {10, 5};
  RC_ASSERT(from_gemini_response(to_gemini_response(response), {}) == response);
}

/// The request of the table: a text, a call with a text, its result and an image.
ModelRequest conversation() {
  ModelRequest request = testing::ask("first");
  request.system = "system";
  request.temperature = 0.5;
  request.tools = {{"read", "Reads", json("{}")}};
  request.messages.push_back(
      {ModelRole::Assistant, {TextPart{"look"}, ToolCallPart{"c1", "read", json(R"({"path":"a"})"), "sig"}}});
  request.messages.push_back({ModelRole::Tool, {ToolResultPart{"c1", "read", Json::string("content"), false}}});
  request.messages.push_back({ModelRole::User, {TextPart{"see"}, ImagePart{"image/png", "AAAA"}}});
  return request;
}

std::string describe_messages(const ModelRequest& request) {
  std::string out;
  for (const ModelMessage& message : request.messages) {
    out += "SUAT"[static_cast<size_t>(message.role)];
    for (const ModelPart& part : message.parts) out += " " + describe(part);
    out += "\n";
  }
  return out;
}

struct HookCase {
  const char* note;
  const char* hook_request;
  const char* want;
};

constexpr HookCase kHookCases[] = {
    {"a text changed, the rest of its turn kept",
     R"({"messages": [{"role": "user", "content": "first"}, {"role": "model", "content": "LOOK"}, {"role": "user", "content": "content"}, {"role": "user", "content": "SEE"}]})",
     "U say(first)\nA say(LOOK) call(c1 read {\"path\":\"a\"} #sig)\nT result(c1 read \"content\")\nU say(SEE) "
     "image(image/png AAAA)\n"},
    {"a message more",
     R"({"messages": [{"role": "user", "content": "first"}, {"role": "model", "content": "look"}, {"role": "user", "content": "content"}, {"role": "user", "content": "see"}, {"role": "system", "content": "be kind"}]})",
     "U say(first)\nA say(look) call(c1 read {\"path\":\"a\"} #sig)\nT result(c1 read \"content\")\nU say(see) "
     "image(image/png AAAA)\nS say(be kind)\n"},
    {"a result changed",
     R"({"messages": [{"role": "user", "content": "***", "functionResponse": {"id": "c1", "name": "read"}}]})",
     "A call(c1 read {\"path\":\"a\"} #sig)\nT result(c1 read \"***\")\n"},
    {"nothing but the hook's own message", R"({"messages": [{"role": "user", "content": "FIRST"}]})", "U say(FIRST)\n"},
};

TEST(GeminiWire, HooksChangeTextAlone) {
  for (const HookCase& c : kHookCases) {
    SCOPED_TRACE(c.note);
    const ModelRequest base = conversation();
    const auto changed =
        from_gemini_request(gemini_from_hook_request(json(c.hook_request), to_gemini_request(base)), base);
    EXPECT_EQ(describe_messages(changed), c.want);
    EXPECT_EQ(changed.system, "system");
    EXPECT_EQ(changed.tools, base.tools);
    EXPECT_EQ(changed.temperature, 0.5);
    EXPECT_EQ(changed.model, "test-model");
  }
}

TEST(GeminiWire, HooksChangeTheTools) {
  ModelRequest base = conversation();
  base.tools.push_back({"write", "Writes", json(R"({"type":"object"})")});
  const auto tools_after = [&](const char* hook) {
    return from_gemini_request(gemini_from_hook_request(json(hook), to_gemini_request(base)), base).tools;
  };
  EXPECT_EQ(tools_after(R"({"tools": [{"name": "write"}]})"), std::vector{base.tools[1]});
  EXPECT_EQ(tools_after(R"({"tools": []})"), std::vector<ToolDeclaration>{});
  EXPECT_EQ(tools_after(R"({})"), base.tools);
}

TEST(GeminiWire, HooksChangeModelAndParameters) {
  const ModelRequest base = conversation();
  const Json hook = json(R"({"model": "other", "config": {"temperature": null, "topK": 3}})");
  const auto changed = from_gemini_request(gemini_from_hook_request(hook, to_gemini_request(base)), base);
  EXPECT_EQ(changed.model, "other");
  EXPECT_EQ(changed.temperature, std::nullopt);
  EXPECT_EQ(changed.top_k, 3);
  EXPECT_EQ(changed.messages, base.messages);
}

struct ResponseCase {
  const char* note;
  const char* sdk_response;
  const char* want;
};

constexpr ResponseCase kResponseCases[] = {
    {"nothing", "{}", "think(Hm) say(look) call(c1 read {}) ToolCalls 10/5"},
    {"another text: thoughts and calls stay",
     R"({"candidates": [{"content": {"parts": [{"text": "LOOK"}]}, "finishReason": "STOP"}]})",
     "think(Hm) say(LOOK) call(c1 read {}) ToolCalls 10/5"},
    {"other calls", R"({"candidates": [{"content": {"parts": [{"functionCall": {"id": "c2", "name": "f"}}]}}]})",
     "think(Hm) call(c2 f {}) ToolCalls 10/5"},
    {"another reason", R"({"candidates": [{"content": {"parts": []}, "finishReason": "SAFETY"}]})",
     "think(Hm) call(c1 read {}) Refusal 10/5"},
    {"other usage",
     R"({"candidates": [{"content": {"parts": []}}], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2}})",
     "think(Hm) call(c1 read {}) ToolCalls 1/2"},
};

TEST(GeminiWire, ChangedResponses) {
  const ModelResponse base{{ThoughtPart{"Hm", ""}, TextPart{"look"}, ToolCallPart{"c1", "read", Json::object(), ""}},
                           StopReason::ToolCalls,
                           {10, 5}};
  for (const ResponseCase& c : kResponseCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(describe(from_gemini_response(json(c.sdk_response), base)), c.want);
  }
}

struct ChunkCase {
  const char* note;
  ModelChunk chunk;
  const char* want;
};

TEST(GeminiWire, Chunks) {
  const ChunkCase cases[] = {
      {"a text", TextDelta{"a"}, R"({"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"index":0}]})"},
      {"a thought", TextDelta{"a", true},
       R"({"candidates":[{"content":{"role":"model","parts":[{"text":"a","thought":true}]},"index":0}]})"},
      {"a call", ToolCallPart{"c", "f", json("{}"), ""},
       R"({"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{}}}]},"index":0}]})"},
      {"usage", ModelUsage{1, 2},
       R"({"candidates":[],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3}})"},
      {"the end", StopReason::MaxTokens,
       R"({"candidates":[{"content":{"role":"model","parts":[]},"finishReason":"MAX_TOKENS","index":0}]})"},
  };
  for (const ChunkCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(to_gemini_response(c.chunk).dump(), c.want);
  }
}

TEST(GeminiWire, TakesAnyJson) {
  for (const char* text : {"null", "7", "[]", "{}", R"({"contents": 1, "config": []})",
                           R"({"contents": [null, 1, {"parts": 2}, {"role": 3, "parts": [4, {"functionCall": {}}]}]})",
                           R"({"candidates": [1]})", R"({"candidates": {"0": {}}})"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(from_gemini_request(json(text), conversation()).tools.size(), 1U);
    from_gemini_response(json(text), {});
  }
}

}  // namespace
}  // namespace grapnel::llm
