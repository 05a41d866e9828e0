#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

namespace grapnel::fleet {

/// What a server needs to speak TLS, as PEM: a certificate authority of its own, which clients trust and nobody else
/// does, and a certificate that it signed. The authority's key is thrown away.
struct TlsFiles {
  std::string authority;
  std::string certificate;
  std::string key;
};

/// For servers with these names and addresses. It is valid for ten years. Fails: System.
Result<TlsFiles> make_tls(const std::vector<std::string>& hosts);

}  // namespace grapnel::fleet
