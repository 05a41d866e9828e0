#include "net/waiting.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace grapnel::net {

namespace {

using std::chrono::milliseconds;

/// The longest single wait. Only a system without a descriptor for `wake_` needs it.
constexpr milliseconds kLongestWait{1000};

/// `30 s`, or `1500 ms` when it is not a whole number of seconds.
std::string describe_duration(milliseconds t) {
  if (t % std::chrono::seconds(1) == milliseconds(0)) return std::to_string(t / std::chrono::seconds(1)) + " s";
  return std::to_string(t.count()) + " ms";
}

HttpError cancelled() {
  return {HttpFailure::Cancelled, "cancelled", false, std::nullopt};
}

}  // namespace

Waiting::Waiting(const HttpTimeouts& timeouts, const std::stop_token& stop)
    : timeouts_(timeouts), stop_(stop), started_(SteadyClock::now()), last_byte_(started_) {
  if (!stop_.stop_possible()) return;
  if (auto pipe = os::open_pipe(os::real_calls())) wake_ = std::move(*pipe);
  on_stop_.emplace(stop_, [this] {
    if (wake_.write) static_cast<void>(!::write(wake_.write.get(), "", 1));
  });
}

/// The time until the next timeout, at most `kLongestWait`; zero or less when one has passed.
milliseconds Waiting::time_left(Deadline now) const {
  milliseconds left = kLongestWait;
  const auto limit = [&](milliseconds timeout, Deadline since) {
    if (timeout > milliseconds(0)) left = std::min(left, std::chrono::ceil<milliseconds>(since + timeout - now));
  };
  if (connecting_since_) limit(timeouts_.connect, *connecting_since_);
  limit(timeouts_.idle, last_byte_);
  limit(timeouts_.total, started_);
  return left;
}

/// If several timeouts have passed, the message names the total one.
HttpError Waiting::out_of_time(Deadline now) const {
  const HttpTimeouts& t = timeouts_;
  if (t.total > milliseconds(0) && now >= started_ + t.total) {
    return {HttpFailure::Timeout, "no complete answer within " + describe_duration(t.total), false, std::nullopt};
  }
  if (connecting_since_ && t.connect > milliseconds(0) && now >= *connecting_since_ + t.connect) {
    return {HttpFailure::NotConnected, "no connection within " + describe_duration(t.connect), false, std::nullopt};
  }
  return {HttpFailure::Timeout, "no data for " + describe_duration(t.idle), false, std::nullopt};
}

std::expected<void, HttpError> Waiting::check() const {
  if (stop_.stop_requested()) return std::unexpected(cancelled());
  const Deadline now = SteadyClock::now();
  if (timeouts_.total > milliseconds(0) && now >= started_ + timeouts_.total) return std::unexpected(out_of_time(now));
  return {};
}

/// Asks the descriptors even if a timeout has passed: what arrived while this thread was not running (a suspended
/// machine, for example) is read before the timeout counts.
std::expected<int, HttpError> Waiting::wait(std::span<pollfd> fds, std::optional<milliseconds> at_most) {
  std::vector<pollfd> all(fds.begin(), fds.end());
  if (wake_.read) all.push_back({.fd = wake_.read.get(), .events = POLLIN, .revents = 0});
  const std::optional<Deadline> until = at_most ? std::optional(SteadyClock::now() + *at_most) : std::nullopt;
  for (;;) {
    if (stop_.stop_requested()) return std::unexpected(cancelled());
    const Deadline looked = SteadyClock::now();
    milliseconds left = std::max(time_left(looked), milliseconds(0));
    if (until) left = std::clamp(std::chrono::ceil<milliseconds>(*until - looked), milliseconds(0), left);
    const int ready = ::poll(all.data(), all.size(), static_cast<int>(left.count()));
    if (stop_.stop_requested()) return std::unexpected(cancelled());
    if (ready < 0 && errno != EINTR) {
      return std::unexpected(HttpError{HttpFailure::NotConnected, "poll failed", false, std::nullopt});
    }
    if (ready > 0) {
      std::copy_n(all.begin(), fds.size(), fds.begin());
      return ready;
    }
    if (time_left(looked) <= milliseconds(0)) return std::unexpected(out_of_time(looked));
    if (until && SteadyClock::now() >= *until) return 0;
  }
}

std::expected<void, HttpError> Waiting::wait_for(int fd, short events) {
  pollfd one{.fd = fd, .events = events, .revents = 0};
  auto ready = wait({&one, 1});
  if (!ready) return std::unexpected(std::move(ready.error()));
  return {};
}

}  // namespace grapnel::net
