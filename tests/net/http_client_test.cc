#include "net/http_client.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/error.h"
#include "net/loopback_server.h"

namespace grapnel::net {
namespace {

using namespace std::chrono_literals;
using testing::LoopbackServer;
using Answer = LoopbackServer::Answer;
using Ending = LoopbackServer::Ending;

/// A port on which nobody listens.
uint16_t closed_port() {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(fd.get(), generic, length), 0);
  EXPECT_EQ(::getsockname(fd.get(), generic, &length), 0);
  return ntohs(address.sin_port);
}

TEST(HttpClient, SendsWhatItIsGiven) {
  const LoopbackServer server({{.status = 201, .headers = {{"X-Kind", "test"}}, .body = "hello"}});
  HttpClient client;
  const auto response = client.send({.method = "POST",
                                     .url = server.url("/a/b?c=d"),
                                     .headers = {{"X-One", "1"}, {"X-Empty", ""}},
                                     .body = std::string("some\0thing", 10)});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->body, "hello");
  EXPECT_EQ(response->header("x-kind"), "test");
  EXPECT_EQ(response->header("x-other"), "");
  ASSERT_EQ(server.requests().size(), 1U);
  const auto request = server.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/a/b?c=d");
  EXPECT_EQ(request.header("x-one"), "1");
  EXPECT_EQ(request.header("x-empty"), "");
  EXPECT_EQ(request.body, std::string("some\0thing", 10));
}

TEST(HttpClient, Methods) {
  for (const std::string method : {"GET", "PUT", "DELETE", "PATCH"}) {
    SCOPED_TRACE(method);
    const LoopbackServer server({{.body = "ok"}});
    HttpClient client;
    const auto response = client.send({.method = method, .url = server.url()});
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(server.requests().at(0).method, method);
  }
}

TEST(HttpClient, StreamsAnswersOfSuccessOnly) {
  const std::string body(10'000, 'x');
  for (const int status : {200, 404, 500}) {
    SCOPED_TRACE(status);
    const LoopbackServer server({{.status = status, .body = body, .piece = 777}});
    HttpClient client;
    std::string streamed;
    const auto response = client.send({.url = server.url()}, [&](std::string_view bytes) -> Result<void> {
      streamed += bytes;
      return {};
    });
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(streamed, status == 200 ? body : "");
    EXPECT_EQ(response->body, status == 200 ? "" : body);
  }
}

TEST(HttpClient, FollowsNoRedirect) {
  const LoopbackServer elsewhere({{.body = "elsewhere"}});
  const LoopbackServer server({{.status = 302, .headers = {{"Location", elsewhere.url("/")}}}});
  HttpClient client;
  const auto response = client.send({.url = server.url()});
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 302);
  EXPECT_EQ(elsewhere.requests().size(), 0U);
}

struct FailureCase {
  const char* note;
  Answer answer;
  HttpFailure want;
  std::optional<bool> has_received;  ///< nothing: depends on how fast the machine is
};

TEST(HttpClient, FailuresOfServers) {
  const FailureCase cases[] = {
      {"closes at once", {.ending = Ending::Cut, .silent = true}, HttpFailure::Broken, false},
      {"resets at once", {.ending = Ending::Reset, .silent = true}, HttpFailure::Broken, false},
      {"closes in the middle", {.body = "half", .ending = Ending::Cut}, HttpFailure::Broken, true},
      {"resets in the middle", {.body = "half", .ending = Ending::Reset}, HttpFailure::Broken, true},
      {"never answers", {.ending = Ending::Hang, .silent = true}, HttpFailure::Timeout, false},
      {"stops in the middle", {.body = "half", .ending = Ending::Hang}, HttpFailure::Timeout, std::nullopt},
      {"speaks something else", {.ending = Ending::Cut, .raw = "\x16\x03\x01 garbage\n\n"}, HttpFailure::Broken, true},
      {"says too much", {.body = std::string(5000, 'x')}, HttpFailure::TooLarge, true},
      {"has too long a head", {.headers = {{"X-Long", std::string(5000, 'x')}}}, HttpFailure::TooLarge, true},
  };
  for (const FailureCase& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server({c.answer});
    HttpClient client;
    const auto response = client.send({.method = "POST",
                                       .url = server.url(),
                                       .headers = {{"Authorization", "secret-key"}},
                                       .body = "secret-prompt",
                                       .timeouts = {.idle = c.want == HttpFailure::Timeout ? 40ms : 200s},
                                       .max_response_bytes = 4000});
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().kind, c.want) << response.error().message;
    EXPECT_EQ(response.error().has_received, c.has_received.value_or(response.error().has_received));
    EXPECT_EQ(response.error().message.find("secret"), std::string::npos) << response.error().message;
    EXPECT_FALSE(response.error().message.empty());
  }
}

struct BadRequestCase {
  const char* note;
  HttpRequest request;
  HttpFailure want;
};

TEST(HttpClient, RequestsThatCannotBeSent) {
  const std::string nobody = "127.0.0.1:" + std::to_string(closed_port());
  const BadRequestCase cases[] = {
      {"no URL", {}, HttpFailure::BadRequest},
      {"not HTTP", {.url = "file:///etc/hostname"}, HttpFailure::BadRequest},
      {"line break in a header",
       {.url = "http://" + nobody, .headers = {{"X", "secret\r\nY: 1"}}},
       HttpFailure::BadRequest},
      {"line break in a name", {.url = "http://" + nobody, .headers = {{"X\nY", "secret"}}}, HttpFailure::BadRequest},
      {"nobody listens", {.url = "http://" + nobody}, HttpFailure::NotConnected},
      {"no such host", {.url = "http://nobody.invalid/"}, HttpFailure::NotConnected},
  };
  for (const BadRequestCase& c : cases) {
    SCOPED_TRACE(c.note);
    HttpClient client;
    const auto response = client.send(c.request);
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().kind, c.want) << response.error().message;
    EXPECT_EQ(response.error().message.find("secret"), std::string::npos) << response.error().message;
  }
}

TEST(HttpClient, TlsNeedsAServerThatSpeaksIt) {
  const LoopbackServer server({{.body = "ok"}});
  HttpClient client;
  const auto response = client.send({.url = "https" + server.url().substr(4)});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::Tls) << response.error().message;
  EXPECT_EQ(server.requests().size(), 0U);
}

TEST(HttpClient, TotalTimeoutHoldsWhileBytesFlow) {
  const LoopbackServer server({{.body = std::string(1000, 'x'), .ending = Ending::Hang}});
  HttpClient client;
  const auto response = client.send({.url = server.url(), .timeouts = {.total = 40ms}});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::Timeout);
  EXPECT_EQ(response.error().message, "no complete answer within 40 ms");
}

TEST(HttpClient, AReaderEndsTheTransfer) {
  const LoopbackServer server({{.body = "one two three", .piece = 4, .ending = Ending::Hang}});
  HttpClient client;
  const auto response = client.send(
      {.url = server.url()}, [](std::string_view) -> Result<void> { return fail(Errc::BadConfig, "not for me"); });
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::Reader);
  EXPECT_EQ(response.error().to_error().code, Errc::BadConfig);
  EXPECT_EQ(response.error().to_error().message, "not for me");
}

TEST(HttpClient, CancelsAtEveryMoment) {
  const Answer silent{.ending = Ending::Hang, .silent = true};
  const Answer half{.body = "half", .ending = Ending::Hang};
  for (const Answer& answer : {silent, half}) {
    const LoopbackServer server({answer});
    HttpClient client;
    std::stop_source stop;
    const std::jthread canceller([&] {
      while (server.requests().empty()) std::this_thread::yield();
      stop.request_stop();
    });
    const auto response = client.send({.url = server.url()}, {}, stop.get_token());
    ASSERT_FALSE(response.has_value());
    EXPECT_EQ(response.error().kind, HttpFailure::Cancelled);
    EXPECT_EQ(response.error().to_error().code, Errc::Cancelled);
  }
}

TEST(HttpClient, CancelledBeforehandSendsNothing) {
  const LoopbackServer server({{.body = "ok"}});
  HttpClient client;
  std::stop_source stop;
  stop.request_stop();
  const auto response = client.send({.url = server.url()}, {}, stop.get_token());
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::Cancelled);
  EXPECT_EQ(server.connections(), 0U);
}

TEST(HttpClient, KeepsConnections) {
  const LoopbackServer server({{.body = "ok"}});
  HttpClient client;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(client.send({.url = server.url()}).has_value());
  EXPECT_EQ(server.connections(), 1U);
}

TEST(HttpClient, GoesOnAfterAFailure) {
  const LoopbackServer server({{.ending = Ending::Reset, .silent = true}, {.body = "ok"}});
  HttpClient client;
  EXPECT_FALSE(client.send({.method = "POST", .url = server.url(), .body = "x"}).has_value());
  const auto response = client.send({.url = server.url()});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "ok");
}

TEST(HttpClient, AsksAboutAddresses) {
  const LoopbackServer server({{.body = "ok"}});
  HttpClient client;
  ASSERT_TRUE(client.send({.url = server.url()}).has_value());
  for (const bool is_allowed : {true, false}) {
    SCOPED_TRACE(is_allowed);
    std::vector<int> families;
    const auto response = client.send({.url = server.url(), .allow_address = [&](const sockaddr& address) {
                                         families.push_back(address.sa_family);
                                         return is_allowed;
                                       }});
    EXPECT_EQ(response.has_value(), is_allowed);
    if (!response) {
      EXPECT_EQ(response.error().kind, HttpFailure::RefusedAddress);
    }
    EXPECT_EQ(families, std::vector<int>{AF_INET}) << "an open connection must not be taken instead";
  }
}

TEST(HttpClient, ServesManyThreads) {
  const LoopbackServer server({{.body = std::string(5000, 'x'), .piece = 600}});
  HttpClient client;
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 5; ++n) {
          const auto response = client.send({.url = server.url()});
          if (response && response->body.size() == 5000) ++good;
        }
      });
    }
  }
  EXPECT_EQ(good, 40);
}

struct RetryCase {
  const char* note;
  const char* value;
  std::optional<std::chrono::seconds> want;
};

TEST(RetryAfter, SecondsAndDates) {
  const auto now = std::chrono::system_clock::from_time_t(784111777);  // Sun, 06 Nov 1994 08:49:37 GMT
  const RetryCase cases[] = {
      {"none", "", std::nullopt},
      {"seconds", "7", 7s},
      {"at once", "0", 0s},
      {"negative", "-5", 0s},
      {"a date", "Sun, 06 Nov 1994 08:50:07 GMT", 30s},
      {"a date gone by", "Sun, 06 Nov 1994 08:00:00 GMT", 0s},
      {"something else", "soon", std::nullopt},
  };
  for (const RetryCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(retry_after({.status = 429, .headers = {{"Retry-After", c.value}}}, now), c.want);
  }
}

}  // namespace
}  // namespace grapnel::net
