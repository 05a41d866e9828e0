#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "net/tls.h"
#include "net/waiting.h"

namespace grapnel::net {

/// A connected socket, with no, one or two layers of TLS on it: two if the proxy itself is asked through TLS. It never
/// blocks. Thread: one at a time.
class Stream {
 public:
  enum class State : uint8_t {
    Moved,   ///< bytes have moved
    Wait,    ///< nothing now: wait for `wanted()`
    End,     ///< the other side has closed properly
    Broken,  ///< reset, or cut off
  };
  struct Step {
    State state = State::Broken;
    size_t bytes = 0;
  };

  Stream() = default;
  explicit Stream(UniqueFd socket) : socket_(std::move(socket)) {}

  /// Adds a layer of TLS. Fails: Tls, and as `waiting`.
  std::expected<void, HttpError> secure(const TlsContext& context, const std::string& host, Waiting& waiting);

  Step read(std::span<char> buffer);
  Step write(std::string_view bytes);

  int fd() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  /// What the last step that ended with `Wait` waits for, as poll's events.
  short wanted() const { return wanted_; }
  /// Whether nothing has arrived since the last answer, not even the end: then it can take the next request.
  bool is_quiet() const;

 private:
  SSL* top() const { return inner_ ? inner_.get() : outer_.get(); }
  Step tls_step(int result, size_t bytes);

  UniqueFd socket_;
  TlsContext context_;  ///< of the last layer
  TlsSession outer_;    ///< the inner one speaks through it, so it goes last
  TlsSession inner_;
  short wanted_ = 0;
};

}  // namespace grapnel::net
