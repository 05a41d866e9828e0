#pragma once

#include <unistd.h>

#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "record/chain.h"

namespace grapnel {

/// `records.head`, which is both the lock of a directory's chain and the note of its last record. The file stays open,
/// so that it need not be opened for every record. Thread: one at a time.
class HeadFile {
 public:
  explicit HeadFile(std::string path) : path_(std::move(path)) {}

  /// Takes the chain's lock. Returns false if another process holds it for longer than a decision may wait.
  bool lock();
  void unlock();
  /// Unlocks and closes the file, because another one may have taken its place.
  void close();

  /// The content; nullopt while the file is not locked.
  std::optional<ChainHead> read() const;
  /// Failing to write is harmless: the head is then older than the chain, and the next writer searches for the last
  /// record.
  void write(const ChainHead& head) const;

 private:
  /// Whether the open file still has a name on the disk.
  bool is_in_place() const;

  std::string path_;
  UniqueFd file_;
  pid_t opened_by_ = 0;  ///< a forked child must open the file itself
  bool is_locked_ = false;
};

}  // namespace grapnel
