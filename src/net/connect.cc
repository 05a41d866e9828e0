#include "net/connect.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include <netinet/in.h>
#include <netinet/tcp.h>

namespace grapnel::net {

namespace {

/// How long one address has before the next is tried beside it: networks often have IPv6 addresses and no way there.
constexpr std::chrono::milliseconds kHeadStart{250};

UniqueFd open_socket(int family) {
  UniqueFd fd(::socket(family, SOCK_STREAM, 0));
  if (!fd) return fd;
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (::fcntl(fd.get(), F_SETFD, FD_CLOEXEC) != 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) return {};
  const int on = 1;  // requests are written at once; without this, the end of a long one would wait for an answer
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

/// The sockets that are connecting, and the addresses that wait for their turn.
class Race {
 public:
  Race(std::span<const SocketAddress> addresses, const std::function<bool(const sockaddr&)>& allow_address)
      : waiting_(addresses), allow_address_(allow_address) {}

  bool has_more() const { return !waiting_.empty(); }
  bool is_over() const { return running_.empty() && waiting_.empty(); }

  void start_next() {
    const SocketAddress& address = waiting_.front();
    waiting_ = waiting_.subspan(1);
    if (allow_address_ && !allow_address_(address.generic())) {
      has_refused_ = true;
      return;
    }
    UniqueFd fd = open_socket(address.generic().sa_family);
    const bool starts = fd && (::connect(fd.get(), &address.generic(), address.size) == 0 || errno == EINPROGRESS);
    if (starts) {
      running_.push_back(std::move(fd));
    } else {
      error_ = errno;
    }
  }

  std::vector<pollfd> descriptors() const {
    std::vector<pollfd> out;
    for (const UniqueFd& fd : running_) out.push_back({.fd = fd.get(), .events = POLLOUT, .revents = 0});
    return out;
  }

  /// The socket that is connected, if there is one; those that failed are taken out.
  UniqueFd take_winner(std::span<const pollfd> polled) {
    for (size_t i = polled.size(); i-- > 0;) {
      if (polled[i].revents == 0) continue;
      int error = 0;
      socklen_t size = sizeof error;
      ::getsockopt(polled[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
      UniqueFd fd = std::move(running_[i]);
      running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
      if (error == 0) return fd;
      error_ = error;
    }
    return {};
  }

  HttpError failure() const {
    if (has_refused_) {
      return {HttpFailure::RefusedAddress, "connecting to this host's address is not allowed", false, std::nullopt};
    }
    return {HttpFailure::NotConnected, std::string("cannot connect: ") + std::strerror(error_), false, std::nullopt};
  }

 private:
  std::span<const SocketAddress> waiting_;
  const std::function<bool(const sockaddr&)>& allow_address_;
  std::vector<UniqueFd> running_;
  bool has_refused_ = false;
  int error_ = 0;  ///< of the last that failed
};

}  // namespace

std::expected<UniqueFd, HttpError> connect_to(std::span<const SocketAddress> addresses,
                                              const std::function<bool(const sockaddr&)>& allow_address,
                                              Waiting& waiting) {
  Race race(addresses, allow_address);
  while (!race.is_over()) {
    if (race.has_more()) race.start_next();
    std::vector<pollfd> polled = race.descriptors();
    if (polled.empty()) continue;
    auto ready = waiting.wait(polled, race.has_more() ? std::optional(kHeadStart) : std::nullopt);
    if (!ready) return std::unexpected(std::move(ready.error()));
    if (UniqueFd fd = race.take_winner(polled)) return fd;
  }
  return std::unexpected(race.failure());
}

}  // namespace grapnel::net
