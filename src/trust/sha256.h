#pragma once

#include <string>
#include <string_view>

namespace grapnel {

/// SHA-256 as lower-case hex. The only place that sees libmd.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  /// Adds a length-prefixed part, so that ("ab","c") and ("a","bc") differ.
  Sha256& add(std::string_view part);
  std::string hex();

 private:
  void* context_;
};

/// The digest of exactly these bytes, for those who compare it with somebody else's.
std::string sha256_of(std::string_view bytes);

}  // namespace grapnel
