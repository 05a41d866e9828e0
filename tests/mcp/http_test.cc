#include <algorithm>

#include <gtest/gtest.h>

#include "json/rpc.h"
#include "mcp/call_result.h"
#include "mcp/client.h"
#include "mcp/header_value.h"
#include "mcp/tool_list.h"
#include "net/loopback_server.h"
#include "os/patience.h"

/// Streamable HTTP against a real server on this machine that answers as told.
namespace grapnel::mcp {
namespace {

using testing::LoopbackServer;
using HttpAnswer = LoopbackServer::Answer;
using HttpRequest = LoopbackServer::Request;
using Ending = LoopbackServer::Ending;
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
using Script = std::function<HttpAnswer(const HttpRequest& request, const Json& message)>;

Json parsed(const std::string& text) {
  return Json::parse(text).value_or(Json());
}

HttpAnswer as_json(const Json& message, HttpHeaders headers = {}) {
  headers.emplace_back("Content-Type", "application/json");
  return {.headers = std::move(headers), .body = message.dump()};
}

HttpAnswer as_events(std::string events, Ending ending = Ending::KeepAlive) {
  return {.headers = {{"Content-Type", "text/event-stream"}}, .body = std::move(events), .ending = ending};
}

std::string event(const Json& message, std::string_view id = "") {
  return (id.empty() ? "" : "id: " + std::string(id) + "\n") + "data: " + message.dump() + "\n\n";
}

Json say(const Json& asked, const std::string& text) {
  return rpc::result(asked["id"], parsed(R"({"content": [{"type": "text", "text": ")" + text + R"("}]})"));
}

/// The handshake of an older server; the rest is the script's.
HttpAnswer older(const HttpRequest& request, const Script& script) {
  const Json message = parsed(request.body);
  const std::string method = message["method"].as_string().value_or("");
  if (method == "server/discover") return {.status = 400, .headers = {}, .body = "Bad Request: no session"};
  if (method == "initialize") {
    return as_json(rpc::result(message["id"], parsed(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
      "serverInfo": {"name": "web", "version": "2"}})")),
                   {{"Mcp-Session-Id", "s-1"}});
  }
  if (method == "notifications/initialized") return {.status = 202, .headers = {}, .body = ""};
  return script(request, message);
}

/// A server of the version without a handshake.
HttpAnswer newer(const HttpRequest& request, const Script& script) {
  const Json message = parsed(request.body);
  if (message["method"].equals_string("server/discover")) {
    return as_json(rpc::result(message["id"], parsed(R"({"resultType": "complete", "supportedVersions": ["2026-07-28"],
      "capabilities": {"tools": {}}})")));
  }
  return script(request, message);
}

Answer<std::unique_ptr<Client>> connect(const LoopbackServer& server, const Limits& limits = {}) {
  return Client::connect(
      {.name = "web", .url = server.url("/mcp"), .headers = {{"X-Key", "k"}}, .startup_timeout = testing::kLong},
      {.version = "1", .project = "/", .elicit = {}}, limits, {});
}

Answer<Json> call(Client& client) {
  return client.request("tools/call", parsed(R"({"name": "t", "arguments": {}})"), {.timeout = testing::kLong});
}

std::string text_of(const Answer<Json>& result) {
  return result ? read_call_result(*result).text : "failed: " + result.error().message;
}

struct AnswerCase {
  const char* note;
  Script script;
  std::string_view want;
};

TEST(McpHttp, ReadsAnswersInEveryForm) {
  const AnswerCase cases[] = {
      {"one object", [](const HttpRequest&, const Json& m) { return as_json(say(m, "one")); }, "one"},
      {"a stream", [](const HttpRequest&, const Json& m) { return as_events(event(say(m, "two"))); }, "two"},
      {"a stream that stays open after the answer",
       [](const HttpRequest&, const Json& m) { return as_events(event(say(m, "three")), Ending::Hang); }, "three"},
      {"other messages before the answer",
       [](const HttpRequest&, const Json& m) {
         return as_events(": hello\n\n" + event(rpc::notification("notifications/message", Json::object())) +
                          event(say(m, "four")));
       },
       "four"},
      {"an error with a status",
       [](const HttpRequest&, const Json& m) {
         HttpAnswer out = as_json(rpc::error(m["id"], -32602, "no such tool"));
         out.status = 400;
         return out;
       },
       "failed: no such tool"},
      {"only a status",
       [](const HttpRequest&, const Json&) { return HttpAnswer{.status = 500, .headers = {}, .body = ""}; },
       "failed: the server answered with HTTP status 500"},
      {"no access",
       [](const HttpRequest&, const Json&) { return HttpAnswer{.status = 401, .headers = {}, .body = ""}; },
       "failed: the server answered with HTTP status 401: its configuration needs a header for access"},
      {"moved",
       [](const HttpRequest&, const Json&) {
         return HttpAnswer{.status = 302, .headers = {{"Location", "/x"}}, .body = ""};
       },
       "failed: the server answered with HTTP status 302: configure the address it has moved to"},
      {"no JSON", [](const HttpRequest&, const Json&) { return HttpAnswer{.headers = {}, .body = "<html>"}; },
       "failed: the server's answer is not JSON"},
      {"an event without JSON", [](const HttpRequest&, const Json&) { return as_events("data: {\n\n"); },
       "failed: the server sent an event that is not JSON"},
      {"compressed, though nobody asked for that",
       [](const HttpRequest&, const Json&) {
         return HttpAnswer{.headers = {{"Content-Encoding", "gzip"}, {"Content-Type", "application/json"}},
                           .body = "\x1f\x8b\x08 packed"};
       },
       "failed: the server's answer is not JSON"},
      {"the wrong type",
       [](const HttpRequest&, const Json& m) {
         return HttpAnswer{.headers = {{"Content-Type", "text/html"}}, .body = say(m, "five").dump()};
       },
       "five"},
      {"byte by byte",
       [](const HttpRequest&, const Json& m) {
         HttpAnswer out = as_events(event(say(m, "six")));
         out.piece = 1;
         return out;
       },
       "six"},
      {"the answer to another request",
       [](const HttpRequest&, const Json&) { return as_events(event(say(parsed(R"({"id": 4711})"), "not yours"))); },
       "failed: the connection ended before the answer"},
      {"a stream without an answer", [](const HttpRequest&, const Json&) { return as_events(": nothing\n\n"); },
       "failed: the connection ended before the answer"},
  };
  for (const AnswerCase& c : cases) {
    for (const auto& server_kind : {older, newer}) {
      SCOPED_TRACE(std::string(c.note) + (server_kind == newer ? ", stateless" : ""));
      const LoopbackServer server([&](const HttpRequest& request) {
        if (request.method == "GET" || request.method == "DELETE")
          return HttpAnswer{.status = 405, .headers = {}, .body = ""};
        return server_kind(request, c.script);
      });
      auto client = connect(server);
      ASSERT_TRUE(client) << client.error().message;
      EXPECT_EQ(text_of(call(**client)), c.want);
    }
  }
}

TEST(McpHttp, SendsItsHeaders) {
  for (const auto& server_kind : {older, newer}) {
    const bool is_newer = server_kind == newer;
    SCOPED_TRACE(is_newer ? "stateless" : "session");
    const LoopbackServer server([&](const HttpRequest& request) {
      return server_kind(request, [](const HttpRequest& r, const Json& m) {
        return r.method == "POST" ? as_json(say(m, "ok")) : HttpAnswer{.status = 405, .headers = {}, .body = ""};
      });
    });
    {
      auto client = connect(server);
      ASSERT_TRUE(client) << client.error().message;
      EXPECT_EQ(text_of(call(**client)), "ok");
    }
    const auto requests = server.requests();
    const auto called =
        std::ranges::find_if(requests, [](const HttpRequest& r) { return r.body.contains("tools/call"); });
    ASSERT_NE(called, requests.end());
    EXPECT_EQ(called->header("x-key"), "k");
    EXPECT_EQ(called->header("accept"), "application/json, text/event-stream");
    EXPECT_EQ(called->header("mcp-protocol-version"), is_newer ? "2026-07-28" : "2025-11-25");
    EXPECT_EQ(called->header("mcp-session-id"), is_newer ? "" : "s-1");
    EXPECT_EQ(called->header("mcp-method"), is_newer ? "tools/call" : "");
    EXPECT_EQ(called->header("mcp-name"), is_newer ? "t" : "");
    // The end of a session is told. The server may take note of what was cut off before only later.
    EXPECT_EQ(std::ranges::count(requests, "DELETE", &HttpRequest::method), is_newer ? 0 : 1);
  }
}

TEST(McpHttp, TakesABrokenStreamUpAgain) {
  Json asked;
  std::vector<std::string> resumed;
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json& m) {
      if (r.method == "POST") {
        asked = m;
        return as_events("retry: 1\nid: e-1\ndata:\n\n", Ending::Cut);
      }
      if (r.method != "GET" || r.header("last-event-id").empty())
        return HttpAnswer{.status = 405, .headers = {}, .body = ""};
      resumed.push_back(r.header("last-event-id"));
      if (resumed.size() == 1)
        return as_events(event(rpc::notification("notifications/message", {}), "e-2"), Ending::Cut);
      return as_events(event(say(asked, "resumed"), "e-3"));
    });
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_EQ(text_of(call(**client)), "resumed");
  EXPECT_EQ(resumed, (std::vector<std::string>{"e-1", "e-2"}));
}

TEST(McpHttp, TakesOnlyAStreamUpAgain) {
  struct Case {
    const char* note;
    HttpAnswer answer;
    std::string_view want;
  };
  const std::string much(100'000, 'x');
  const Case cases[] = {
      {"a body without end",
       {.headers = {{"Content-Type", "application/json"}}, .body = "[", .ending = Ending::Hang},
       "failed: the server's answer is no stream of events"},
      {"an error without end",
       {.status = 500, .headers = {}, .body = much, .ending = Ending::Hang},
       "failed: the answer is larger than 40000 bytes"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server([&](const HttpRequest& request) {
      return older(request, [&](const HttpRequest& r, const Json&) {
        if (r.method == "POST") return as_events("retry: 1\nid: e-1\ndata:\n\n", Ending::Cut);
        return r.header("last-event-id").empty() ? HttpAnswer{.status = 405, .headers = {}, .body = ""} : c.answer;
      });
    });
    auto client = connect(server, {.max_message = 10'000});
    ASSERT_TRUE(client) << client.error().message;
    EXPECT_EQ(text_of(call(**client)), c.want);
  }
}

TEST(McpHttp, GivesUpWhatDoesNotEnd) {
  const HttpAnswer cases[] = {{.ending = Ending::Hang, .silent = true},
                              as_events(": still there\n", Ending::Hang),
                              {.headers = {{"Content-Type", "application/json"}}, .body = "{", .ending = Ending::Hang}};
  for (const HttpAnswer& answer : cases) {
    SCOPED_TRACE(answer.body);
    const LoopbackServer server([&](const HttpRequest& request) {
      return older(request, [&](const HttpRequest& r, const Json& m) {
        const bool is_call = m["method"].equals_string("tools/call");
        return is_call ? answer : HttpAnswer{.status = r.method == "POST" ? 202 : 405, .headers = {}, .body = ""};
      });
    });
    auto client = connect(server);
    ASSERT_TRUE(client) << client.error().message;
    const auto result =
        (*client)->request("tools/call", parsed(R"({"name": "t"})"), {.timeout = std::chrono::milliseconds(300)});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, Failure::Kind::TimedOut);
  }
}

TEST(McpHttp, TakesItsHeadersNowhereElse) {
  const LoopbackServer elsewhere(std::vector<HttpAnswer>{{}});
  for (const int status : {301, 302, 307, 308}) {
    SCOPED_TRACE(status);
    const LoopbackServer server([&](const HttpRequest&) {
      return HttpAnswer{.status = status, .headers = {{"Location", elsewhere.url("/mcp")}}, .body = ""};
    });
    const auto client = connect(server);
    ASSERT_FALSE(client);
    EXPECT_TRUE(client.error().message.contains("configure the address it has moved to")) << client.error().message;
  }
  EXPECT_TRUE(elsewhere.requests().empty());
}

TEST(McpHttp, HearsOfChangesOnAStreamOfTheirOwn) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json&) {
      if (r.method != "GET") return HttpAnswer{.status = 405, .headers = {}, .body = ""};
      return as_events(event(rpc::notification("notifications/tools/list_changed", {})), Ending::Hang);
    });
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_TRUE(testing::becomes_true([&] { return (*client)->take_tools_changed(); }));
}

/// Every ping is answered with a message of its own, which this server does not take.
TEST(McpHttp, AnswersAStormOnFewConnections) {
  std::string storm;
  for (int i = 0; i < 2000; ++i) storm += event(rpc::request(Json::number(int64_t{i}), "ping", {}));
  storm += event(rpc::notification("notifications/tools/list_changed", {}));
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json&) {
      if (r.method == "GET") return as_events(storm, Ending::Hang);
      return HttpAnswer{.headers = {}, .body = "", .ending = Ending::Hang, .silent = true};
    });
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_TRUE(testing::becomes_true([&] { return (*client)->take_tools_changed(); }));
  EXPECT_LT(server.connections(), 100U);
}

TEST(McpHttp, EndsAStreamOfComments) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json&) {
      if (r.method != "GET") return HttpAnswer{.status = 405, .headers = {}, .body = ""};
      std::string comments;
      for (int i = 0; i < 50'000; ++i) comments += ":\n";
      return as_events(comments, Ending::Hang);
    });
  });
  auto client = connect(server, {.max_message = 10'000});
  ASSERT_TRUE(client) << client.error().message;
  // It is taken up again, after a pause.
  const auto has_asked_again = [&] { return std::ranges::count(server.requests(), "GET", &HttpRequest::method) > 1; };
  EXPECT_TRUE(testing::becomes_true(has_asked_again));
}

TEST(McpHttp, ListensAgainWhenTheStreamOfChangesHasEnded) {
  const LoopbackServer server([&](const HttpRequest& request) {
    const Json message = parsed(request.body);
    if (message["method"].equals_string("subscriptions/listen")) return as_events(": none\n\n", Ending::Cut);
    return as_json(rpc::result(message["id"], parsed(R"({"resultType": "complete", "supportedVersions": ["2026-07-28"],
      "capabilities": {"tools": {"listChanged": true}}})")));
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(testing::becomes_true([&] { return (*client)->take_tools_changed(); }));
  }
  const auto is_listening = [](const HttpRequest& r) { return r.body.contains("subscriptions/listen"); };
  EXPECT_GT(std::ranges::count_if(server.requests(), is_listening), 1);
}

struct WireCase {
  const char* note;
  std::string raw;  ///< all that is sent
  std::string_view want;
};

TEST(McpHttp, ReadsWhatNoServerWouldSend) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
  const WireCase cases[] = {
      {"no HTTP", "hello\r\n\r\n", "failed: "},
      {"a status out of this world", "HTTP/1.1 99999 OK\r\n\r\n", "failed: "},
      {"chunks without a size", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\ndata: {}\r\n", "failed: "},
      {"a chunk larger than memory", head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\ndata", "failed: "},
      {"a length below nothing", head + "Content-Length: -1\r\n\r\n", "failed: "},
      {"two lengths", head + "Content-Length: 1\r\nContent-Length: 9\r\n\r\n", "failed: "},
      {"headers without end", head + std::string(2'000'000, 'x'), "failed: "},
      {"a session with line breaks", head + "Mcp-Session-Id: a\tb\r\nContent-Length: 9\r\n\r\ndata: {}\n", "failed: "},
      {"bytes that are no UTF-8", head + "Connection: close\r\n\r\ndata: \xff{\n\n",
       "failed: the server sent an event that is not JSON"},
  };
  for (const WireCase& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server([&](const HttpRequest& request) {
      return older(request, [&](const HttpRequest& r, const Json& m) {
        if (m["method"].equals_string("tools/call"))
          return HttpAnswer{.headers = {}, .ending = Ending::Cut, .raw = c.raw};
        return HttpAnswer{.status = r.method == "POST" ? 202 : 405, .headers = {}, .body = ""};
      });
    });
    auto client = connect(server, {.max_message = 100'000});
    ASSERT_TRUE(client) << client.error().message;
    const std::string said = text_of(call(**client));
    EXPECT_TRUE(said.starts_with(c.want)) << said;
    EXPECT_LT(said.size(), 300U);
  }
}

TEST(McpHttp, KeepsASessionWithoutAStream) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json& m) {
      return r.method == "POST" ? as_json(say(m, "still here")) : HttpAnswer{.status = 404, .headers = {}, .body = ""};
    });
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  const auto has_asked = [&] { return std::ranges::count(server.requests(), "GET", &HttpRequest::method) > 0; };
  EXPECT_TRUE(testing::becomes_true(has_asked));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(text_of(call(**client)), "still here");
  EXPECT_TRUE((*client)->is_open());
}

TEST(McpHttp, NoticesTheEndOfTheSession) {
  // The second is what the official SDK's servers say after they were started again.
  const std::string unread =
      R"({"jsonrpc": "2.0", "error": {"code": -32000, "message": "Bad Request: No valid session ID provided"}, "id": null})";
  const HttpAnswer cases[] = {{.status = 404, .headers = {}, .body = ""},
                              {.status = 400, .headers = {}, .body = unread}};
  for (const HttpAnswer& ended : cases) {
    SCOPED_TRACE(ended.status);
    const LoopbackServer server([&](const HttpRequest& request) {
      return older(request, [&](const HttpRequest& r, const Json&) {
        return r.method == "POST" ? ended : HttpAnswer{.status = 405, .headers = {}, .body = ""};
      });
    });
    auto client = connect(server);
    ASSERT_TRUE(client) << client.error().message;
    const auto result = call(**client);
    EXPECT_EQ(text_of(result), "failed: the server has ended the session");
    EXPECT_EQ(result ? Failure::Kind::Closed : result.error().kind, Failure::Kind::Untaken);
    EXPECT_FALSE((*client)->is_open());
  }
}

/// A call that the server works on when it loses the session may have done its work: it is not sent again.
TEST(McpHttp, TellsWhichCallsAServerHasNotTaken) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json& m) {
      if (r.method != "POST") return HttpAnswer{.status = 405, .headers = {}, .body = ""};
      const bool is_slow = m["params"]["name"].equals_string("slow");
      return is_slow ? as_events(": working\n\n", Ending::Hang) : HttpAnswer{.status = 404, .headers = {}, .body = ""};
    });
  });
  auto client = connect(server);
  ASSERT_TRUE(client) << client.error().message;
  Answer<Json> slow;
  std::jthread other(
      [&] { slow = (*client)->request("tools/call", parsed(R"({"name": "slow"})"), {.timeout = testing::kLong}); });
  const auto is_slow = [](const HttpRequest& r) { return r.body.contains("slow"); };
  ASSERT_TRUE(testing::becomes_true([&] { return std::ranges::count_if(server.requests(), is_slow) > 0; }));
  const auto quick = call(**client);
  other.join();
  ASSERT_FALSE(quick);
  ASSERT_FALSE(slow);
  EXPECT_EQ(quick.error().kind, Failure::Kind::Untaken);
  EXPECT_EQ(slow.error().kind, Failure::Kind::Closed);
}

TEST(McpHttp, LimitsAnAnswer) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return older(request, [&](const HttpRequest& r, const Json& m) {
      return r.method == "POST" ? as_json(say(m, std::string(100'000, 'x')))
                                : HttpAnswer{.status = 405, .headers = {}, .body = ""};
    });
  });
  auto client = connect(server, {.max_message = 10'000});
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_TRUE(text_of(call(**client)).contains("larger than 40000 bytes"));
}

TEST(McpHttp, ReportsAServerThatIsNotThere) {
  std::string url;
  {
    const LoopbackServer gone(std::vector<HttpAnswer>{{}});
    url = gone.url("/mcp");
  }
  const auto client =
      Client::connect({.name = "gone", .url = url}, {.version = "1", .project = "/", .elicit = {}}, {}, {});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().kind, Failure::Kind::Closed);
  const auto wrong =
      Client::connect({.name = "wrong", .url = "ftp://x"}, {.version = "1", .project = "/", .elicit = {}}, {}, {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "the address 'ftp://x' is neither http nor https");
}

TEST(McpHeaders, CarryEveryText) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"us-west1", "us-west1"},
      {"", ""},
      {" padded ", "=?base64?IHBhZGRlZCA=?="},
      {"line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
      {"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
      {"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(header_value(text), want);
}

}  // namespace
}  // namespace grapnel::mcp
