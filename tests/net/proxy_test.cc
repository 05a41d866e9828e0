#include <poll.h>

#include <atomic>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/unique_fd.h"
#include "net/http_client.h"
#include "net/loopback_server.h"
#include "net/tls_server.h"
#include "os/temp_dir.h"

namespace grapnel::net {
namespace {

using testing::LoopbackServer;

/// A proxy on 127.0.0.1 that answers CONNECT with one status and, if that is 200, carries bytes to one port of this
/// machine, whatever host it was asked for.
class TunnelProxy {
 public:
  TunnelProxy(int status, uint16_t to) : status_(status), to_(to) {
    sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), generic, length), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    EXPECT_EQ(::getsockname(listener_.get(), generic, &length), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { accept_all(); });
  }
  TunnelProxy(const TunnelProxy&) = delete;
  TunnelProxy& operator=(const TunnelProxy&) = delete;
  ~TunnelProxy() { EXPECT_EQ(::eventfd_write(end_.get(), 1), 0); }

  uint16_t port() const { return port_; }
  std::string heads() const {
    const std::scoped_lock lock(mutex_);
    return heads_;
  }

 private:
  static sockaddr_in loopback(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  /// False once the proxy ends.
  bool wait(int one, int two, bool& is_one) const {
    pollfd fds[] = {{end_.get(), POLLIN, 0}, {one, POLLIN, 0}, {two, POLLIN, 0}};
    while (::poll(fds, 3, -1) < 0) {
    }
    is_one = fds[1].revents != 0;
    return fds[0].revents == 0;
  }

  void accept_all() {
    for (bool is_one = false; wait(listener_.get(), -1, is_one);) {
      const UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (fd) serve(fd.get());
    }
  }

  void serve(int client) {
    std::string head;
    char buffer[4096];
    while (!head.contains("\r\n\r\n")) {
      const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
      if (got <= 0) return;
      head.append(buffer, static_cast<size_t>(got));
    }
    {
      const std::scoped_lock lock(mutex_);
      heads_ += head;
    }
    const std::string answer = "HTTP/1.1 " + std::to_string(status_) + " x\r\n\r\n";
    ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    if (status_ != 200) return;
    const UniqueFd server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(to_);
    if (::connect(server.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
    for (bool from_client = false; wait(client, server.get(), from_client);) {
      const ssize_t got = ::recv(from_client ? client : server.get(), buffer, sizeof buffer, 0);
      if (got <= 0) return;
      ::send(from_client ? server.get() : client, buffer, static_cast<size_t>(got), MSG_NOSIGNAL);
    }
  }

  int status_;
  uint16_t to_;
  UniqueFd end_{::eventfd(0, EFD_CLOEXEC)};
  UniqueFd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::string heads_;
  std::jthread thread_;
};

/// The port of a URL that ends with `:<port>/`.
uint16_t port_of(const std::string& url) {
  return static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

TEST(HttpProxy, CarriesPlainRequests) {
  const LoopbackServer proxy({{.body = "from the proxy"}});
  HttpClient client;
  const auto response =
      client.send({.url = "http://somewhere.invalid:81/a?b", .proxy = "http://me:secret@" + proxy.url().substr(7)});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "from the proxy");
  EXPECT_EQ(proxy.requests().at(0).target, "http://somewhere.invalid:81/a?b");
  EXPECT_EQ(proxy.requests().at(0).header("host"), "somewhere.invalid:81");
  EXPECT_EQ(proxy.requests().at(0).header("proxy-authorization"), "Basic bWU6c2VjcmV0");
}

TEST(HttpProxy, IsLeftOutWhereItShouldBe) {
  const LoopbackServer server({{.body = "itself"}});
  HttpClient client;
  const auto response = client.send({.url = server.url(), .proxy = "http://127.0.0.1:9", .no_proxy = "127.0.0.0/8"});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "itself");
}

TEST(HttpProxy, TunnelsTls) {
  const testing::TempDir dir;
  const testing::TlsServer server("somewhere.invalid");
  const TunnelProxy proxy(200, port_of(server.url("localhost")));
  HttpClient client;
  const auto response = client.send({.url = "https://somewhere.invalid/",
                                     .headers = {{"Authorization", "for the host only"}},
                                     .proxy = "http://me:secret@127.0.0.1:" + std::to_string(proxy.port()),
                                     .ca_file = dir.put("ca.pem", server.certificate())});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "ok");
  EXPECT_TRUE(proxy.heads().starts_with("CONNECT somewhere.invalid:443 HTTP/1.1\r\n")) << proxy.heads();
  EXPECT_TRUE(proxy.heads().contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
  EXPECT_FALSE(proxy.heads().contains("for the host only"));
}

TEST(HttpProxy, VerifiesTheHostBehindIt) {
  const testing::TempDir dir;
  const testing::TlsServer server("elsewhere.invalid");
  const TunnelProxy proxy(200, port_of(server.url("localhost")));
  HttpClient client;
  const auto response = client.send({.url = "https://somewhere.invalid/",
                                     .proxy = "127.0.0.1:" + std::to_string(proxy.port()),
                                     .ca_file = dir.put("ca.pem", server.certificate())});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::Tls) << response.error().message;
  EXPECT_EQ(server.requests(), 0);
}

TEST(HttpProxy, IsItselfAskedThroughTls) {
  const testing::TempDir dir;
  const testing::TlsServer proxy("localhost");
  HttpClient client;
  const auto response = client.send({.url = "http://somewhere.invalid/",
                                     .proxy = proxy.url("localhost"),
                                     .ca_file = dir.put("ca.pem", proxy.certificate())});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "ok");
}

TEST(HttpProxy, Refuses) {
  const TunnelProxy proxy(407, 0);
  HttpClient client;
  const auto response = client.send(
      {.url = "https://somewhere.invalid/", .proxy = "http://me:secret@127.0.0.1:" + std::to_string(proxy.port())});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::NotConnected);
  EXPECT_TRUE(response.error().message.contains("407")) << response.error().message;
  EXPECT_FALSE(response.error().message.contains("secret"));
}

TEST(HttpProxy, OtherKindsAreToldApart) {
  HttpClient client;
  const auto response = client.send({.url = "http://somewhere.invalid/", .proxy = "socks5://127.0.0.1:9"});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().kind, HttpFailure::BadRequest);
}

}  // namespace
}  // namespace grapnel::net
