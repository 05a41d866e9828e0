#include "net/loopback_server.h"

#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::testing {

namespace {

constexpr char kTlsHandshake = 0x16;

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

std::string to_hex(size_t n) {
  std::string out;
  for (; n > 0; n /= 16) out.insert(out.begin(), "0123456789abcdef"[n % 16]);
  return out.empty() ? "0" : out;
}

LoopbackServer::Request parse_head(std::string_view head) {
  LoopbackServer::Request request;
  for (const std::string_view line : text::split(head, '\n')) {
    if (request.method.empty()) {
      const auto words = text::split(text::trim(line), ' ');
      request.method = words[0];
      request.target = words.size() > 1 ? words[1] : "";
    } else if (const size_t colon = line.find(':'); colon != std::string_view::npos) {
      request.headers.emplace_back(text::to_lower(line.substr(0, colon)), text::trim(line.substr(colon + 1)));
    }
  }
  return request;
}

/// Takes the first complete request off the front of `bytes`.
std::optional<LoopbackServer::Request> take_request(std::string& bytes) {
  const size_t head = bytes.find("\r\n\r\n");
  if (head == std::string::npos) return std::nullopt;
  LoopbackServer::Request request = parse_head(std::string_view(bytes).substr(0, head));
  const size_t length = std::strtoul(request.header("content-length").c_str(), nullptr, 10);
  if (bytes.size() < head + 4 + length) return std::nullopt;
  request.body = bytes.substr(head + 4, length);
  bytes.erase(0, head + 4 + length);
  return request;
}

bool send_body(int fd, const LoopbackServer::Answer& answer) {
  std::string_view rest = answer.body;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, answer.piece == 0 ? rest.size() : answer.piece);
    if (!send_all(fd, to_hex(piece.size()) + "\r\n" + std::string(piece) + "\r\n")) return false;
    rest.remove_prefix(piece.size());
  }
  return true;
}

std::string head_of(const LoopbackServer::Answer& answer) {
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " So\r\nTransfer-Encoding: chunked\r\n";
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  return head + "\r\n";
}

}  // namespace

std::string LoopbackServer::Request::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? "" : found->second;
}

LoopbackServer::LoopbackServer(std::vector<Answer> answers)
    : LoopbackServer([answers = std::move(answers), next = size_t{0}](const Request&) mutable {
        return answers[std::min(next++, answers.size() - 1)];
      }) {}

LoopbackServer::LoopbackServer(Responder responder) : responder_(std::move(responder)) {
  end_ = UniqueFd(::eventfd(0, EFD_CLOEXEC));
  listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  GRAPNEL_CHECK(::bind(listener_.get(), generic, length) == 0);
  GRAPNEL_CHECK(::listen(listener_.get(), 64) == 0);
  GRAPNEL_CHECK(::getsockname(listener_.get(), generic, &length) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

LoopbackServer::~LoopbackServer() {
  const uint64_t one = 1;
  GRAPNEL_CHECK(::write(end_.get(), &one, sizeof one) == sizeof one);
  acceptor_.join();
}

std::string LoopbackServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
}

std::vector<LoopbackServer::Request> LoopbackServer::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}

size_t LoopbackServer::connections() const {
  const std::scoped_lock lock(mutex_);
  return connections_;
}

bool LoopbackServer::wait_readable(int fd) const {
  pollfd fds[] = {{end_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  while (::poll(fds, 2, -1) < 0) {
  }
  return fds[0].revents == 0;
}

void LoopbackServer::accept_all() {
  while (wait_readable(listener_.get())) {
    const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::scoped_lock lock(mutex_);
    ++connections_;
    threads_.emplace_back([this, fd] { serve(UniqueFd(fd)); });
  }
}

LoopbackServer::Answer LoopbackServer::next_answer(Request request) {
  const std::scoped_lock lock(mutex_);
  requests_.push_back(std::move(request));
  return responder_(requests_.back());
}

void LoopbackServer::serve(const UniqueFd& connection) {
  std::string received;
  while (true) {
    if (auto request = take_request(received)) {
      if (!answer(connection, next_answer(std::move(*request)))) return;
      continue;
    }
    char buffer[4096];
    if (!wait_readable(connection.get())) return;
    const ssize_t count = ::recv(connection.get(), buffer, sizeof buffer, 0);
    if (count <= 0 || buffer[0] == kTlsHandshake) return;
    received.append(buffer, static_cast<size_t>(count));
  }
}

/// Whether the connection stays.
bool LoopbackServer::answer(const UniqueFd& connection, const Answer& answer) {
  const int fd = connection.get();
  if (!answer.raw.empty()) {
    send_all(fd, answer.raw);
  } else if (!answer.silent && !(send_all(fd, head_of(answer)) && send_body(fd, answer))) {
    return false;
  }
  switch (answer.ending) {
    case Ending::KeepAlive:
      return send_all(fd, "0\r\n\r\n");
    case Ending::Close:
      send_all(fd, "0\r\n\r\n");
      return false;
    case Ending::Cut:
      return false;
    case Ending::Reset: {
      const linger at_once{1, 0};
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      return false;
    }
    case Ending::Hang:
      wait_readable(-1);
      return false;
  }
  return false;
}

}  // namespace grapnel::testing
