#pragma once

#include <unistd.h>

#include <utility>

namespace grapnel {

/// Owns one file descriptor and closes it at the end. Empty if it holds -1. It can be moved but not copied.
class UniqueFd {
 public:
  UniqueFd() = default;
  /// Takes over a descriptor; -1, the result of a failed call, makes an empty one.
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Gives the descriptor away without closing it.
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace grapnel
