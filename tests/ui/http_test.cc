#include <gtest/gtest.h>
#include <sys/socket.h>

#include "ui/page.h"

/// Requests that two readers could understand differently are refused, and so are those that take too much.
namespace grapnel::testing {
namespace {

struct BadRequest {
  std::string what;
  std::string bytes;  ///< HOST stands for the right header
  int status;
};

std::vector<BadRequest> bad_requests() {
  const std::string get = "GET / HTTP/1.1\r\nHOST\r\n";
  const std::string post = "POST /api/session HTTP/1.1\r\nHOST\r\n";
  return {
      {"no HTTP", "hello\r\n\r\n", 400},
      {"a verb that nobody has", "BREW / HTTP/1.1\r\nHOST\r\n\r\n", 405},
      {"PUT", "PUT / HTTP/1.1\r\nHOST\r\n\r\n", 405},
      {"OPTIONS, as before a foreign request", "OPTIONS /api/about HTTP/1.1\r\nHOST\r\nOrigin: http://evil\r\n\r\n",
       405},
      {"CONNECT", "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"the form for proxies", "GET http://127.0.0.1/ HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"two slashes", "GET //evil.example/ HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"half an escape", "GET /%4 HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"a NUL", "GET /%00 HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"a fragment", "GET /#ticket=1 HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"GET with a body", get + "Content-Length: 2\r\n\r\n{}", 400},
      {"HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", 400},
      {"a length and chunks", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"chunks and a length", post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400},
      {"chunks", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 501},
      {"a bad chunk", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400},
      {"another coding", post + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 501},
      {"a length that is none", post + "Content-Length: -1\r\n\r\n", 400},
      {"a length with a plus", post + "Content-Length: +2\r\n\r\n{}", 400},
      {"a blank before the colon", "GET / HTTP/1.1\r\nHOST\r\nX : y\r\n\r\n", 400},
      {"a header without a name", "GET / HTTP/1.1\r\nHOST\r\n: y\r\n\r\n", 400},
      {"bare line feeds", "GET / HTTP/1.1\nHOST\n\n", 400},
      {"headers that never end", "GET / HTTP/1.1\r\nHOST\r\nX: " + std::string(20000, 'x') + "\r\n\r\n", 431},
      {"a path that never ends", "GET /" + std::string(20000, 'x') + " HTTP/1.1\r\nHOST\r\n\r\n", 431},
      {"many headers",
       [] {
         std::string out = "GET / HTTP/1.1\r\nHOST\r\n";
         for (int i = 0; i < 3000; ++i) out += "X: y\r\n";
         return out + "\r\n";
       }(),
       431},
      {"a body of two megabytes", post + "Content-Length: 2000000\r\n\r\n" + std::string(2000000, ' '), 413},
  };
}

TEST(Http, BadRequestsAreRefusedAndTheConnectionIsClosed) {
  const UiWorld world;
  Page page(world);
  for (BadRequest bad : bad_requests()) {
    SCOPED_TRACE(bad.what);
    for (size_t at = bad.bytes.find("HOST"); at != std::string::npos; at = bad.bytes.find("HOST", at)) {
      bad.bytes.replace(at, 4, "Host: " + page.host());
    }
    // What follows must not be taken for a request.
    const Reply reply = page.send(bad.bytes + "GET / HTTP/1.1\r\nHost: " + page.host() + "\r\n\r\n");
    EXPECT_EQ(reply.status, bad.status) << reply.body;
    EXPECT_EQ(reply.headers.contains("connection") ? reply.headers.at("connection") : "", "close");
    EXPECT_FALSE(reply.body.contains("HTTP/1.1"));
  }
  EXPECT_EQ(page.request("GET", "/", {"Host: " + page.host()}).status, 200);
}

TEST(Http, ConnectionsAreKept) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const UniqueFd fd(page.connect());
  for (int i = 0; i < 3; ++i) {
    std::string bytes = "GET /api/about HTTP/1.1\r\n";
    for (const std::string& header : page.headers()) bytes += header + "\r\n";
    bytes += "\r\n";
    ASSERT_EQ(::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    EXPECT_EQ(read_reply(fd.get()).status, 200);
  }
}

/// Bytes may arrive one by one.
TEST(Http, RequestsInPieces) {
  const UiWorld world;
  Page page(world);
  const UniqueFd fd(page.connect());
  for (const char c : "GET / HTTP/1.1\r\nHost: " + page.host() + "\r\n\r\n") {
    ASSERT_EQ(::send(fd.get(), &c, 1, MSG_NOSIGNAL), 1);
  }
  EXPECT_EQ(read_reply(fd.get()).status, 200);
}

TEST(Http, ASlowRequestIsGivenUp) {
  const UiWorld world;
  Page page(world);
  const UniqueFd fd(page.connect());
  const std::string half = "GET / HTTP/1.1\r\nHost: ";
  ASSERT_EQ(::send(fd.get(), half.data(), half.size(), MSG_NOSIGNAL), static_cast<ssize_t>(half.size()));
  // Others are answered meanwhile.
  EXPECT_EQ(page.request("GET", "/", {"Host: " + page.host()}).status, 200);
  EXPECT_EQ(read_reply(fd.get()).status, 408);
}

TEST(Http, ManyConnectionsDoNotEndIt) {
  const UiWorld world;
  Page page(world);
  {
    std::vector<UniqueFd> held;
    for (int i = 0; i < 64; ++i) held.emplace_back(page.connect());
    ASSERT_TRUE(becomes_true([&] { return page.request("GET", "/", {"Host: " + page.host()}).status == 503; }));
  }
  EXPECT_TRUE(becomes_true([&] { return page.request("GET", "/", {"Host: " + page.host()}).status == 200; }));
}

}  // namespace
}  // namespace grapnel::testing
