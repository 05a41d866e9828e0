#include "llm/http_model.h"

#include <atomic>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "llm/model_support.h"
#include "llm/streams.h"
#include "net/loopback_server.h"

// The three clients against a real server on this machine that speaks their formats, and some nonsense.

namespace grapnel::llm {
namespace {

using namespace std::chrono_literals;
using testing::ask;
using testing::ChunkLog;
using testing::describe;
using testing::kProviderStreams;
using testing::LoopbackServer;
using testing::ProviderStream;
using Answer = LoopbackServer::Answer;
using Ending = LoopbackServer::Ending;

constexpr const char* kKey = "sk-very-secret";

/// A client and the pauses it made.
struct Client {
  Client(const WireFormat& format, const LoopbackServer& server)
      : model(format, HttpModelOptions{.endpoint = {server.url(), kKey},
                                       .model = "default-model",
                                       .retry = {.retries = 2, .first_pause = 100ms, .longest_pause = 10s},
                                       .http = {.timeouts = {.idle = 200s}},
                                       .sleep = [this](std::chrono::milliseconds pause, const std::stop_token& stop) {
                                         pauses.push_back(pause);
                                         return !stop.stop_requested();
                                       }}) {}
  std::vector<std::chrono::milliseconds> pauses;
  HttpModel model;
};

Answer stream(std::string_view body, size_t piece = 0) {
  return {.headers = {{"Content-Type", "text/event-stream"}}, .body = std::string(body), .piece = piece};
}

TEST(HttpModel, StreamsInPiecesOfAnySize) {
  for (const ProviderStream& p : kProviderStreams) {
    for (const size_t piece : {0, 1, 3, 7, 64, 1000}) {
      SCOPED_TRACE(std::string(p.format.name) + " in pieces of " + std::to_string(piece));
      const LoopbackServer server({stream(p.stream, piece)});
      Client client(p.format, server);
      ChunkLog log;
      EXPECT_EQ(describe(client.model.generate(ask("go"), log.sink(), {})), testing::kStreamedResponse);
      EXPECT_NE(log.text().find("say(Let me )"), std::string::npos) << log.text();
    }
  }
}

struct SentCase {
  const char* note;
  const WireFormat& format;
  const char* stream;
  const char* target;
  const char* key_header;
  const char* key;
};

TEST(HttpModel, SendsKeyModelAndBody) {
  const SentCase cases[] = {
      {"anthropic", kAnthropicFormat, testing::kAnthropicStream.data(), "/v1/messages", "x-api-key", "sk-very-secret"},
      {"openai", kOpenAiFormat, testing::kOpenAiStream.data(), "/chat/completions", "authorization",
       "Bearer sk-very-secret"},
      {"gemini", kGeminiFormat, testing::kGeminiStream.data(),
       "/v1beta/models/default-model:streamGenerateContent?alt=sse", "x-goog-api-key", "sk-very-secret"},
  };
  for (const SentCase& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server({stream(c.stream)});
    Client client(c.format, server);
    ModelRequest request = ask("Hello");
    request.model = "";
    ASSERT_TRUE(client.model.generate(request, {}, {}).has_value());
    const auto sent = server.requests().at(0);
    EXPECT_EQ(sent.method, "POST");
    EXPECT_EQ(sent.target, c.target);
    EXPECT_EQ(sent.header(c.key_header), c.key);
    EXPECT_EQ(sent.header("content-type"), "application/json");
    request.model = "default-model";
    EXPECT_EQ(sent.body, c.format.encode({server.url(), kKey}, request).dump());
  }
}

TEST(HttpModel, ReplacesNamesThatProvidersRefuse) {
  const std::string prefix = "mcp__a_server_with_quite_a_long_name__";
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    const LoopbackServer server({stream(p.stream)});
    Client client(p.format, server);
    ModelRequest request = ask("go");
    const Json any = *Json::parse(R"({"type": "object"})");
    request.tools = {{"read.file", "", any}, {"MCP:find", "", any}, {prefix + prefix, "", any}, {"list", "", any}};
    request.messages.push_back({ModelRole::Assistant, {ToolCallPart{"c0", "MCP:find", Json::object(), ""}}});
    request.messages.push_back({ModelRole::Tool, {ToolResultPart{"c0", "MCP:find", Json::string("x")}}});
    ChunkLog log;
    const auto response = client.model.generate(request, log.sink(), {});
    ASSERT_TRUE(response) << describe(response);
    // The server calls read_file, which is what it was told.
    EXPECT_EQ(response->calls().at(0).name, "read.file");
    EXPECT_TRUE(log.text().contains("call(c1 read.file")) << log.text();
    const std::string body = server.requests().at(0).body;
    EXPECT_TRUE(body.contains("\"MCP_find\"") && body.contains("\"read_file\"") && body.contains("\"list\"")) << body;
    EXPECT_FALSE(body.contains("MCP:") || body.contains("read.file") || body.contains(prefix + prefix)) << body;
  }
}

using Pauses = std::vector<std::chrono::milliseconds>;

struct RetryCase {
  const char* note;
  std::vector<Answer> answers;  ///< and then a good one
  bool works;
  Pauses pauses;
};

TEST(HttpModel, TriesAgainWhereThatMayHelp) {
  const Answer busy{.status = 429, .headers = {{"Retry-After", "3"}}, .body = R"({"error":{"message":"slow down"}})"};
  const Answer overloaded{.status = 529,
                          .body = R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})"};
  const Answer broken{.status = 500};
  const Answer closed{.ending = Ending::Cut, .silent = true};
  const Answer reset{.ending = Ending::Reset, .silent = true};
  const Answer much_later{.status = 429, .headers = {{"Retry-After", "3600"}}};
  const Answer wrong{.status = 400, .body = R"({"error":{"message":"no such field"}})"};
  const Answer half{.body = "data: {", .ending = Ending::Cut};
  const RetryCase cases[] = {
      {"well at once", {}, true, {}},
      {"429 with a wish", {busy}, true, {3000ms}},
      {"5xx", {broken, overloaded}, true, {100ms, 200ms}},
      {"closed before the first byte", {closed}, true, {100ms}},
      {"reset before the first byte", {reset}, true, {100ms}},
      {"too often", {broken, broken, broken}, false, {100ms, 200ms}},
      {"asks for too much patience", {much_later}, false, {}},
      {"a wrong request", {wrong}, false, {}},
      {"a wrong key", {{.status = 401}}, false, {}},
      {"breaks off in the middle", {half}, false, {}},
      {"a redirect", {{.status = 302, .headers = {{"Location", "/x"}}}}, false, {}},
  };
  for (const ProviderStream& p : kProviderStreams) {
    for (const RetryCase& c : cases) {
      SCOPED_TRACE(std::string(p.format.name) + ": " + c.note);
      std::vector<Answer> answers = c.answers;
      answers.push_back(stream(p.stream));
      const LoopbackServer server(answers);
      Client client(p.format, server);
      const auto response = client.model.generate(ask("go"), {}, {});
      EXPECT_EQ(response.has_value(), c.works) << describe(response);
      EXPECT_EQ(client.pauses, c.pauses);
      EXPECT_EQ(server.requests().size(), c.pauses.size() + 1);
    }
  }
}

struct FailureCase {
  const char* note;
  Answer answer;
  Errc code;
  const char* message;  ///< behind the provider's name; "": any
};

TEST(HttpModel, FailuresAreToldPlainly) {
  const std::string echo = std::string(R"({"error":{"message":"Incorrect key )") + kKey + R"("}})";
  const std::string long_echo = R"({"error":{"message":")" + std::string(495, 'x') + kKey + R"("}})";
  const FailureCase cases[] = {
      {"a wrong key", {.status = 401, .body = R"({"error":{"message":"invalid key"}})"}, Errc::Refused, ""},
      {"a server that repeats the key", {.status = 403, .body = echo}, Errc::Refused, ""},
      {"and where the message is cut", {.status = 403, .body = long_echo}, Errc::Refused, ""},
      {"a model nobody knows",
       {.status = 404, .body = R"({"error":{"message":"model not found"}})"},
       Errc::NotFound,
       "the server answered 404: model not found"},
      {"an error in a list",
       {.status = 400, .body = R"([{"error":{"message":"bad field"}}])"},
       Errc::BadInput,
       "the server answered 400: bad field"},
      {"an error as a string",
       {.status = 400, .body = R"({"error":"bad field"})"},
       Errc::BadInput,
       "the server answered 400: bad field"},
      {"an error page",
       {.status = 418, .body = "<h1>teapot</h1>\n"},
       Errc::System,
       "the server answered 418: <h1>teapot</h1>"},
      {"too large", {.status = 413}, Errc::LimitExceeded, "the server answered 413"},
      {"a page instead of a stream",
       {.body = "<html>hello</html>"},
       Errc::System,
       "the server did not answer with an event stream: <html>hello</html>"},
      {"garbage in the stream", stream("data: <html>\n\n"), Errc::BadInput,
       "an event of the stream is not a JSON object"},
      {"an empty stream", stream(""), Errc::System, "the stream ended before the answer was complete"},
      {"a reset in the middle", {.body = "data: {", .ending = Ending::Reset}, Errc::System, ""},
      {"no HTTP", {.ending = Ending::Cut, .raw = "hello\r\n\r\n"}, Errc::System, ""},
  };
  for (const ProviderStream& p : kProviderStreams) {
    for (const FailureCase& c : cases) {
      SCOPED_TRACE(std::string(p.format.name) + ": " + c.note);
      const LoopbackServer server({c.answer});
      Client client(p.format, server);
      const auto response = client.model.generate(ask("go"), {}, {});
      ASSERT_FALSE(response.has_value()) << describe(response);
      const std::string& message = response.error().message;
      EXPECT_EQ(response.error().code, c.code) << message;
      EXPECT_TRUE(message.starts_with(std::string(p.format.name) + ": ")) << message;
      EXPECT_EQ(message.find("very-secret"), std::string::npos) << message;
      if (c.code == Errc::Refused) {
        EXPECT_NE(message.find(p.format.key_variables[0]), std::string::npos) << message;
      }
      if (!std::string_view(c.message).empty()) {
        EXPECT_EQ(message, std::string(p.format.name) + ": " + c.message);
      }
    }
  }
}

TEST(HttpModel, AnAnswerThatBreaksOffIsNoAnswer) {
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    const std::string_view half = p.stream.substr(0, p.stream.size() / 2);
    for (const Ending ending : {Ending::KeepAlive, Ending::Cut, Ending::Reset}) {
      const LoopbackServer server({{.body = std::string(half), .ending = ending}});
      Client client(p.format, server);
      ChunkLog log;
      const auto response = client.model.generate(ask("go"), log.sink(), {});
      ASSERT_FALSE(response.has_value()) << describe(response);
      EXPECT_EQ(response.error().code, Errc::System);
      EXPECT_EQ(server.requests().size(), 1U);
    }
  }
}

TEST(HttpModel, AServerThatHangsIsGivenUp) {
  const LoopbackServer server({{.body = std::string(testing::kOpenAiStream.substr(0, 300)), .ending = Ending::Hang}});
  HttpModel model(kOpenAiFormat, {.endpoint = {server.url(), kKey}, .http = {.timeouts = {.idle = 40ms}}});
  const auto response = model.generate(ask("go"), {}, {});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().message, "openai: no data for 40 ms");
}

TEST(HttpModel, CancelsInTheMiddle) {
  for (const ProviderStream& p : kProviderStreams) {
    SCOPED_TRACE(p.format.name);
    const std::string_view half = p.stream.substr(0, p.stream.rfind("data: "));
    const LoopbackServer server({{.body = std::string(half), .ending = Ending::Hang}});
    Client client(p.format, server);
    std::stop_source stop;
    const auto response =
        client.model.generate(ask("go"), [&](const ModelChunk&) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().code, Errc::Cancelled);
  }
}

TEST(HttpModel, CancelsBetweenTries) {
  const LoopbackServer server({Answer{.status = 500}});
  std::stop_source stop;
  HttpModel model(kOpenAiFormat, {.endpoint = {server.url(), kKey},
                                  .sleep = [&](std::chrono::milliseconds pause, const std::stop_token& token) {
                                    stop.request_stop();
                                    return sleep_for(pause, token);
                                  }});
  const auto response = model.generate(ask("go"), {}, stop.get_token());
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, Errc::Cancelled);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpModel, ServesSeveralThreads) {
  const LoopbackServer server({stream(testing::kGeminiStream, 50)});
  Client client(kGeminiFormat, server);
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        if (describe(client.model.generate(ask("go"), {}, {})) == testing::kStreamedResponse) ++good;
      });
    }
  }
  EXPECT_EQ(good, 6);
}

struct PauseCase {
  const char* note;
  int tries;
  std::optional<std::chrono::seconds> asked_for;
  std::optional<std::chrono::milliseconds> want;
};

TEST(Retry, Pauses) {
  const RetryPolicy policy{.retries = 5, .first_pause = 500ms, .longest_pause = 3s};
  const PauseCase cases[] = {
      {"the first", 1, {}, 500ms},
      {"twice as long", 2, {}, 1s},
      {"and again", 3, {}, 2s},
      {"not longer than the longest", 4, {}, 3s},
      {"the last", 5, {}, 3s},
      {"no more", 6, {}, std::nullopt},
      {"the server wants more", 1, 2s, 2s},
      {"the server wants less", 3, 1s, 2s},
      {"the server wants the most", 1, 3s, 3s},
      {"the server wants too much", 1, 4s, std::nullopt},
  };
  for (const PauseCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(pause_before_retry(policy, c.tries, c.asked_for), c.want);
  }
}

TEST(Retry, SleepEndsWhenStopped) {
  std::stop_source stop;
  EXPECT_TRUE(sleep_for(1ms, stop.get_token()));
  stop.request_stop();
  EXPECT_FALSE(sleep_for(1h, stop.get_token()));
}

}  // namespace
}  // namespace grapnel::llm
