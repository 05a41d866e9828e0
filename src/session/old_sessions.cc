#include "session/old_sessions.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "os/files.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostSeen = 20000;
constexpr size_t kMostRemoved = 1000;
constexpr size_t kNameSize = 32;  // both kinds of names are the beginning of a digest

bool is_digest(std::string_view name) {
  return name.size() == kNameSize && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Whether nothing has changed for so long. What cannot be looked at is not old.
bool is_old(const std::string& path, std::chrono::system_clock::time_point now) {
  const auto stamp = os::stamp(path);
  return stamp && std::chrono::nanoseconds(stamp->mtime_ns) + kSessionKept < now.time_since_epoch();
}

/// A session may go on at this very moment, so its lock is taken, and its age is looked at once more.
bool forget_session(const std::string& path, std::chrono::system_clock::time_point now) {
  const auto lock = os::lock_file(path + ".lock", std::chrono::milliseconds(0));
  if (!lock || !is_old(path, now)) return false;
  for (const char* part : {"", ".approved", ".lock"}) ::unlink((path + part).c_str());
  return true;
}

/// Calls `remove` for the old ones among the entries whose names end so, behind a digest.
template <typename Remove>
size_t remove_old(const std::string& directory, std::string_view suffix, std::chrono::system_clock::time_point now,
                  Remove remove) {
  size_t seen = 0, removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    if (++seen > kMostSeen || removed >= kMostRemoved) break;
    const std::string name = entry->path().filename();
    if (!name.ends_with(suffix) || !is_digest(std::string_view(name).substr(0, name.size() - suffix.size()))) continue;
    if (is_old(entry->path(), now) && remove(entry->path().string())) ++removed;
  }
  return removed;
}

}  // namespace

size_t forget_old_sessions(const std::string& sessions, const std::string& texts,
                           std::chrono::system_clock::time_point now) {
  const size_t forgotten =
      remove_old(sessions, ".json", now, [&](const std::string& path) { return forget_session(path, now); });
  return forgotten + remove_old(texts, "", now, [](const std::string& path) {
           std::error_code error;
           fs::remove_all(path, error);
           return !error;
         });
}

}  // namespace grapnel
