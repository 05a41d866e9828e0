#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/loopback_server.h"

// The forms that answers and connections have in real life.
namespace grapnel::net {
namespace {

using testing::LoopbackServer;
using Ending = LoopbackServer::Ending;

struct FormCase {
  const char* note;
  const char* raw;
  int status;
  const char* body;
};

TEST(HttpExchange, FormsOfAnswers) {
  const FormCase cases[] = {
      {"chunks, with an extension and a trailer",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\none\r\n4\r\n two\r\n0\r\nX-Sum: 1\r\n\r\n", 200,
       "one two"},
      {"until the connection ends", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it", 200, "all of it"},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nold", 200, "old"},
      {"interim answers come first",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
       "2\r\n\r\nok",
       200, "ok"},
      {"no body by definition", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
      {"no reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok", 200, "ok"},
  };
  for (const FormCase& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server({{.ending = Ending::Cut, .raw = c.raw}});
    HttpClient client;
    std::string streamed;
    const auto response = client.send({.url = server.url()}, [&](std::string_view bytes) -> Result<void> {
      streamed += bytes;
      return {};
    });
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->status, c.status);
    EXPECT_EQ(streamed, c.body);
    EXPECT_EQ(response->header("link"), "");
  }
}

TEST(HttpExchange, CutAnswersAreNoAnswers) {
  for (const char* raw : {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Le",
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok",
                          "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nok",
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok"}) {
    SCOPED_TRACE(raw);
    const LoopbackServer server({{.ending = Ending::Cut, .raw = raw}});
    HttpClient client;
    const auto response = client.send({.url = server.url()});
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().kind, HttpFailure::Broken);
    EXPECT_TRUE(response.error().has_received);
  }
}

TEST(HttpExchange, AnswersToHeadHaveNoBody) {
  const LoopbackServer server({{.ending = Ending::Cut, .raw = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}});
  HttpClient client;
  const auto response = client.send({.method = "HEAD", .url = server.url()});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->header("content-length"), "5");
}

TEST(HttpExchange, AKeptConnectionThatWasClosedIsReplaced) {
  const LoopbackServer server({{.body = "first", .ending = Ending::Close}, {.body = "second"}});
  HttpClient client;
  ASSERT_TRUE(client.send({.url = server.url()}).has_value());
  for (int i = 0; i < 3; ++i) {
    const auto response = client.send({.method = "POST", .url = server.url(), .body = "x"});
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->body, "second");
  }
}

TEST(HttpExchange, LongBodiesArrive) {
  const LoopbackServer server({{.body = "ok"}});
  HttpClient client;
  std::string body(size_t{8} << 20, 'x');
  for (size_t i = 0; i < body.size(); i += 1000) body[i] = static_cast<char>('a' + i % 26);
  const auto response = client.send({.method = "POST", .url = server.url(), .body = body});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(server.requests().at(0).body, body);
}

TEST(HttpExchange, TheAddressCanBeGiven) {
  const LoopbackServer server({{.body = "ok"}});
  const std::string port = server.url().substr(server.url().rfind(':') + 1);
  HttpClient client;
  const auto response = client.send(
      {.url = "http://somewhere.invalid:" + port + "/", .resolve = {"somewhere.invalid:" + port + ":127.0.0.1"}});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(server.requests().at(0).header("host"), "somewhere.invalid:" + port);
}

}  // namespace
}  // namespace grapnel::net
