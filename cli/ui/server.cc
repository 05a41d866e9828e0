#include "cli/ui/server.h"

#include <poll.h>

#include <algorithm>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/error.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxConnections = 64;
constexpr std::chrono::seconds kRequestTime{10};
constexpr std::chrono::seconds kIdleTime{60};
constexpr std::chrono::milliseconds kLinger{500};

int ms_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
  return static_cast<int>(std::max<int64_t>(left, 0));
}

/// Sends all bytes. False if the other end is gone, or does not take them in time.
bool send_all(int fd, std::string_view bytes) {
  const Deadline deadline = SteadyClock::now() + kRequestTime;
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    pollfd ready{fd, POLLOUT, 0};
    if (::poll(&ready, 1, ms_until(deadline)) == 0) return false;
  }
  return true;
}

/// What arrives next; "" if nothing does before the deadline, or the other end is gone.
std::string receive(int fd, Deadline deadline, bool& is_late) {
  std::string buffer(size_t{16} << 10, '\0');
  while (true) {
    pollfd ready{fd, POLLIN, 0};
    const int count = ::poll(&ready, 1, ms_until(deadline));
    if (count < 0 && errno == EINTR) continue;
    is_late = count == 0;
    if (count <= 0) return "";
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    buffer.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return buffer;
  }
}

/// Closing a socket with unread bytes throws away the answer on its way, so these are read first, for a moment.
void close_gently(int fd) {
  ::shutdown(fd, SHUT_WR);
  const Deadline deadline = SteadyClock::now() + kLinger;
  for (bool is_late = false; !receive(fd, deadline, is_late).empty() && SteadyClock::now() < deadline;) continue;
}

class ChunkedStream : public HttpStream {
 public:
  explicit ChunkedStream(int fd) : fd_(fd) {}

  bool send(std::string_view bytes) override {
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    return send_all(fd_, std::string(size.data()) + std::string(bytes) + "\r\n");
  }

  bool wait_for(int other, int timeout_ms) override {
    // Nothing has to arrive from the client during a stream; whatever does, it is gone or confused.
    std::array<pollfd, 2> ready{{{fd_, POLLIN | POLLRDHUP, 0}, {other, POLLIN, 0}}};
    const int count = ::poll(ready.data(), ready.size(), timeout_ms);
    return count >= 0 ? ready[0].revents == 0 : errno == EINTR;
  }

 private:
  int fd_;
};

/// Reads one request. Nothing if the connection is over; a refusal was sent then, if there was anything to refuse.
std::optional<HttpRequest> read_request(int fd, RequestParser& parser, bool is_first) {
  auto result = parser.take("");
  Deadline deadline = SteadyClock::now() + (is_first || parser.has_begun() ? kRequestTime : kIdleTime);
  while (result && !*result) {
    const bool had_begun = parser.has_begun();
    bool is_late = false;
    const std::string bytes = receive(fd, deadline, is_late);
    if (bytes.empty()) {
      if (is_late && parser.has_begun()) send_all(fd, to_bytes(refuse({408, "the request took too long"}), false));
      return std::nullopt;
    }
    result = parser.take(bytes);
    if (!had_begun) deadline = SteadyClock::now() + kRequestTime;
  }
  if (result) return std::move(*result);
  send_all(fd, to_bytes(refuse(result.error()), false));
  close_gently(fd);
  return std::nullopt;
}

void serve_connection(int fd, const HttpHandler& handler) {
  RequestParser parser;
  for (bool is_first = true; true; is_first = false) {
    const auto request = read_request(fd, parser, is_first);
    if (!request) return;
    const HttpResponse response = handler(*request);
    // Whoever was refused may start again: this keeps strangers from holding connections.
    const bool keeps_alive = request->keeps_alive && response.status == 200 && !response.stream;
    if (!send_all(fd, to_bytes(response, keeps_alive))) return;
    if (response.stream) {
      ChunkedStream stream(fd);
      response.stream(stream);
      stream.send("");
    }
    if (!keeps_alive) return close_gently(fd);
  }
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(uint16_t port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return fail_errno("cannot make a socket");
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return fail_errno("cannot use port " + std::to_string(port) + " of 127.0.0.1");
  }
  if (::listen(fd.get(), SOMAXCONN) != 0) return fail_errno("cannot listen");
  socklen_t size = sizeof address;
  if (::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return fail_errno("cannot listen");
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(fd), ntohs(address.sin_port)));
}

void HttpServer::start(HttpHandler handler) {
  handler_ = std::move(handler);
  acceptor_ = std::thread([this] { accept_all(); });
}

void HttpServer::stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (is_stopping_) return;
    is_stopping_ = true;
    ::shutdown(socket_.get(), SHUT_RDWR);
    for (const Connection& connection : connections_) ::shutdown(connection.fd.get(), SHUT_RDWR);
  }
  if (acceptor_.joinable()) acceptor_.join();
  for (Connection& connection : connections_) connection.thread.join();
  connections_.clear();
}

void HttpServer::accept_all() {
  while (true) {
    UniqueFd fd(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    {
      const std::scoped_lock lock(mutex_);
      if (is_stopping_) return;
    }
    // Out of descriptors, or the other end was faster: neither is a reason to spin.
    if (!fd) ::poll(nullptr, 0, 10);
    if (fd) let_in(std::move(fd));
  }
}

void HttpServer::let_in(UniqueFd fd) {
  remove_finished();
  const std::scoped_lock lock(mutex_);
  if (is_stopping_) return;
  if (connections_.size() >= kMaxConnections) {
    send_all(fd.get(), to_bytes(refuse({503, "too many connections"}), false));
    return;
  }
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Connection& connection = connections_.emplace_back();
  connection.fd = std::move(fd);
  connection.thread = std::thread([this, &connection] {
    serve_connection(connection.fd.get(), handler_);
    ::shutdown(connection.fd.get(), SHUT_RDWR);
    const std::scoped_lock done(mutex_);
    connection.is_over = true;
  });
}

void HttpServer::remove_finished() {
  std::list<Connection> finished;
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = connections_.begin(); it != connections_.end();) {
      const auto next = std::next(it);
      if (it->is_over) finished.splice(finished.end(), connections_, it);
      it = next;
    }
  }
  for (Connection& connection : finished) connection.thread.join();
}

}  // namespace grapnel::cli
