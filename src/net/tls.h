#pragma once

#include <expected>
#include <memory>
#include <string>

#include <openssl/types.h>

#include "net/http_client.h"

namespace grapnel::net {

struct TlsContextDelete {
  void operator()(SSL_CTX* context) const;
};
struct TlsSessionDelete {
  void operator()(SSL* session) const;
};
using TlsContext = std::shared_ptr<SSL_CTX>;
using TlsSession = std::unique_ptr<SSL, TlsSessionDelete>;

/// What connections share: TLS 1.2 or later, and the certificates to trust: those of the file, or the system's. Fails:
/// Tls.
std::expected<TlsContext, HttpError> make_tls_context(const std::string& ca_file);

/// The client's side of a connection, which verifies that the other side is `host`. It speaks through the socket, or
/// through another session if that is not null, which must outlive it. Null when memory is short.
TlsSession make_tls_session(SSL_CTX& context, const std::string& host, int socket, SSL* through);

/// Why the last step of a session failed, in words.
std::string describe_tls_failure(const SSL& session);

}  // namespace grapnel::net
