#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <set>

#include <sys/stat.h>

#include "grapnel/record.h"

#include "base/error.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "mask/mask.h"
#include "os/files.h"
#include "record/chain.h"
#include "record/head_file.h"
#include "record/lost_records.h"
#include "record/stored_record.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

/// How much of the file is searched for the last record if the head does not name it.
constexpr size_t kTailSize = size_t{1} << 20;

/// The last part of a file. Its first line may be incomplete.
std::string tail_of(const std::string& path, size_t size) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) return "";
  std::string tail(std::min(size, kTailSize), '\0');
  const ssize_t count = ::pread(file.get(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
  tail.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return tail;
}

/// Appends records to `records.jsonl`. Each line is one `write` on an append-only descriptor, so lines of several
/// processes never mix. The steps of `append`:
///
///  1. Lock the head (head_file.h). Without the lock, go on anyway: a record with a fork in the chain is better than
///     none.
///  2. Open the file, unless it is still the same one.
///  3. Find the hash of the last record, from the head if it fits the file's size.
///  4. Write the line and then the new head.
class FileRecordSink final : public RecordSink {
 public:
  FileRecordSink(std::string directory, const RecordFileOptions& options)
      : directory_(std::move(directory)),
        path_(directory_ + std::string(kRecordFile)),
        mask_(options.secrets),
        payloads_(options.payloads),
        head_(directory_ + std::string(kHeadFile)),
        lost_(directory_, options.fallback_dir) {}

  void record(const Record& record) noexcept override {
    const std::lock_guard lock(mutex_);
    const std::string text = record_text(fit_for_storage(record, mask_, payloads_), lost_.unnoted());
    // A lost record must not change the decision. It is noted, and the file is opened again the next time.
    if (const auto done = append(text, !record.jobs.empty()); !done) {
      failure_ = done.error().message;
      lost_.note(record.time, failure_);
      file_.reset();
    } else {
      failure_.clear();
      lost_.told();
    }
  }

  std::string last_failure() const noexcept override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  bool has_snapshot(const std::string& digest) noexcept override {
    const std::lock_guard lock(mutex_);
    if (written_.contains(digest)) return true;
    if (!os::stamp(snapshot_path(digest))) return false;
    written_.insert(digest);
    return true;
  }

  void snapshot(const std::string& digest, const Json& registry) noexcept override {
    if (has_snapshot(digest)) return;
    const std::lock_guard lock(mutex_);
    if (!os::make_dirs(directory_ + "/registries", 0700)) return;
    if (os::write_file_atomic(snapshot_path(digest), mask_.apply(registry).dump() + "\n", 0600)) {
      written_.insert(digest);
    }
  }

 private:
  std::string snapshot_path(const std::string& digest) const { return directory_ + "/registries/" + digest + ".json"; }

  Result<void> append(std::string_view object, bool is_promise) {
    // The first record of all has to create the directory.
    if (!head_.lock() && !os::stamp(directory_)) {
      if (auto made = os::make_dirs(directory_, 0700); !made) return made;
      head_.lock();
    }
    const auto size = open();
    const Result<void> done = size ? append_locked(object, *size) : std::unexpected(size.error());
    head_.unlock();
    // Other records may be lost with the machine's power. A job is promised.
    return done && is_promise ? reach_disk(*size == 0) : done;
  }

  Result<void> reach_disk(bool is_new) const {
    if (::fdatasync(file_.get()) != 0) return fail_errno("cannot write " + path_ + " to the disk");
    if (!is_new) return {};
    const UniqueFd directory(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory || ::fsync(directory.get()) != 0) return fail_errno("cannot write " + directory_ + " to the disk");
    return {};
  }

  Result<void> append_locked(std::string_view object, size_t size) {
    std::string tail = "\n";
    const std::string prev = find_last(head_.read(), size, tail);
    // If the last writer could not finish its line, this one starts a new line.
    const std::string line = (size > 0 && !tail.ends_with('\n') ? "\n" : "") + chained_line(object, prev);
    // If the disk is full, part of a line may remain. The next writer then starts a new line.
    const ssize_t written = ::write(file_.get(), line.data(), line.size());
    if (written < 0) return fail_errno("cannot write to " + path_);
    if (written != static_cast<ssize_t>(line.size()))
      return fail(Errc::System, path_ + ": only part of the record could be written");
    head_.write({std::string(hash_in(line)), size + line.size()});
    return {};
  }

  /// The hash of the record to continue from. `tail` becomes the end of the file if it had to be read. If the file is
  /// shorter than the head says, it was cut. Then the chain continues from the head's record, so that verifying the
  /// chain shows the gap.
  std::string find_last(const std::optional<ChainHead>& head, size_t size, std::string& tail) const {
    if (head && size == head->size) return head->hash;
    if (size > 0) tail = tail_of(path_, size);
    if (head && size < head->size) return head->hash;
    std::string found = last_hash(tail);
    return found.empty() && head ? head->hash : found;
  }

  /// Opens the file if necessary and returns its size. The file may have been renamed by a reader since the last
  /// record, or somebody may have replaced the whole directory. In both cases the head may be another file, too.
  Result<size_t> open() {
    struct stat st;
    const bool is_current = file_ && ::stat(path_.c_str(), &st) == 0 && st.st_ino == inode_ && st.st_dev == device_;
    if (is_current) return static_cast<size_t>(st.st_size);
    if (file_) {
      head_.close();
      head_.lock();
    }
    if (auto safe = check_private_directory(path_); !safe) return std::unexpected(safe.error());
    auto file = os::open_append(path_, 0600);
    if (!file) return std::unexpected(file.error());
    file_ = std::move(*file);
    if (::fstat(file_.get(), &st) != 0) return fail_errno("cannot read the size of " + path_);
    inode_ = st.st_ino;
    device_ = st.st_dev;
    return static_cast<size_t>(st.st_size);
  }

  std::string directory_;
  std::string path_;
  Mask mask_;
  KeepPayloads payloads_;
  mutable std::mutex mutex_;
  HeadFile head_;
  UniqueFd file_;
  ino_t inode_ = 0;
  dev_t device_ = 0;
  LostRecords lost_;
  std::string failure_;
  std::set<std::string> written_;
};

}  // namespace

std::unique_ptr<RecordSink> make_file_record_sink(std::string directory, RecordFileOptions options) {
  return std::make_unique<FileRecordSink>(std::move(directory), options);
}

}  // namespace grapnel
