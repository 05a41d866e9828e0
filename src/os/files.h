#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/error.h"
#include "base/unique_fd.h"

/// Reading and writing files of users. Reads have a limit; writes are done so that a reader sees either the old or the
/// new content and nothing in between.
///
/// A path may name anything by the time it is opened: a FIFO on which an open would hang, a device, a link that
/// somebody put there. So files are opened without blocking and must then turn out to be regular, and writes never go
/// through links unless a function says so. Everything here is stateless. Thread: any.
namespace grapnel::os {

/// The whole content of a regular file. Fails: NotFound; Refused if it is no regular file; LimitExceeded; System.
Result<std::string> read_file(const std::string& path, size_t max_bytes);

/// Whether a write must survive a power failure.
enum class Durability : uint8_t { Lazy, Synced };

/// Replaces a file in one step, by renaming a temporary file from the same directory. The mode is exactly `mode`,
/// whatever the umask is. Fails: Refused if the path is something other than a regular file, also if it is a link;
/// System.
Result<void> write_file_atomic(const std::string& path, std::string_view content, mode_t mode,
                               Durability durability = Durability::Lazy);

/// Replaces the content of a file that belongs to a person. Links are followed, and the file keeps its mode and owner.
/// Fails: NotFound; Refused if it is no regular file or is read-only; System.
Result<void> rewrite_file(const std::string& path, std::string_view content, Durability durability = Durability::Lazy);

/// Makes a directory and its parents. Directories that exist stay as they are. Fails: System.
Result<void> make_dirs(const std::string& path, mode_t mode);

/// Makes the directory that contains `path`, as `make_dirs` does.
Result<void> make_parent_dirs(const std::string& path, mode_t mode);

/// Opens a regular file for appending, creating it. Fails: Refused, System.
Result<UniqueFd> open_append(const std::string& path, mode_t mode);

/// Appends to a regular file, and creates it if necessary. Fails: Refused, System.
Result<void> append_file(const std::string& path, std::string_view content, mode_t mode);

/// A new file that only its owner may read, called `prefix` and a few letters. The destructor removes it unless it was
/// renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& prefix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  bool is_open() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }
  bool rename_to(const std::string& target);

 private:
  std::string path_;
  UniqueFd fd_;
  bool placed_ = false;
};

/// Takes the exclusive lock of a lock file, which is created if necessary (mode 0600). Closing the descriptor releases
/// the lock. Fails: System, with EWOULDBLOCK if another process held the lock for all of `timeout`; Refused.
Result<UniqueFd> lock_file(const std::string& path, std::chrono::milliseconds timeout);

/// Distinguishes the states of a file without reading it.
struct FileStamp {
  dev_t dev = 0;
  ino_t ino = 0;
  off_t size = 0;
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

/// The stamp of the file at `path` (links are followed), or nothing if there is none.
std::optional<FileStamp> stamp(const std::string& path);

}  // namespace grapnel::os
