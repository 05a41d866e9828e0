#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "net/stream.h"

namespace grapnel::net {

/// Open connections between requests, and the certificates that they trust. Thread: any.
class ConnectionPool {
 public:
  /// An open connection that was given back with this key, if there is one that still works.
  std::optional<Stream> take(const std::string& key);
  void give_back(std::string key, Stream stream);
  /// Reads the certificates once for each file. Fails: Tls.
  std::expected<TlsContext, HttpError> tls_context(const std::string& ca_file);

 private:
  struct Idle {
    std::string key;
    Stream stream;
    Deadline since;
  };

  std::mutex mutex_;
  std::vector<Idle> idle_;
  std::map<std::string, TlsContext> contexts_;
};

}  // namespace grapnel::net
