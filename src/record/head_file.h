#pragma once

#include <unistd.h>

#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "record/chain.h"

namespace grapnel {

/// `records.head`: the lock of a directory's chain, and its last record. It stays open from one record to the next.
/// Thread: one at a time.
class HeadFile {
 public:
  explicit HeadFile(std::string path) : path_(std::move(path)) {}

  /// Takes the chain's lock. False when somebody else has it for longer than a decision may wait.
  bool lock();
  void unlock();
  /// Closes it, since it may no longer be the one in its place.
  void close();

  /// What it says, while it is locked.
  std::optional<ChainHead> read() const;
  /// A head that is not written is older than the chain, and the next writer looks for itself.
  void write(const ChainHead& head) const;

 private:
  bool is_in_place() const;

  std::string path_;
  UniqueFd file_;
  pid_t opened_by_ = 0;
  bool is_locked_ = false;
};

}  // namespace grapnel
