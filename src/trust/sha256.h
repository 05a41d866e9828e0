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

}  // namespace grapnel
