#include "os/path_watch.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <sys/inotify.h>
#include <sys/stat.h>

#include "os/path_steps.h"

namespace grapnel::os {

namespace {

// What can happen to the entries of a directory, to a watched thing itself, and to the content of a file.
constexpr uint32_t kInDirectory = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr uint32_t kAtItself = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr uint32_t kInFile = IN_MODIFY | IN_CLOSE_WRITE;
constexpr size_t kMaxWatches = 8192;
/// If more bytes of events than this are queued, that counts as a change: reading on would take longer than checking
/// the files.
constexpr size_t kMaxQueued = size_t{64} << 10;

}  // namespace

/// Follows paths and adds a watch at every step. Paths usually share their first directories, so each is watched once.
class PathFollower {
 public:
  explicit PathFollower(int events) : events_(events) {}
  /// False if something on the way cannot be watched.
  bool follow(std::string path);
  PathWatch::Interests& found() { return found_; }

 private:
  PathWatch::Interest* interest_in(const std::string& path, uint32_t events);
  bool watch_file(const std::string& path);

  int events_;
  PathWatch::Interests found_;
  std::map<std::string, PathWatch::Interest*> known_;
};

/// The interest of the watch at `path`, which is added if it is new; null if that is not possible.
PathWatch::Interest* PathFollower::interest_in(const std::string& path, uint32_t events) {
  const auto [known, is_new] = known_.try_emplace(path);
  if (!is_new) return known->second;
  if (known_.size() > kMaxWatches || !is_local(path)) return nullptr;
  const int watch = ::inotify_add_watch(events_, path.c_str(), events | kAtItself | IN_DONT_FOLLOW);
  if (watch >= 0) known->second = &found_[watch];
  return known->second;
}

/// Follows one path name by name. It ends at the file, or at the first name that does not exist.
bool PathFollower::follow(std::string path) {
  if (!path.starts_with('/')) return false;
  std::string at = "/";
  for (int links = 0; links <= kMaxLinks;) {
    PathWatch::Interest* here = interest_in(at, kInDirectory | IN_ONLYDIR);
    if (here == nullptr) return false;
    const std::string name = take_name(path);
    if (name.empty()) return here->in_all = true;
    const std::string next = step_from(at, name);
    if (name == ".." || name == ".") {
      at = next;
      continue;
    }
    // Watched before it is inspected, so that no change falls in between.
    here->names.insert(name);
    struct stat st;
    if (::lstat(next.c_str(), &st) != 0) return errno == ENOENT;
    if (S_ISDIR(st.st_mode)) {
      at = next;
    } else if (S_ISLNK(st.st_mode)) {
      follow_link(next, at, path);
      ++links;
    } else {
      // A file in the middle of a path: nothing can exist behind it, and its replacement is reported by the directory.
      return !path.empty() || watch_file(next);
    }
  }
  return true;
}

bool PathFollower::watch_file(const std::string& path) {
  PathWatch::Interest* file = interest_in(path, kInFile);
  if (file != nullptr) file->in_all = true;
  return file != nullptr;
}

/// Polling /proc/self/mountinfo reports changes to the mounts.
bool PathWatch::is_open() {
  if (!mounts_) mounts_ = UniqueFd(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!events_) events_ = UniqueFd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  return mounts_ && events_;
}

bool PathWatch::watch(const std::vector<std::string>& paths) {
  if (!is_open()) return false;
  drain();
  PathFollower follower(events_.get());
  const bool are_watched = std::ranges::all_of(paths, [&](const std::string& path) { return follower.follow(path); });
  interests_.swap(follower.found());
  // After the swap, `found` has the previous watches. Adding a watch for the same file returns the same number, so only
  // those that are no longer needed are removed.
  for (const auto& [watch, interest] : follower.found()) {
    if (!interests_.contains(watch)) ::inotify_rm_watch(events_.get(), watch);
  }
  return are_watched;
}

bool PathWatch::has_news() {
  std::array<pollfd, 2> both{{{events_.get(), POLLIN, 0}, {mounts_.get(), POLLPRI, 0}}};
  if (::poll(both.data(), both.size(), 0) == 0) return false;
  return both[1].revents != 0 || has_queued_news();
}

/// An overflow means that events were lost, so anything may have happened.
bool PathWatch::is_news(const char* events, size_t size) const {
  for (const char* at = events; at < events + size;) {
    const auto& event = *reinterpret_cast<const inotify_event*>(at);
    if ((event.mask & IN_Q_OVERFLOW) != 0) return true;
    at += sizeof event + event.len;
    const auto found = interests_.find(event.wd);
    if (found == interests_.end()) continue;  // a watch that was removed
    const Interest& meant = found->second;
    if (event.len == 0 || meant.in_all || meant.names.contains(std::string_view(event.name))) return true;
  }
  return false;
}

bool PathWatch::has_queued_news() {
  alignas(inotify_event) std::array<char, 4096> events;
  for (size_t total = 0; total < kMaxQueued;) {
    const ssize_t size = ::read(events_.get(), events.data(), events.size());
    if (size < 0 && errno == EAGAIN) return false;
    if (size <= 0 || is_news(events.data(), static_cast<size_t>(size))) return true;
    total += static_cast<size_t>(size);
  }
  return true;
}

/// Old events belong to the previous watches.
void PathWatch::drain() {
  std::vector<char> events(kMaxQueued);
  while (::read(events_.get(), events.data(), events.size()) > 0) {
  }
}

}  // namespace grapnel::os
