#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "llm/model_support.h"
#include "llm/streams.h"
#include "net/sse.h"

// What comes out of each provider's stream, however the bytes are cut.

namespace grapnel::llm {
namespace {

using testing::ChunkLog;
using testing::describe;
using testing::kProviderStreams;
using testing::ProviderStream;

Result<ModelResponse> decode(const WireFormat& format, const std::vector<std::string_view>& pieces,
                             const ChunkSink& on_chunk = {}) {
  int ids = 0;
  const auto decoder = format.make_decoder(on_chunk, [&] { return "made_" + std::to_string(++ids); });
  net::SseParser parser;
  for (const std::string_view piece : pieces) {
    const auto fed = parser.feed(piece, [&](const net::SseEvent& event) { return decoder->take(event); });
    if (!fed) return std::unexpected(fed.error());
  }
  return decoder->finish();
}

TEST(Decoders, OneAnswerInThreeFormats) {
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    ChunkLog log;
    EXPECT_EQ(describe(decode(p.format, {p.stream}, log.sink())), testing::kStreamedResponse);
    size_t at = 0;
    for (const std::string_view told : {"say(Let me )", "say(look ", "call(c1 ", "call(c2 ", "ToolCalls"}) {
      at = log.text().find(told, at);
      ASSERT_NE(at, std::string::npos) << told << " is missing or too early in " << log.text();
    }
  }
}

TEST(Decoders, EverySplitGivesTheSame) {
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    for (size_t at = 0; at <= p.stream.size(); ++at) {
      ASSERT_EQ(describe(decode(p.format, {p.stream.substr(0, at), p.stream.substr(at)})), testing::kStreamedResponse)
          << "split at " << at;
    }
  }
}

RC_GTEST_PROP(DecoderLaw, AnyPiecesGiveTheSame, ()) {
  const ProviderStream& p = kProviderStreams[*rc::gen::inRange<size_t>(0, 3)];
  std::vector<std::string_view> pieces;
  for (std::string_view rest = p.stream; !rest.empty();) {
    const size_t size = *rc::gen::inRange<size_t>(1, 200);
    pieces.push_back(rest.substr(0, size));
    rest.remove_prefix(pieces.back().size());
  }
  RC_ASSERT(describe(decode(p.format, pieces)) == testing::kStreamedResponse);
}

TEST(Decoders, EveryCutIsAnErrorNotAnAnswer) {
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    const size_t last = p.stream.rfind(&p.format == &kOpenAiFormat ? "data: {\"id\":\"x\",\"choices\":[]" : "data: ");
    // OpenAI's usage comes after the finish, which completes the answer.
    const size_t complete = &p.format == &kOpenAiFormat ? last : p.stream.size() - 1;
    for (size_t size = 0; size < complete; ++size) {
      const auto response = decode(p.format, {p.stream.substr(0, size)});
      if (response) {
        ADD_FAILURE() << "cut at " << size << ": " << describe(response);
        break;
      }
      EXPECT_EQ(response.error().code, Errc::System);
    }
  }
}

struct StreamCase {
  const char* note;
  const WireFormat& format;
  std::string data;  ///< events, one a line
  const char* want;
};

std::vector<StreamCase> stream_cases() {
  const std::string start = R"({"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}})"
                            "\n";
  const auto end = [](const std::string& reason) {
    return R"({"type":"message_delta","delta":{"stop_reason":")" + reason +
           R"("},"usage":{"output_tokens":2}})"
           "\n"
           R"({"type":"message_stop"})";
  };
  const auto call = [](const std::string& input) {
    return R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}})"
           "\n"
           R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":")" +
           input +
           "\"}}\n"
           R"({"type":"content_block_stop","index":0})"
           "\n";
  };
  const auto choice = [](const std::string& delta, const std::string& finish) {
    return R"({"choices":[{"delta":)" + delta + R"(,"finish_reason":)" + finish + "}]}\n";
  };
  const auto candidate = [](const std::string& parts, const std::string& finish) {
    return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + R"(]},"finishReason":")" + finish +
           "\"}]}\n";
  };
  return {
      {"anthropic: nothing said", kAnthropicFormat, start + end("end_turn"), "EndTurn 1/2"},
      {"anthropic: a thought with its signature", kAnthropicFormat,
       start +
           R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})"
           "\n"
           R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}})"
           "\n"
           R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})"
           "\n"
           R"({"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"xyz"}})"
           "\n" +
           end("end_turn"),
       "think(Hm #s) think( #xyz) EndTurn 1/2"},
      {"anthropic: cut off by the token limit", kAnthropicFormat, start + call(R"({\"a\": \"b)") + end("max_tokens"),
       "MaxTokens 1/2"},
      {"anthropic: a call that is no JSON", kAnthropicFormat, start + call(R"({\"a\": \"b)") + end("tool_use"),
       "error: the model called f with an input that is not a JSON object"},
      {"anthropic: a call that is no object", kAnthropicFormat, start + call("[1]") + end("tool_use"),
       "error: the model called f with an input that is not a JSON object"},
      {"anthropic: the input at once", kAnthropicFormat,
       start +
           R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{"a":1}}})"
           "\n"
           R"({"type":"content_block_stop","index":0})"
           "\n" +
           end("tool_use"),
       "call(c f {\"a\":1}) ToolCalls 1/2"},
      {"anthropic: refused", kAnthropicFormat, start + end("refusal"), "Refusal 1/2"},
      {"anthropic: a reason nobody knows", kAnthropicFormat, start + end("pause_turn"), "Other 1/2"},
      {"anthropic: an error in the middle", kAnthropicFormat,
       start + R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", "error: Overloaded"},
      {"anthropic: unknown events", kAnthropicFormat, start + "{\"type\":\"new\"}\n{}\n" + end("end_turn"),
       "EndTurn 1/2"},
      {"anthropic: garbage", kAnthropicFormat, "<html>", "error: an event of the stream is not a JSON object"},

      {"openai: no [DONE]", kOpenAiFormat, choice(R"({"content":"a"})", "\"stop\""), "say(a) EndTurn 0/0"},
      {"openai: calls without index or id", kOpenAiFormat,
       choice(R"({"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]})", "\"stop\""),
       "call(made_1 f {}) ToolCalls 0/0"},
      {"openai: calls without index", kOpenAiFormat,
       choice(R"({"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":"}}]})", "null") +
           choice(R"({"tool_calls":[{"function":{"arguments":"1}"}},{"id":"d","function":{"name":"g"}}]})",
                  "\"tool_calls\""),
       "call(c f {\"a\":1}) call(d g {}) ToolCalls 0/0"},
      {"openai: a call that is no JSON", kOpenAiFormat,
       choice(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{a}"}}]})", "\"tool_calls\""),
       "error: the model called f with an input that is not a JSON object"},
      {"openai: cut off by the token limit", kOpenAiFormat,
       choice(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a"}}]})", "\"length\""),
       "MaxTokens 0/0"},
      {"openai: refused", kOpenAiFormat, choice(R"({"refusal":"I cannot."})", "\"stop\""),
       "say(I cannot.) Refusal 0/0"},
      {"openai: filtered", kOpenAiFormat, choice("{}", "\"content_filter\""), "Refusal 0/0"},
      {"openai: reasoning", kOpenAiFormat,
       choice(R"({"reasoning_content":"Hm"})", "null") + choice(R"({"content":"a"})", "\"stop\""),
       "think(Hm) say(a) EndTurn 0/0"},
      {"openai: an error in the middle", kOpenAiFormat,
       choice(R"({"content":"a"})", "null") + R"({"error":{"message":"Busy","type":"server_error"}})", "error: Busy"},
      {"openai: garbage", kOpenAiFormat, "[1]", "error: an event of the stream is not a JSON object"},
      {"openai: an empty stream", kOpenAiFormat, "[DONE]", "error: the stream ended before the answer was complete"},

      {"gemini: calls without id", kGeminiFormat,
       candidate(R"({"functionCall":{"name":"f"}},{"functionCall":{"name":"g","args":{"a":1}},"thoughtSignature":"s"})",
                 "STOP"),
       "call(made_1 f {}) call(made_2 g {\"a\":1} #s) ToolCalls 0/0"},
      {"gemini: thoughts", kGeminiFormat, candidate(R"({"text":"Hm","thought":true},{"text":"a"})", "STOP"),
       "think(Hm) say(a) EndTurn 0/0"},
      {"gemini: safety", kGeminiFormat, candidate("", "SAFETY"), "Refusal 0/0"},
      {"gemini: the prompt is refused", kGeminiFormat, R"({"promptFeedback":{"blockReason":"SAFETY"}})", "Refusal 0/0"},
      {"gemini: a limit", kGeminiFormat, candidate(R"({"text":"a"})", "MAX_TOKENS"), "say(a) MaxTokens 0/0"},
      {"gemini: a reason nobody knows", kGeminiFormat, candidate("", "MALFORMED_FUNCTION_CALL"), "Other 0/0"},
      {"gemini: an error", kGeminiFormat, R"({"error":{"code":503,"message":"Busy","status":"UNAVAILABLE"}})",
       "error: Busy"},
      {"gemini: parts nobody knows", kGeminiFormat, candidate(R"({"executableCode":{}},7,{"text":"a"})", "STOP"),
       "say(a) EndTurn 0/0"},
      {"gemini: more tokens than there can be", kGeminiFormat,
       candidate("", "STOP") +
           R"({"usageMetadata":{"promptTokenCount":-1,"candidatesTokenCount":9223372036854775807,"thoughtsTokenCount":9223372036854775807}})",
       "EndTurn 0/2000000000000"},
      {"gemini: garbage", kGeminiFormat, "nonsense", "error: an event of the stream is not a JSON object"},
  };
}

TEST(Decoders, Streams) {
  for (const StreamCase& c : stream_cases()) {
    SCOPED_TRACE(c.note);
    std::string stream;
    for (const std::string_view line : text::split(c.data, '\n')) {
      if (!line.empty()) stream += "data: " + std::string(line) + "\n\n";
    }
    EXPECT_EQ(describe(decode(c.format, {stream})), c.want);
  }
}

struct CodeCase {
  const char* note;
  const WireFormat& format;
  const char* data;
  Errc want;
};

TEST(Decoders, ReportedErrorsSayWhatCanBeDone) {
  const CodeCase cases[] = {
      {"overloaded: later", kAnthropicFormat, R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})",
       Errc::System},
      {"a wrong request: never", kAnthropicFormat,
       R"({"type":"error","error":{"type":"invalid_request_error","message":"x"}})", Errc::BadInput},
      {"a wrong key", kAnthropicFormat, R"({"type":"error","error":{"type":"authentication_error","message":"x"}})",
       Errc::Refused},
      {"no message", kOpenAiFormat, R"({"error":{}})", Errc::System},
      {"a wrong request, Google's word", kGeminiFormat, R"({"error":{"status":"INVALID_ARGUMENT","message":"x"}})",
       Errc::BadInput},
  };
  for (const CodeCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto response = decode(c.format, {"data: " + std::string(c.data) + "\n\n"});
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().code, c.want);
  }
}

}  // namespace
}  // namespace grapnel::llm
