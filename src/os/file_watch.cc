#include "os/file_watch.h"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include <sys/fanotify.h>
#include <sys/stat.h>

#include "os/path_steps.h"

namespace grapnel::os {

namespace {

constexpr uint64_t kOfItself = FAN_MODIFY | FAN_CLOSE_WRITE | FAN_ATTRIB | FAN_DELETE_SELF | FAN_MOVE_SELF | FAN_ONDIR;

}  // namespace

/// With file ids in place of descriptors: that is what a process without privileges may ask for.
bool FileWatch::open() {
  constexpr unsigned kMode = FAN_CLASS_NOTIF | FAN_REPORT_FID | FAN_CLOEXEC | FAN_NONBLOCK;
  if (!mounts_) mounts_ = UniqueFd(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!events_) events_ = UniqueFd(::fanotify_init(kMode, O_RDONLY));
  return mounts_ && events_;
}

bool FileWatch::watch(const std::vector<std::string>& files) {
  forget();
  return std::ranges::all_of(files, [this](const std::string& file) { return follow(file); });
}

void FileWatch::forget() const {
  ::fanotify_mark(events_.get(), FAN_MARK_FLUSH, 0, AT_FDCWD, nullptr);
  alignas(fanotify_event_metadata) std::array<char, 4096> events;
  while (::read(events_.get(), events.data(), events.size()) > 0) {
  }
}

bool FileWatch::watch_step(const std::string& path) const {
  constexpr unsigned kAdd = FAN_MARK_ADD | FAN_MARK_DONT_FOLLOW;
  return ::fanotify_mark(events_.get(), kAdd, kOfItself, AT_FDCWD, path.c_str()) == 0 && is_local(path);
}

bool FileWatch::follow(std::string path) const {
  if (!path.starts_with('/') || !watch_step("/")) return false;
  std::string at = "/";
  for (int links = 0; links <= kMaxLinks;) {
    const std::string name = take_name(path);
    if (name.empty()) return false;  // no file
    const std::string next = step_from(at, name);
    struct stat st;
    if (!watch_step(next) || ::lstat(next.c_str(), &st) != 0) return false;
    if (S_ISDIR(st.st_mode)) {
      at = next;
    } else if (S_ISLNK(st.st_mode)) {
      follow_link(next, at, path);
      ++links;
    } else {
      return path.empty() && S_ISREG(st.st_mode);
    }
  }
  return false;
}

}  // namespace grapnel::os
