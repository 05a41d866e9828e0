#include "net/name_lookup.h"

#include <ares.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace grapnel::net {

namespace {

using std::chrono::milliseconds;

std::optional<SocketAddress> numeric(const std::string& host, uint16_t port) {
  SocketAddress address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  if (::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof v4;
    return address;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  if (::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof v6;
    return address;
  }
  return std::nullopt;
}

/// The address that a `host:port:address` entry gives.
std::optional<SocketAddress> given(const std::string& host, uint16_t port, const std::vector<std::string>& resolve) {
  const std::string start = host + ":" + std::to_string(port) + ":";
  for (const std::string& entry : resolve) {
    if (!entry.starts_with(start)) continue;
    std::string address = entry.substr(start.size());
    if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
    return numeric(address, port);
  }
  return std::nullopt;
}

/// These names are this machine, whoever answers questions about names (RFC 6761).
bool is_this_machine(const std::string& host) {
  return host == "localhost" || host.ends_with(".localhost");
}

HttpError not_found(const std::string& host, const char* why) {
  return {HttpFailure::NotConnected, "cannot find the host " + host + ": " + why, false, std::nullopt};
}

struct ChannelDelete {
  void operator()(ares_channel channel) const { ares_destroy(channel); }
};
using Channel = std::unique_ptr<std::remove_pointer_t<ares_channel>, ChannelDelete>;

/// One question and its answer. c-ares calls back while it handles sockets, or at the latest when the channel ends.
struct Question {
  std::vector<SocketAddress> found;
  int status = ARES_SUCCESS;
  bool is_answered = false;
};

void take_answer(void* self, int status, int, ares_addrinfo* answer) {
  auto& question = *static_cast<Question*>(self);
  question.is_answered = true;
  question.status = status;
  for (const ares_addrinfo_node* node = answer != nullptr ? answer->nodes : nullptr; node != nullptr;
       node = node->ai_next) {
    SocketAddress address;
    address.size = std::min<socklen_t>(node->ai_addrlen, sizeof address.storage);
    std::memcpy(&address.storage, node->ai_addr, address.size);
    question.found.push_back(address);
  }
  ares_freeaddrinfo(answer);
}

Channel open_channel() {
  static const int kReady = ares_library_init(ARES_LIB_INIT_ALL);
  ares_channel channel = nullptr;
  ares_options options{};
  options.flags = ARES_FLAG_NOALIASES;  // aliases would come from a file that the environment names
  if (kReady != ARES_SUCCESS || ares_init_options(&channel, &options, ARES_OPT_FLAGS) != ARES_SUCCESS) return nullptr;
  return Channel(channel);
}

/// The sockets that c-ares wants to hear about.
std::vector<pollfd> sockets_of(ares_channel channel) {
  ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
  const int wanted = ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
  std::vector<pollfd> out;
  for (int i = 0; i < ARES_GETSOCK_MAXNUM; ++i) {
    short events = 0;
    if (ARES_GETSOCK_READABLE(wanted, i)) events |= POLLIN;
    if (ARES_GETSOCK_WRITABLE(wanted, i)) events |= POLLOUT;
    if (events != 0) out.push_back({.fd = sockets[i], .events = events, .revents = 0});
  }
  return out;
}

std::expected<void, HttpError> work_until_answered(ares_channel channel, const Question& question, Waiting& waiting) {
  while (!question.is_answered) {
    std::vector<pollfd> sockets = sockets_of(channel);
    timeval longest{.tv_sec = 1, .tv_usec = 0}, next{};
    const timeval* const left = ares_timeout(channel, &longest, &next);
    auto ready = waiting.wait(sockets, milliseconds(left->tv_sec * 1000 + left->tv_usec / 1000 + 1));
    if (!ready) return std::unexpected(std::move(ready.error()));
    if (*ready == 0) ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // a server's time may be up
    for (const pollfd& one : sockets) {
      const bool reads = (one.revents & (POLLIN | POLLERR | POLLHUP)) != 0;
      const bool writes = (one.revents & POLLOUT) != 0;
      if (reads || writes) {
        ares_process_fd(channel, reads ? one.fd : ARES_SOCKET_BAD, writes ? one.fd : ARES_SOCKET_BAD);
      }
    }
  }
  return {};
}

}  // namespace

std::expected<std::vector<SocketAddress>, HttpError> look_up(const std::string& host, uint16_t port,
                                                             const std::vector<std::string>& resolve,
                                                             Waiting& waiting) {
  if (const auto address = given(host, port, resolve)) return std::vector{*address};
  if (const auto address = numeric(host, port)) return std::vector{*address};
  if (is_this_machine(host)) return std::vector{*numeric("::1", port), *numeric("127.0.0.1", port)};

  Question question;  // outlives the channel, whose end may call back
  const Channel channel = open_channel();
  if (!channel) return std::unexpected(not_found(host, "name lookup does not start"));
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = ARES_AI_NUMERICSERV;
  ares_getaddrinfo(channel.get(), host.c_str(), std::to_string(port).c_str(), &hints, &take_answer, &question);
  if (auto done = work_until_answered(channel.get(), question, waiting); !done) {
    return std::unexpected(std::move(done.error()));
  }
  if (question.status != ARES_SUCCESS) return std::unexpected(not_found(host, ares_strerror(question.status)));
  if (question.found.empty()) return std::unexpected(not_found(host, "it has no address"));
  return std::move(question.found);
}

}  // namespace grapnel::net
