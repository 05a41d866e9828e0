#include <chrono>
#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "agent/http_hook_client.h"
#include "net/http_client.h"
#include "net/tls_server.h"
#include "os/temp_dir.h"

namespace grapnel::net {
namespace {

struct Case {
  const char* note;
  const char* certified;  ///< the name in the certificate
  bool is_trusted;
  bool works;
};

constexpr HttpTimeouts kPatient{.connect = std::chrono::seconds(200)};  // TLS takes its time on a busy machine

constexpr Case kCases[] = {
    {"a certificate one trusts, for this host", "localhost", true, true},
    {"a certificate nobody vouches for", "localhost", false, false},
    {"a certificate for another host", "elsewhere.example", true, false},
};

TEST(HttpClientTls, VerifiesWhomItTalksTo) {
  std::signal(SIGPIPE, SIG_IGN);  // for the server, whose client goes away in the middle
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.note);
    const testing::TempDir dir;
    const testing::TlsServer server(c.certified);
    HttpClient client;
    const auto response = client.send({.url = server.url("localhost"),
                                       .headers = {{"Authorization", "secret"}},
                                       .timeouts = kPatient,
                                       .ca_file = c.is_trusted ? dir.put("ca.pem", server.certificate()) : ""});
    ASSERT_EQ(response.has_value(), c.works) << (response ? response->body : response.error().message);
    EXPECT_EQ(server.requests(), c.works ? 1 : 0);
    if (response) {
      EXPECT_EQ(response->body, "ok");
    } else {
      EXPECT_EQ(response.error().kind, HttpFailure::Tls) << response.error().message;
    }
  }
}

TEST(HttpPosterTls, ABadCertificateIsNoReply) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.note);
    const testing::TempDir dir;
    const testing::TlsServer server(c.certified);
    agent::NetHookClient http_client(
        {.timeouts = kPatient, .ca_file = c.is_trusted ? dir.put("ca.pem", server.certificate()) : ""});
    const auto reply = http_client.send({.url = server.url("localhost"),
                                         .headers = {{"Authorization", "secret"}},
                                         .body = "{}",
                                         .loopback_addresses = true,
                                         .max_reply = 100,
                                         .timeout = std::chrono::seconds(200)},
                                        {});
    ASSERT_EQ(reply.has_value(), c.works) << (reply ? "" : reply.error().message);
    EXPECT_EQ(server.requests(), c.works ? 1 : 0);
    EXPECT_TRUE(reply || reply.error().code == Errc::Unavailable);
  }
}

}  // namespace
}  // namespace grapnel::net
