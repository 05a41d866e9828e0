#include "record/head_file.h"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include <sys/stat.h>

#include "os/files.h"
#include "os/lock.h"

namespace grapnel {

namespace {

/// A decision waits for its record, but not longer than this.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

/// If the file was removed, other processes lock a new file of the same name, and this lock protects nothing.
bool HeadFile::is_in_place() const {
  struct stat st;
  return ::fstat(file_.get(), &st) == 0 && st.st_nlink > 0;
}

bool HeadFile::lock() {
  const pid_t self = ::getpid();
  if (opened_by_ != self) file_.reset();  // a lock belongs to the open file, so a forked child shares it
  // The usual case: the file is still open from the last record. It is checked after locking, because it may be removed
  // while this process waits for the lock.
  if (file_) {
    is_locked_ = os::lock(file_.get(), kPatience).has_value();
    if (is_in_place()) return is_locked_;
    close();
  }
  auto file = os::lock_file(path_, kPatience);
  if (!file) return false;
  file_ = std::move(*file);
  ::fcntl(file_.get(), F_SETFL, O_NOATIME);  // reading it must not cause a write of the access time
  opened_by_ = self;
  return is_locked_ = true;
}

/// The file stays open for the next record.
void HeadFile::unlock() {
  if (is_locked_) os::unlock(file_.get());
  is_locked_ = false;
}

void HeadFile::close() {
  unlock();
  file_.reset();
}

std::optional<ChainHead> HeadFile::read() const {
  if (!is_locked_) return std::nullopt;
  std::array<char, 128> buffer{};
  const ssize_t count = ::pread(file_.get(), buffer.data(), buffer.size(), 0);
  return ChainHead::parse({buffer.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))});
}

void HeadFile::write(const ChainHead& head) const {
  if (!is_locked_) return;
  const std::string text = head.to_text();
  static_cast<void>(::pwrite(file_.get(), text.data(), text.size(), 0));
}

}  // namespace grapnel
