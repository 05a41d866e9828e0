#pragma once

#include <string>
#include <string_view>

/// Digests for everything that is compared or named by its content: hooks, files, records, sessions.
namespace grapnel {

/// SHA-256 as lower-case hex. No other file includes libmd.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  /// Adds a part with its length in front, so that ("ab", "c") and ("a", "bc") give different digests.
  Sha256& add(std::string_view part);
  /// Finishes and returns the digest. Nothing can be added afterwards.
  std::string hex();

 private:
  void* context_;  ///< libmd's type, which stays out of this header
};

/// The plain digest of these bytes, for comparing with digests that other programs make.
std::string sha256_of(std::string_view bytes);

}  // namespace grapnel
