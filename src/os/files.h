#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/error.h"
#include "base/unique_fd.h"

/// Files of users: read with a limit, written so that a reader sees the old or the new content and nothing else.
///
/// A path may name anything when we come to open it: a FIFO that would hang us, a device, a link somebody put there.
/// So files are opened non-blocking and must then turn out to be regular; the ones we write are never links.
/// All of this is stateless; Thread: any.
namespace grapnel::os {

/// The whole content of a regular file. Fails: NotFound, Refused when it is no regular file, LimitExceeded, System.
Result<std::string> read_file(const std::string& path, size_t max_bytes);

/// Whether a write has to survive a power failure.
enum class Durability : uint8_t { Lazy, Synced };

/// Replaces a file in one step, through a temporary file beside it. `mode` is exact, whatever the umask.
/// Fails: Refused when something other than a regular file is there (a link too), System.
Result<void> write_file_atomic(const std::string& path, std::string_view content, mode_t mode,
                               Durability durability = Durability::Lazy);

/// Replaces the content of somebody's file in one step: through links, whose target it is that changes, and with the
/// mode and owner it has. Fails: NotFound; Refused when it is no regular file or nobody may write it; System.
Result<void> rewrite_file(const std::string& path, std::string_view content, Durability durability = Durability::Lazy);

/// Makes a directory and its parents; one that exists stays as it is. Fails: System.
Result<void> make_dirs(const std::string& path, mode_t mode);

/// Makes the directory a file is to be in, as `make_dirs` does.
Result<void> make_parent_dirs(const std::string& path, mode_t mode);

/// Opens a regular file for appending, creating it. Fails: Refused, System.
Result<UniqueFd> open_append(const std::string& path, mode_t mode);

/// Writes behind what is in a regular file, creating it. Fails: Refused, System.
Result<void> append_file(const std::string& path, std::string_view content, mode_t mode);

/// A new file for its owner alone, called `prefix` and a few letters; it goes with its scope unless it was renamed.
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

/// Takes the exclusive lock of a lock file, creating it (mode 0600). Closing the descriptor gives the lock back.
/// Fails: System, with EWOULDBLOCK when somebody else held it for all of `timeout`; Refused.
Result<UniqueFd> lock_file(const std::string& path, std::chrono::milliseconds timeout);

/// Tells one state of a file from another without reading it.
struct FileStamp {
  dev_t dev = 0;
  ino_t ino = 0;
  off_t size = 0;
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

/// The stamp of what is at `path` now (links followed), or nothing when there is nothing.
std::optional<FileStamp> stamp(const std::string& path);

}  // namespace grapnel::os
