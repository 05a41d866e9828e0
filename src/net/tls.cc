#include "net/tls.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

namespace grapnel::net {

namespace {

/// Where systems keep the certificates that they trust. A static program runs on others than the one it was built on.
constexpr auto kSystemFiles = std::to_array<const char*>({
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL
    "/etc/ssl/cert.pem",                                  // Alpine, BSD, macOS
});
constexpr const char* kSystemFolder = "/etc/ssl/certs";

HttpError tls_error(std::string message) {
  return {HttpFailure::Tls, std::move(message), false, std::nullopt};
}

/// A system without certificates is no error here: connections then fail, and say why.
bool trust_system(SSL_CTX& context) {
  for (const char* file : kSystemFiles) {
    if (::access(file, R_OK) == 0) return SSL_CTX_load_verify_file(&context, file) == 1;
  }
  return ::access(kSystemFolder, R_OK) != 0 || SSL_CTX_load_verify_dir(&context, kSystemFolder) == 1;
}

int socket_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio)));
}

/// Sets what OpenSSL asks after a call that could not be done at once.
int end_of_call(BIO* bio, ssize_t moved, int retry) {
  BIO_clear_retry_flags(bio);
  if (moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY);
  return static_cast<int>(moved);
}

int write_socket(BIO* bio, const char* bytes, int size) {
  return end_of_call(bio, ::send(socket_of(bio), bytes, static_cast<size_t>(size), MSG_NOSIGNAL), BIO_FLAGS_WRITE);
}

int read_socket(BIO* bio, char* bytes, int size) {
  const ssize_t got = ::recv(socket_of(bio), bytes, static_cast<size_t>(size), 0);
  if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return end_of_call(bio, got, BIO_FLAGS_READ);
}

long control_socket(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return 0;
}

/// OpenSSL's own kind of socket raises SIGPIPE when the other side is gone.
BIO_METHOD* quiet_socket() {
  static BIO_METHOD* const kMethod = [] {
    BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "quiet socket");
    if (method == nullptr) return method;
    BIO_meth_set_write(method, &write_socket);
    BIO_meth_set_read(method, &read_socket);
    BIO_meth_set_ctrl(method, &control_socket);
    return method;
  }();
  return kMethod;
}

BIO* make_way(int socket, SSL* through) {
  if (through != nullptr) {
    BIO* const bio = BIO_new(BIO_f_ssl());
    if (bio != nullptr) BIO_ctrl(bio, BIO_C_SET_SSL, BIO_NOCLOSE, through);
    return bio;
  }
  BIO_METHOD* const method = quiet_socket();
  BIO* const bio = method != nullptr ? BIO_new(method) : nullptr;
  if (bio != nullptr) {
    BIO_set_data(bio, reinterpret_cast<void*>(static_cast<intptr_t>(socket)));
    BIO_set_init(bio, 1);
  }
  return bio;
}

bool is_numeric(const std::string& host) {
  std::array<unsigned char, 16> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

/// Certificates name hosts and addresses in different places, and SNI has no addresses.
bool expect_host(SSL& session, const std::string& host) {
  if (is_numeric(host)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(&session), host.c_str()) == 1;
  std::string name = host;
  return SSL_set1_host(&session, host.c_str()) == 1 &&
         SSL_ctrl(&session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1;
}

}  // namespace

void TlsContextDelete::operator()(SSL_CTX* context) const {
  SSL_CTX_free(context);
}

void TlsSessionDelete::operator()(SSL* session) const {
  SSL_free(session);
}

std::expected<TlsContext, HttpError> make_tls_context(const std::string& ca_file) {
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_client_method()), TlsContextDelete());
  if (!context) return std::unexpected(tls_error("TLS does not start"));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  const bool trusts =
      ca_file.empty() ? trust_system(*context) : SSL_CTX_load_verify_file(context.get(), ca_file.c_str()) == 1;
  if (!trusts) {
    return std::unexpected(
        tls_error("cannot read the certificates to trust" + (ca_file.empty() ? "" : " in " + ca_file)));
  }
  return context;
}

TlsSession make_tls_session(SSL_CTX& context, const std::string& host, int socket, SSL* through) {
  TlsSession session(SSL_new(&context));
  BIO* const way = session ? make_way(socket, through) : nullptr;
  if (way == nullptr) return nullptr;
  SSL_set_bio(session.get(), way, way);
  constexpr unsigned char kOnlyHttp1[] = "\x08http/1.1";
  SSL_set_alpn_protos(session.get(), kOnlyHttp1, sizeof kOnlyHttp1 - 1);
  SSL_set_connect_state(session.get());
  if (!expect_host(*session, host)) return nullptr;
  return session;
}

std::string describe_tls_failure(const SSL& session) {
  if (const long verdict = SSL_get_verify_result(&session); verdict != X509_V_OK) {
    return std::string("the certificate is not valid: ") + X509_verify_cert_error_string(verdict);
  }
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return std::string("no secure connection: ") + (reason != nullptr ? reason : "the server closed it");
}

}  // namespace grapnel::net
