#pragma once

#include <memory>
#include <string>

namespace grapnel {

/// A directory that only one hook has, for as long as it runs. It is removed with everything in it. Thread: any.
class PrivateDir {
 public:
  /// Below `base`. Null if it cannot be made; `errno` says why.
  static std::shared_ptr<const PrivateDir> make(const std::string& base);
  PrivateDir(const PrivateDir&) = delete;
  PrivateDir& operator=(const PrivateDir&) = delete;
  ~PrivateDir();

  const std::string& path() const { return path_; }

 private:
  explicit PrivateDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace grapnel
