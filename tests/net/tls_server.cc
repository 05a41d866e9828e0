#include "net/tls_server.h"

#include <poll.h>

#include <atomic>
#include <thread>

#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/unique_fd.h"

namespace grapnel::testing {

namespace {

template <auto Free>
struct Deleter {
  void operator()(auto* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Deleter<SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Deleter<SSL_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION_free>>;

Certificate sign(EVP_PKEY* key, const std::string& host) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  const auto* const text = reinterpret_cast<const unsigned char*>(host.c_str());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  const std::string alternative = "DNS:" + host;
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative.c_str()));
  GRAPNEL_CHECK(X509_add_ext(certificate.get(), extension.get(), -1) == 1);
  GRAPNEL_CHECK(X509_sign(certificate.get(), key, EVP_sha256()) > 0);
  return certificate;
}

}  // namespace

class TlsServer::Impl {
 public:
  explicit Impl(const std::string& host)
      : key_(EVP_EC_gen("P-256")), certificate_(sign(key_.get(), host)), context_(SSL_CTX_new(TLS_server_method())) {
    GRAPNEL_CHECK(SSL_CTX_use_certificate(context_.get(), certificate_.get()) == 1);
    GRAPNEL_CHECK(SSL_CTX_use_PrivateKey(context_.get(), key_.get()) == 1);
    listen();
    acceptor_ = std::jthread([this] { accept_all(); });
  }

  ~Impl() {
    const uint64_t one = 1;
    GRAPNEL_CHECK(::write(end_.get(), &one, sizeof one) == sizeof one);
  }

  std::string pem() const {
    const std::unique_ptr<BIO, Deleter<BIO_free_all>> memory(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(memory.get(), certificate_.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &data);
    return {data, static_cast<size_t>(size)};
  }

  uint16_t port() const { return port_; }
  int requests() const { return requests_; }

 private:
  void listen() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    GRAPNEL_CHECK(::bind(listener_.get(), generic, length) == 0);
    GRAPNEL_CHECK(::listen(listener_.get(), 8) == 0);
    GRAPNEL_CHECK(::getsockname(listener_.get(), generic, &length) == 0);
    port_ = ntohs(address.sin_port);
  }

  void accept_all() {
    while (true) {
      pollfd fds[] = {{end_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      if (::poll(fds, 2, -1) < 0) continue;
      if (fds[0].revents != 0) return;
      const UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (fd) serve(fd.get());
    }
  }

  void serve(int fd) {
    const Connection connection(SSL_new(context_.get()));
    SSL_set_fd(connection.get(), fd);
    char buffer[4096];
    if (SSL_accept(connection.get()) != 1 || SSL_read(connection.get(), buffer, sizeof buffer) <= 0) return;
    ++requests_;
    constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    SSL_write(connection.get(), kAnswer.data(), static_cast<int>(kAnswer.size()));
    SSL_shutdown(connection.get());
  }

  Key key_;
  Certificate certificate_;
  Context context_;
  UniqueFd end_{::eventfd(0, EFD_CLOEXEC)};
  UniqueFd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  uint16_t port_ = 0;
  std::atomic<int> requests_ = 0;
  std::jthread acceptor_;
};

TlsServer::TlsServer(std::string_view host) : impl_(std::make_unique<Impl>(std::string(host))) {}
TlsServer::~TlsServer() = default;

std::string TlsServer::url(std::string_view name) const {
  return "https://" + std::string(name) + ":" + std::to_string(impl_->port()) + "/";
}

std::string TlsServer::certificate() const {
  return impl_->pem();
}

int TlsServer::requests() const {
  return impl_->requests();
}

}  // namespace grapnel::testing
