#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace grapnel::testing {

/// A server on 127.0.0.1 that speaks TLS with a certificate it has signed itself, and answers every request `ok`.
class TlsServer {
 public:
  /// The certificate is for that host name.
  explicit TlsServer(std::string_view host);
  ~TlsServer();

  /// `https://<name>:<port>/`.
  std::string url(std::string_view name) const;
  /// For whoever is to trust it, as PEM.
  std::string certificate() const;
  /// How many requests came through.
  int requests() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grapnel::testing
