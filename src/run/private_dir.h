#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace grapnel {

/// What a hook may have in its private directory at the same time; one file may not have more, either.
inline constexpr uint64_t kMostInPrivateDir = uint64_t{1} << 30;

/// The unit of `st_blocks`.
inline constexpr uint64_t kStatBlock = 512;

/// A directory that only one hook has, for as long as it runs. It is removed with everything in it, however deep it is
/// and whatever modes its directories have. Thread: any.
class PrivateDir {
 public:
  /// Below `base`. Null if it cannot be made; `errno` says why.
  static std::shared_ptr<const PrivateDir> make(const std::string& base);
  PrivateDir(const PrivateDir&) = delete;
  PrivateDir& operator=(const PrivateDir&) = delete;
  ~PrivateDir();

  const std::string& path() const { return path_; }
  /// What it takes of the disk. When it is more than `enough`, the rest is not looked at.
  uint64_t bytes(uint64_t enough) const;

 private:
  explicit PrivateDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace grapnel
