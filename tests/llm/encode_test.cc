#include <string>

#include <gtest/gtest.h>

#include "llm/anthropic.h"
#include "llm/gemini.h"
#include "llm/model_support.h"
#include "llm/openai.h"

// What each server is sent for one and the same request.

namespace grapnel::llm {
namespace {

using testing::ask;
using testing::json;

struct Case {
  const char* note;
  ModelRequest request;
  const char* pointer;  ///< the part of the body that is looked at
  const char* anthropic;
  const char* openai;
  const char* gemini_pointer;
  const char* gemini;
};

ModelRequest with_messages(std::vector<ModelMessage> messages) {
  ModelRequest request = ask("");
  request.messages = std::move(messages);
  return request;
}

ModelRequest with_tools(ToolChoice choice) {
  ModelRequest request = ask("go");
  const Json schema = json(R"({"type":"object"})");
  request.tools = {{"read", "Reads", schema}, {"write", "Writes", schema}};
  request.tool_choice = std::move(choice);
  return request;
}

ModelMessage user(std::vector<ModelPart> parts) {
  return {ModelRole::User, std::move(parts)};
}
ModelMessage assistant(std::vector<ModelPart> parts) {
  return {ModelRole::Assistant, std::move(parts)};
}
ModelMessage tool(std::vector<ModelPart> parts) {
  return {ModelRole::Tool, std::move(parts)};
}

const ToolCallPart kCall{"c1", "read", json(R"({"path":"a"})"), "sig"};
const ToolResultPart kResult{"c1", "read", Json::string("text of a"), false};

std::vector<Case> message_cases() {
  ModelRequest system = ask("go");
  system.system = "Be brief.";
  system.messages.push_back({ModelRole::System, {TextPart{"Be kind."}}});
  return {
      {"a text", ask("Hello"), "/messages", R"([{"role":"user","content":[{"type":"text","text":"Hello"}]}])",
       R"([{"role":"user","content":"Hello"}])", "/contents", R"([{"role":"user","parts":[{"text":"Hello"}]}])"},
      {"system messages", system, "/messages", R"([{"role":"user","content":[{"type":"text","text":"go"}]}])",
       R"([{"role":"system","content":"Be brief."},{"role":"user","content":"go"},{"role":"system","content":"Be kind."}])",
       "/systemInstruction", R"({"parts":[{"text":"Be brief.\n\nBe kind."}]})"},
      {"an image", with_messages({user({TextPart{"See"}, ImagePart{"image/png", "AAAA"}})}), "/messages",
       R"([{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}])",
       R"([{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}])",
       "/contents",
       R"([{"role":"user","parts":[{"text":"See"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}])"},
      {"a call and its result", with_messages({assistant({TextPart{"Look"}, kCall}), tool({kResult})}), "/messages",
       R"([{"role":"assistant","content":[{"type":"text","text":"Look"},{"type":"tool_use","id":"c1","name":"read","input":{"path":"a"}}]},
           {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text of a"}]}])",
       R"([{"role":"assistant","content":"Look","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]},
           {"role":"tool","content":"text of a","tool_call_id":"c1"}])",
       "/contents",
       R"([{"role":"model","parts":[{"text":"Look"},{"functionCall":{"id":"c1","name":"read","args":{"path":"a"}},"thoughtSignature":"sig"}]},
           {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read","response":{"output":"text of a"}}}]}])"},
      {"a call without a text", with_messages({assistant({kCall})}), "/messages/0/content",
       R"([{"type":"tool_use","id":"c1","name":"read","input":{"path":"a"}}])", "null", "/contents/0/parts/0/text", ""},
      {"a failure with JSON", with_messages({tool({ToolResultPart{"c1", "read", json(R"({"code":1})"), true}})}),
       "/messages/0",
       R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"code\":1}","is_error":true}]})",
       R"({"role":"tool","content":"{\"code\":1}","tool_call_id":"c1"})",
       "/contents/0/parts/0/functionResponse/response", R"({"error":{"code":1}})"},
      {"a tool gives an image", with_messages({tool({kResult, ImagePart{"image/png", "AAAA"}})}), "/messages",
       R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text of a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}])",
       R"([{"role":"tool","content":"text of a","tool_call_id":"c1"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}])",
       "/contents/0/parts/1", R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})"},
      {"one role after the other, results first",
       with_messages({user({TextPart{"a"}}), tool({kResult}), user({TextPart{"b"}})}), "/messages",
       R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text of a"},{"type":"text","text":"a"},{"type":"text","text":"b"}]}])",
       R"([{"role":"user","content":"a"},{"role":"tool","content":"text of a","tool_call_id":"c1"},{"role":"user","content":"b"}])",
       "/contents/2", R"({"role":"user","parts":[{"text":"b"}]})"},
      {"thoughts go back to who signed them",
       with_messages({assistant({ThoughtPart{"Hm", "s"}, ThoughtPart{"Oh", ""}, ThoughtPart{"", "r"}, TextPart{"a"}})}),
       "/messages/0/content",
       R"([{"type":"thinking","thinking":"Hm","signature":"s"},{"type":"redacted_thinking","data":"r"},{"type":"text","text":"a"}])",
       R"("a")", "/contents/0/parts", R"([{"text":"a"}])"},
      {"what says nothing is left out", with_messages({assistant({}), assistant({ThoughtPart{"Hm", ""}})}), "/messages",
       "[]", "[]", "/contents", "[]"},
  };
}

std::vector<Case> option_cases() {
  ModelRequest limits = ask("go");
  limits.max_output_tokens = 100;
  limits.temperature = 0.5;
  limits.top_p = 0.25;
  limits.top_k = 4;
  return {
      {"nothing asked for", ask("go"), "/max_tokens", "8192", "", "/generationConfig", ""},
      {"limits", limits, "/max_tokens", "100", "100", "/generationConfig",
       R"({"temperature":0.5,"topP":0.25,"topK":4,"maxOutputTokens":100})"},
      {"temperature", limits, "/temperature", "0.5", "0.5", "/generationConfig/temperature", "0.5"},
      {"streamed", ask("go"), "/stream", "true", "true", "/stream", ""},
      {"no tools, no choice", ask("go"), "/tool_choice", "", "", "/toolConfig", ""},
      {"tools", with_tools({}), "/tools/0", R"({"name":"read","description":"Reads","input_schema":{"type":"object"}})",
       R"({"type":"function","function":{"name":"read","description":"Reads","parameters":{"type":"object"}}})",
       "/tools/0/functionDeclarations/0",
       R"({"name":"read","description":"Reads","parametersJsonSchema":{"type":"object"}})"},
      {"as it likes", with_tools({}), "/tool_choice", "", "", "/toolConfig", ""},
      {"some tool", with_tools({ToolMode::Any, {}}), "/tool_choice", R"({"type":"any"})", R"("required")",
       "/toolConfig", R"({"functionCallingConfig":{"mode":"ANY"}})"},
      {"this tool", with_tools({ToolMode::Any, {"write"}}), "/tool_choice", R"({"type":"tool","name":"write"})",
       R"({"type":"function","function":{"name":"write"}})", "/toolConfig",
       R"({"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["write"]}})"},
      {"no tool", with_tools({ToolMode::None, {}}), "/tool_choice", R"({"type":"none"})", R"("none")", "/toolConfig",
       R"({"functionCallingConfig":{"mode":"NONE"}})"},
      {"as it likes, of these", with_tools({ToolMode::Auto, {"write"}}), "/tools",
       R"([{"name":"write","description":"Writes","input_schema":{"type":"object"}}])",
       R"([{"type":"function","function":{"name":"write","description":"Writes","parameters":{"type":"object"}}}])",
       "/tools/0/functionDeclarations",
       R"([{"name":"write","description":"Writes","parametersJsonSchema":{"type":"object"}}])"},
      {"of these: names are for required calls", with_tools({ToolMode::Auto, {"write"}}), "/tool_choice", "", "",
       "/toolConfig/functionCallingConfig/allowedFunctionNames", ""},
  };
}

void expect_at(const Json& body, const char* pointer, const char* want) {
  const Json value = body.at_pointer(pointer);
  if (std::string_view(want).empty()) {
    EXPECT_TRUE(value.is_missing()) << value.dump();
  } else {
    EXPECT_TRUE(value == json(want)) << value.dump() << "\ninstead of\n" << want;
  }
}

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    expect_at(encode_anthropic_request(c.request), c.pointer, c.anthropic);
    expect_at(encode_openai_request(c.request), c.pointer, c.openai);
    expect_at(encode_gemini_request(c.request), c.gemini_pointer, c.gemini);
  }
}

TEST(Encode, Messages) {
  expect_all(message_cases());
}

TEST(Encode, Options) {
  expect_all(option_cases());
}

TEST(Encode, AnthropicHasOneSystemPrompt) {
  ModelRequest request = ask("go");
  request.system = "a";
  request.messages.push_back({ModelRole::System, {TextPart{"b"}}});
  EXPECT_TRUE(encode_anthropic_request(request)["system"].equals_string("a\n\nb"));
}

TEST(Encode, OpenAiOwnServerHasAnotherNameForTheLimit) {
  ModelRequest request = ask("go");
  request.max_output_tokens = 7;
  const Json own = kOpenAiFormat.encode({std::string(kOpenAiFormat.default_base_url), ""}, request);
  EXPECT_EQ(own["max_completion_tokens"].as_integer(), 7);
  EXPECT_TRUE(own["max_tokens"].is_missing());
  const Json other = kOpenAiFormat.encode({"http://localhost:11434/v1", ""}, request);
  EXPECT_EQ(other["max_tokens"].as_integer(), 7);
}

struct UrlCase {
  const char* note;
  const WireFormat& format;
  const char* model;
  const char* want;
};

TEST(Encode, Urls) {
  const UrlCase cases[] = {
      {"anthropic", kAnthropicFormat, "m", "http://h/v1/messages"},
      {"openai", kOpenAiFormat, "m", "http://h/chat/completions"},
      {"gemini", kGeminiFormat, "gemini-2.5-pro",
       "http://h/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"},
      {"gemini, a full name", kGeminiFormat, "tunedModels/x",
       "http://h/v1beta/tunedModels/x:streamGenerateContent?alt=sse"},
      {"gemini, a strange name", kGeminiFormat, "a?b#c d",
       "http://h/v1beta/models/a%3Fb%23c%20d:streamGenerateContent?alt=sse"},
  };
  for (const UrlCase& c : cases) {
    SCOPED_TRACE(c.note);
    ModelRequest request = ask("go");
    request.model = c.model;
    EXPECT_EQ(c.format.url({"http://h", "k"}, request), c.want);
  }
}

}  // namespace
}  // namespace grapnel::llm
