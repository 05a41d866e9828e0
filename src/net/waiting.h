#pragma once

#include <poll.h>

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>

#include "base/clock.h"
#include "net/http_client.h"
#include "os/pipe.h"

namespace grapnel::net {

/// Every wait of one request, under its timeouts and its stop token. Thread: one; only the stop token may come from
/// another.
class Waiting {
 public:
  Waiting(const HttpTimeouts& timeouts, const std::stop_token& stop);
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  /// Waits until one of the descriptors is ready, or for `at_most`; returns how many are ready. Fails: Cancelled,
  /// Timeout, and NotConnected while a connection is made.
  std::expected<int, HttpError> wait(std::span<pollfd> fds, std::optional<std::chrono::milliseconds> at_most = {});
  /// The same for one descriptor.
  std::expected<void, HttpError> wait_for(int fd, short events);
  /// For those who have much to read without waiting. Fails: Cancelled, Timeout (only the total one).
  std::expected<void, HttpError> check() const;

  /// A byte has moved in either direction: the idle timeout counts from now.
  void moved() { last_byte_ = SteadyClock::now(); }
  /// The timeout for connecting begins or ends.
  void start_connecting() { connecting_since_ = SteadyClock::now(); }
  void end_connecting() { connecting_since_.reset(); }

 private:
  std::chrono::milliseconds time_left(Deadline now) const;
  HttpError out_of_time(Deadline now) const;

  HttpTimeouts timeouts_;
  std::stop_token stop_;
  os::Pipe wake_;  ///< becomes readable with the stop request; there only if one is possible
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  Deadline started_;
  Deadline last_byte_;
  std::optional<Deadline> connecting_since_;
};

}  // namespace grapnel::net
