#include "grapnel/gemini_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dialect/json_text.h"

namespace grapnel {

namespace {

struct OneWayCase {
  const char* note;
  const char* in;
  const char* want;
};

TEST(GeminiModel, RequestsForHooks) {
  const OneWayCase cases[] = {
      {"gemini-68: text and temperature",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "hi"}]}], "config": {"temperature": 0.5, "tools": []}})",
       R"({"model": "m", "messages": [{"role": "user", "content": "hi"}], "config": {"temperature": 0.5}})"},
      {"gemini-68: all four parameters, no other",
       R"({"model": "m", "contents": [], "config": {"temperature": 1, "maxOutputTokens": 2, "topP": 3, "topK": 4, "systemInstruction": "s"}})",
       R"({"model": "m", "messages": [], "config": {"temperature": 1, "maxOutputTokens": 2, "topP": 3, "topK": 4}})"},
      {"gemini-68: string contents are the user's", R"({"model": "m", "contents": ["one", "two"]})",
       R"({"model": "m", "messages": [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}], "config": {}})"},
      {"gemini-68: one item without a list", R"({"model": "m", "contents": "hi"})",
       R"({"model": "m", "messages": [{"role": "user", "content": "hi"}], "config": {}})"},
      {"gemini-68: one turn without a list",
       R"({"model": "m", "contents": {"role": "model", "parts": [{"text": "hi"}]}})",
       R"({"model": "m", "messages": [{"role": "model", "content": "hi"}], "config": {}})"},
      {"gemini-68: null", R"({"model": "m", "contents": [null]})", R"({"model": "m", "messages": [], "config": {}})"},
      {"a bare part is a turn of the user's, and sent, so hooks see it",
       R"({"model": "m", "contents": [{"text": "x"}]})",
       R"({"model": "m", "messages": [{"role": "user", "content": "x"}], "config": {}})"},
      {"no contents and no model: the default", R"({})",
       R"({"model": "gemini-2.5-flash", "messages": [], "config": {}})"},
      {"a model without a name is the default, too", R"({"model": "", "contents": []})",
       R"({"model": "gemini-2.5-flash", "messages": [], "config": {}})"},
      {"roles",
       R"({"model": "m", "contents": [{"role": "system", "parts": [{"text": "a"}]}, {"role": "function", "parts": [{"text": "b"}]}]})",
       R"({"model": "m", "messages": [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}], "config": {}})"},
      {"text parts are joined; thoughts and calls are left out",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "a"}, {"functionCall": {"name": "f"}}, {"text": "hm", "thought": true}, {"text": "b"}]}]})",
       R"({"model": "m", "messages": [{"role": "model", "content": "ab"}], "config": {}})"},
      {"turns without text are skipped",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"functionCall": {}}]}, {"role": "user", "parts": [{"text": ""}]}, {"role": "user", "parts": []}]})",
       R"({"model": "m", "messages": [], "config": {}})"},
      {"results of tools are messages with the call's id: texts as they are, the rest as JSON",
       R"({"model": "m", "contents": [{"role": "user", "parts": [
         {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "text"}}},
         {"functionResponse": {"id": "c2", "name": "g", "response": {"error": "no"}}},
         {"functionResponse": {"name": "h", "response": {"a": 1, "b": 2}}}, {"text": "and this"}]}]})",
       R"({"model": "m", "messages": [
         {"role": "user", "content": "text", "functionResponse": {"id": "c1", "name": "f"}},
         {"role": "user", "content": "no", "functionResponse": {"id": "c2", "name": "g"}},
         {"role": "user", "content": "{\"a\":1,\"b\":2}", "functionResponse": {"name": "h"}},
         {"role": "user", "content": "and this"}], "config": {}})"},
      {"a turn of images is a message without text",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png"}}]}]})",
       R"({"model": "m", "messages": [{"role": "user", "content": ""}], "config": {}})"},
      {"the functions of all tools",
       R"({"model": "m", "contents": [], "config": {"tools": [{"functionDeclarations": [{"name": "f", "description": "F"}]}, {"googleSearch": {}}, {"functionDeclarations": [{"name": "g"}]}]}})",
       R"({"model": "m", "messages": [], "config": {}, "tools": [{"name": "f", "description": "F"}, {"name": "g"}]})"},
      {"any JSON will do", R"([1, "x"])", R"({"model": "gemini-2.5-flash", "messages": [], "config": {}})"},
      {"members of the wrong type", R"({"model": 7, "contents": 7, "config": "x"})",
       R"({"model": "gemini-2.5-flash", "messages": [], "config": {}})"},
  };
  for (const OneWayCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(gemini_to_hook_request(parse(c.in)).dump(), parse(c.want).dump());
  }
}

struct ReturnCase {
  const char* note;
  const char* base;
  const char* hook;
  const char* want;
};

constexpr const char* kHistory = R"({"model": "m", "contents": [
  {"role": "user", "parts": [{"text": "u1"}]},
  {"role": "model", "parts": [{"text": "m1"}, {"functionCall": {"name": "f", "args": {}}}]},
  {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]},
  {"role": "model", "parts": [{"text": "m2"}]}]})";

constexpr const char* kTwoCalls = R"({"model": "m", "contents": [
  {"role": "model", "parts": [{"functionCall": {"id": "c1"}}, {"functionCall": {"id": "c2"}}]},
  {"role": "user", "parts": [{"functionResponse": {"id": "c1", "response": {"output": "a"}}}, {"functionResponse": {"id": "c2", "response": {"error": "b"}}}]}]})";

TEST(GeminiModel, RequestsFromHooks) {
  const ReturnCase cases[] = {
      {"gemini-69: only the model",
       R"({"model": "a", "contents": [{"role": "user", "parts": [{"text": "hi"}]}], "extra": 1})", R"({"model": "b"})",
       R"({"model": "b", "contents": [{"role": "user", "parts": [{"text": "hi"}]}], "extra": 1})"},
      {"gemini-70: edited messages in a history of four turns", kHistory,
       R"({"messages": [{"role": "user", "content": "U1"}, {"role": "model", "content": "M1"}, {"role": "user", "content": "{\"x\":1}"}, {"role": "model", "content": "M2"}]})",
       R"({"model": "m", "contents": [
         {"role": "user", "parts": [{"text": "U1"}]},
         {"role": "model", "parts": [{"text": "M1"}, {"functionCall": {"name": "f", "args": {}}}]},
         {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]},
         {"role": "model", "parts": [{"text": "M2"}]}]})"},
      {"gemini-71: a turn that only calls stays with its result",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}, {"role": "user", "parts": [{"functionResponse": {"response": {"output": "r"}}}]}]})",
       R"({"messages": [{"role": "user", "content": "A"}, {"role": "user", "content": "r"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "A"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}, {"role": "user", "parts": [{"functionResponse": {"response": {"output": "r"}}}]}]})"},
      {"gemini-72: several text parts become one where the first was",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"inlineData": {}}, {"text": "a"}, {"executableCode": {}}, {"text": "b"}]}]})",
       R"({"messages": [{"role": "model", "content": "c"}]})",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"inlineData": {}}, {"text": "c"}, {"executableCode": {}}]}]})"},
      {"the messages replace the conversation: no turn stays, and no call", kHistory,
       R"({"messages": [{"role": "user", "content": "something else"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "something else"}]}]})"},
      {"as many new messages as there were keep no call and no result either", kHistory,
       R"({"messages": [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}, {"role": "user", "content": "c"}, {"role": "user", "content": "d"}]})",
       R"({"model": "m", "contents": [{"role": "system", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "b"}]}, {"role": "user", "parts": [{"text": "c"}]}, {"role": "user", "parts": [{"text": "d"}]}]})"},
      {"a message in front moves nothing", kHistory,
       R"({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u1"}, {"role": "model", "content": "m1"}, {"role": "user", "content": "{\"x\":1}"}, {"role": "model", "content": "m2"}]})",
       R"({"model": "m", "contents": [
         {"role": "system", "parts": [{"text": "s"}]},
         {"role": "user", "parts": [{"text": "u1"}]},
         {"role": "model", "parts": [{"text": "m1"}, {"functionCall": {"name": "f", "args": {}}}]},
         {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]},
         {"role": "model", "parts": [{"text": "m2"}]}]})"},
      {"without its result a call goes", kHistory,
       R"({"messages": [{"role": "user", "content": "u1"}, {"role": "model", "content": "m1"}, {"role": "model", "content": "m2"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "u1"}]}, {"role": "model", "parts": [{"text": "m1"}]}, {"role": "model", "parts": [{"text": "m2"}]}]})"},
      {"without its text it stays", kHistory, R"({"messages": [{"role": "user", "content": "{\"x\":1}"}]})",
       R"({"model": "m", "contents": [
         {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
         {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]}]})"},
      {"a message between a call and its result does not come between them", kHistory,
       R"({"messages": [{"role": "model", "content": "m1"}, {"role": "user", "content": "psst"}, {"role": "user", "content": "{\"x\":1}"}]})",
       R"({"model": "m", "contents": [
         {"role": "model", "parts": [{"text": "m1"}]},
         {"role": "user", "parts": [{"text": "psst"}]},
         {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
         {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]}]})"},
      {"results with another content: the id says which", kTwoCalls,
       R"({"messages": [{"role": "user", "content": "two", "functionResponse": {"id": "c2"}}, {"role": "user", "content": "one", "functionResponse": {"id": "c1"}}]})",
       R"({"model": "m", "contents": [
         {"role": "model", "parts": [{"functionCall": {"id": "c1"}}, {"functionCall": {"id": "c2"}}]},
         {"role": "user", "parts": [{"functionResponse": {"id": "c2", "response": {"error": "two"}}}, {"functionResponse": {"id": "c1", "response": {"output": "one"}}}]}]})"},
      {"one of two calls", kTwoCalls, R"({"messages": [{"role": "user", "content": "b"}]})",
       R"({"model": "m", "contents": [
         {"role": "model", "parts": [{"functionCall": {"id": "c2"}}]},
         {"role": "user", "parts": [{"functionResponse": {"id": "c2", "response": {"error": "b"}}}]}]})"},
      {"an id that no call has is only text", kTwoCalls,
       R"({"messages": [{"role": "user", "content": "x", "functionResponse": {"id": "c9"}}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "x"}]}]})"},
      {"gemini-73: no base", "null",
       R"({"model": "m", "messages": [{"role": "model", "content": "a"}, {"content": "b"}]})",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "b"}]}]})"},
      {"gemini-73: no base contents", R"({"config": {"topK": 1}})",
       R"({"model": "m", "messages": [{"role": "user", "content": "a"}]})",
       R"({"config": {"topK": 1}, "model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}]})"},
      {"gemini-74: an extra message is a further turn",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}]})",
       R"({"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "and this"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "and this"}]}]})"},
      {"fewer messages: the others go",
       R"({"model": "m", "contents": ["a", {"role": "user", "parts": [{"text": "b"}, {"inlineData": {}}]}]})",
       R"({"messages": [{"role": "user", "content": "b"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "b"}, {"inlineData": {}}]}]})"},
      {"strings and bare parts become the user's turns",
       R"({"model": "m", "contents": ["a", {"inlineData": {"mimeType": "image/png"}}]})",
       R"({"messages": [{"role": "user", "content": "A"}, {"role": "user", "content": ""}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "A"}]}, {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png"}}]}]})"},
      {"gemini-9.2-align: an empty text part shifts nothing",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": ""}, {"functionCall": {}}]}, {"role": "user", "parts": [{"text": "a"}]}]})",
       R"({"messages": [{"role": "user", "content": "A"}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "A"}]}]})"},
      {"gemini-9.2-thought: a turn that is as it was keeps its parts",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "a", "thoughtSignature": "s"}]}]})",
       R"({"messages": [{"role": "model", "content": "a"}]})",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "a", "thoughtSignature": "s"}]}]})"},
      {"gemini-9.2-thought: a thought stays a thought beside a changed text",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "a"}]}]})",
       R"({"messages": [{"role": "model", "content": "A"}]})",
       R"({"model": "m", "contents": [{"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "A"}]}]})"},
      {"a role that hooks do not see stays, too",
       R"({"model": "m", "contents": [{"role": "function", "parts": [{"text": "a"}]}]})",
       R"({"messages": [{"role": "user", "content": "a"}]})",
       R"({"model": "m", "contents": [{"role": "function", "parts": [{"text": "a"}]}]})"},
      {"another role alone is a change", R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}]})",
       R"({"messages": [{"role": "system", "content": "a"}]})",
       R"({"model": "m", "contents": [{"role": "system", "parts": [{"text": "a"}]}]})"},
      {"a message without text says nothing; a list of texts is joined",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "b"}]}]})",
       R"({"messages": [{"role": "user"}, {"role": "user", "content": [{"type": "text", "text": "B"}, "C"]}, {"role": "user", "content": 7}, {"role": "user", "content": ""}]})",
       R"({"model": "m", "contents": [{"role": "user", "parts": [{"text": "BC"}]}]})"},
      {"the list of tools: some go, one is new, names are enough",
       R"({"model": "m", "contents": [], "config": {"tools": [{"functionDeclarations": [{"name": "f", "description": "F", "parametersJsonSchema": {}}, {"name": "g"}]}, {"googleSearch": {}}]}})",
       R"({"tools": ["f", {"name": "h", "description": "H"}, 7]})",
       R"({"model": "m", "contents": [], "config": {"tools": [{"googleSearch": {}}, {"functionDeclarations": [{"name": "f", "description": "F", "parametersJsonSchema": {}}, {"name": "h", "description": "H"}]}]}})"},
      {"a tool with another description",
       R"({"model": "m", "contents": [], "config": {"tools": [{"functionDeclarations": [{"name": "f", "description": "F", "parametersJsonSchema": {}}]}]}})",
       R"({"tools": [{"name": "f", "description": "G"}]})",
       R"({"model": "m", "contents": [], "config": {"tools": [{"functionDeclarations": [{"name": "f", "description": "G", "parametersJsonSchema": {}}]}]}})"},
      {"no tools",
       R"({"model": "m", "contents": [], "config": {"tools": [{"functionDeclarations": [{"name": "f"}]}]}})",
       R"({"tools": []})", R"({"model": "m", "contents": [], "config": {}})"},
      {"the default model is not the hook's wish", R"({"model": "", "contents": []})",
       R"({"model": "gemini-2.5-flash"})", R"({"model": "", "contents": []})"},
      {"gemini-9.2-config: the other parameters keep their values",
       R"({"model": "m", "contents": [], "config": {"temperature": 1, "topP": 0.5, "tools": [1]}})",
       R"({"config": {"temperature": 0}})",
       R"({"model": "m", "contents": [], "config": {"temperature": 0, "topP": 0.5, "tools": [1]}})"},
      {"null removes a parameter", R"({"model": "m", "contents": [], "config": {"temperature": 1, "topP": 0.5}})",
       R"({"config": {"topP": null}})", R"({"model": "m", "contents": [], "config": {"temperature": 1}})"},
      {"parameters hooks may not set", R"({"model": "m", "contents": []})",
       R"({"config": {"topK": 5, "systemInstruction": "x"}})",
       R"({"model": "m", "contents": [], "config": {"topK": 5}})"},
      {"the tool choice is not the request's business", R"({"model": "m", "contents": []})",
       R"({"toolConfig": {"mode": "ANY"}})", R"({"model": "m", "contents": []})"},
      {"no model anywhere", R"({"contents": []})", R"({})", R"({"contents": [], "model": ""})"},
      {"no contents anywhere", R"({"model": "m"})", R"({})", R"({"model": "m", "contents": []})"},
      {"members of the wrong type change nothing", R"({"model": "m", "contents": ["a"], "config": {"topK": 1}})",
       R"({"model": 7, "messages": "x", "config": []})", R"({"model": "m", "contents": ["a"], "config": {"topK": 1}})"},
      {"no object at all", R"({"model": "m", "contents": ["a"]})", "[1]", R"({"model": "m", "contents": ["a"]})"},
  };
  for (const ReturnCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(gemini_from_hook_request(parse(c.hook), parse(c.base)).dump(), parse(c.want).dump());
  }
}

TEST(GeminiModel, ResponsesForHooks) {
  const OneWayCase cases[] = {
      {"gemini-75: all there is",
       R"({"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}, {"text": "b"}]}, "finishReason": "STOP", "index": 0,
           "safetyRatings": [{"category": "c", "probability": "LOW", "blocked": false}], "citationMetadata": {}}],
           "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3, "cachedContentTokenCount": 4}})",
       R"({"text": "ab", "candidates": [{"content": {"role": "model", "parts": ["a", "b"]}, "finishReason": "STOP", "index": 0,
           "safetyRatings": [{"category": "c", "probability": "LOW"}]}],
           "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}})"},
      {"gemini-9.2-thought: thoughts are left out",
       R"({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"}]}}]})",
       R"({"text": "a", "candidates": [{"content": {"role": "model", "parts": ["a"]}}]})"},
      {"calls are left out", R"({"candidates": [{"content": {"parts": [{"functionCall": {"name": "f"}}]}}]})",
       R"({"text": "", "candidates": [{"content": {"role": "model", "parts": []}}]})"},
      {"the text is the first candidate's",
       R"({"candidates": [{"content": {"parts": [{"text": "a"}]}}, {"content": {"parts": [{"text": "b"}]}}]})",
       R"({"text": "a", "candidates": [{"content": {"role": "model", "parts": ["a"]}}, {"content": {"role": "model", "parts": ["b"]}}]})"},
      {"no parts, no text", R"({"candidates": [{"finishReason": "SAFETY"}]})",
       R"({"candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "SAFETY"}]})"},
      {"nothing", R"({})", R"({"candidates": []})"},
      {"any JSON will do", R"("x")", R"({"candidates": []})"},
  };
  for (const OneWayCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(gemini_to_hook_response(parse(c.in)).dump(), parse(c.want).dump());
  }
}

TEST(GeminiModel, ResponsesFromHooks) {
  const OneWayCase cases[] = {
      {"gemini-75: all there is",
       R"({"text": "ab", "candidates": [{"content": {"role": "model", "parts": ["a", "b"]}, "finishReason": "STOP", "index": 0,
           "safetyRatings": [{"category": "c", "probability": "LOW"}]}], "usageMetadata": {"totalTokenCount": 3, "other": 1}})",
       R"({"text": "ab", "candidates": [{"content": {"role": "model", "parts": [{"text": "a"}, {"text": "b"}]}, "finishReason": "STOP", "index": 0,
           "safetyRatings": [{"category": "c", "probability": "LOW"}]}], "usageMetadata": {"totalTokenCount": 3}})"},
      {"parts as the SDK writes them",
       R"({"candidates": [{"content": {"parts": [{"text": "a"}, {"functionCall": {}}, 7]}}]})",
       R"({"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}}]})"},
      {"no candidates in the list", R"({"candidates": []})", R"({"candidates": []})"},
  };
  for (const OneWayCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(gemini_from_hook_response(parse(c.in)).dump(), parse(c.want).dump());
  }
}

TEST(GeminiModel, AMalformedResponseIsNone) {  // gemini-9.2-response
  for (const char* text : {R"({})", R"({"text": "x"})", R"({"candidates": {}})", R"({"candidates": [7]})",
                           R"({"candidates": [{"content": {}}]})", R"({"candidates": [{"content": {"parts": "x"}}]})",
                           "null", "[]", "7"}) {
    EXPECT_TRUE(gemini_from_hook_response(parse(text)).is_missing()) << text;
  }
  EXPECT_TRUE(gemini_from_hook_response(Json()).is_missing());
}

TEST(GeminiModel, ToolChoices) {
  const OneWayCase cases[] = {
      {"gemini-75: both members", R"({"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["a"]}})",
       R"({"mode": "ANY", "allowedFunctionNames": ["a"]})"},
      {"the mode alone", R"({"functionCallingConfig": {"mode": "NONE"}})", R"({"mode": "NONE"})"},
      {"gemini-75: empty", R"({})", R"({})"},
  };
  for (const OneWayCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(gemini_to_hook_tool_config(parse(c.in)).dump(), parse(c.want).dump());
    EXPECT_EQ(gemini_from_hook_tool_config(parse(c.want)).dump(), parse(c.in).dump());
  }
  EXPECT_EQ(gemini_to_hook_tool_config(parse(R"({"functionCallingConfig": {}})")).dump(), "{}");
  EXPECT_EQ(gemini_from_hook_tool_config(parse(R"({"mode": 7, "allowedFunctionNames": "a"})")).dump(), "{}");
  EXPECT_TRUE(gemini_to_hook_tool_config(parse("7")).is_missing());
  EXPECT_TRUE(gemini_from_hook_tool_config(Json()).is_missing());
}

/// A turn of a conversation: texts, calls and thoughts in any order, empty ones too.
rc::Gen<Json> any_turn() {
  const auto part =
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::element<std::string>("", "a", "b ", "<c>")),
                   [](const std::pair<int, std::string>& p) {
                     if (p.first == 0) return parse(R"({"functionCall": {"name": "f"}})");
                     const Json text = Json::object({{"text", Json::string(p.second)}});
                     return p.first == 1 ? text.with("thought", Json::boolean(true)) : text;
                   });
  const auto parts = rc::gen::container<std::vector<Json>>(part);
  const auto role = rc::gen::element<std::string>("user", "model", "system", "function");
  return rc::gen::map(rc::gen::pair(role, parts), [](const std::pair<std::string, std::vector<Json>>& turn) {
    return Json::object({{"role", Json::string(turn.first)}, {"parts", Json::array(turn.second)}});
  });
}

RC_GTEST_PROP(GeminiModelProperty, AHookThatChangesNothingChangesNothing, ()) {
  const auto turns = *rc::gen::container<std::vector<Json>>(any_turn());
  const Json base = Json::object({{"model", Json::string("m")}, {"contents", Json::array(turns)}});
  RC_ASSERT(gemini_from_hook_request(gemini_to_hook_request(base), base).without("config").dump() == base.dump());
}

RC_GTEST_PROP(GeminiModelProperty, AnEditLandsInTheMessageItWasMadeFor, ()) {
  const auto turns = *rc::gen::container<std::vector<Json>>(any_turn());
  const Json base = Json::object({{"model", Json::string("m")}, {"contents", Json::array(turns)}});
  const Json seen = gemini_to_hook_request(base);
  std::vector<Json> edited;
  for (const Json& message : seen["messages"].elements()) {
    edited.push_back(message.with("content", Json::string(*message["content"].as_string() + "!")));
  }
  if (edited.empty()) return;
  const Json changed = seen.with("messages", Json::array(edited));
  const Json result = gemini_from_hook_request(changed, base);
  // Turns of which hooks see nothing are not sent: calls here have no results.
  RC_ASSERT(result["contents"].size() == seen["messages"].size());
  RC_ASSERT(gemini_to_hook_request(result)["messages"].dump() == changed["messages"].dump());
}

}  // namespace

}  // namespace grapnel
