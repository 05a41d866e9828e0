#include "net/stream.h"

#include <cerrno>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

namespace grapnel::net {

std::expected<void, HttpError> Stream::secure(const TlsContext& context, const std::string& host, Waiting& waiting) {
  TlsSession session = make_tls_session(*context, host, socket_.get(), top());
  if (!session) return std::unexpected(HttpError{HttpFailure::Tls, "no secure connection: no memory", false, {}});
  SSL* const shaken = session.get();
  (outer_ ? inner_ : outer_) = std::move(session);
  context_ = context;
  for (;;) {
    ERR_clear_error();
    const int result = SSL_do_handshake(shaken);
    if (result == 1) return {};
    const int error = SSL_get_error(shaken, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      return std::unexpected(HttpError{HttpFailure::Tls, describe_tls_failure(*shaken), false, std::nullopt});
    }
    if (auto ready = waiting.wait_for(socket_.get(), error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT); !ready) {
      return std::unexpected(std::move(ready.error()));
    }
    waiting.moved();
  }
}

Stream::Step Stream::tls_step(int result, size_t bytes) {
  if (result == 1) return {State::Moved, bytes};
  switch (SSL_get_error(top(), result)) {
    case SSL_ERROR_WANT_READ:
      wanted_ = POLLIN;
      return {State::Wait};
    case SSL_ERROR_WANT_WRITE:
      wanted_ = POLLOUT;
      return {State::Wait};
    case SSL_ERROR_ZERO_RETURN:
      return {State::End};
    default:
      return {State::Broken};
  }
}

Stream::Step Stream::read(std::span<char> buffer) {
  if (outer_) {
    ERR_clear_error();
    size_t got = 0;
    const int result = SSL_read_ex(top(), buffer.data(), buffer.size(), &got);
    return tls_step(result, got);
  }
  const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (got > 0) return {State::Moved, static_cast<size_t>(got)};
  if (got == 0) return {State::End};
  wanted_ = POLLIN;
  return {errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? State::Wait : State::Broken};
}

Stream::Step Stream::write(std::string_view bytes) {
  if (outer_) {
    ERR_clear_error();
    size_t put = 0;
    const int result = SSL_write_ex(top(), bytes.data(), bytes.size(), &put);
    return tls_step(result, put);
  }
  const ssize_t put = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (put >= 0) return {State::Moved, static_cast<size_t>(put)};
  wanted_ = POLLOUT;
  return {errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? State::Wait : State::Broken};
}

/// TLS sends tickets for later sessions at any time; reading takes them in, and a quiet connection has nothing else.
bool Stream::is_quiet() const {
  pollfd one{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&one, 1, 0) == 0) return true;
  if (!outer_) return false;
  char byte = 0;
  size_t got = 0;
  ERR_clear_error();
  const int result = SSL_peek_ex(top(), &byte, 1, &got);
  return result != 1 && SSL_get_error(top(), result) == SSL_ERROR_WANT_READ;
}

}  // namespace grapnel::net
