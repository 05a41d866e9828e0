#include "engine/source_watch.h"

#include <algorithm>
#include <set>

#include <sys/stat.h>

namespace grapnel {

namespace {

constexpr std::chrono::milliseconds kClockTick{20};
constexpr std::chrono::seconds kFullLookEvery{1};

/// Whether the file may have changed again after `time` without a visible change of its time stamp.
bool is_younger(const std::optional<os::FileStamp>& stamp, std::chrono::nanoseconds time) {
  return stamp && std::chrono::nanoseconds(stamp->ctime_ns) + kClockTick > time;
}

std::chrono::nanoseconds time_now() {
  return std::chrono::system_clock::now().time_since_epoch();
}

/// Called for a path at which `stat` finds nothing: if `lstat` finds something, it is a link to nowhere.
bool is_dangling_link(const std::string& path) {
  struct stat st;
  return ::lstat(path.c_str(), &st) == 0;
}

/// The place that changes when something appears at a path where nothing exists: the nearest directory above it that
/// exists. If a link on the way points to nowhere, it is the path itself, because the target may appear anywhere.
std::string place_that_tells(const std::string& path) {
  for (std::string missing = path;;) {
    const size_t slash = missing.rfind('/');
    if (slash == std::string::npos || is_dangling_link(missing)) return path;
    std::string parent = missing.substr(0, std::max<size_t>(slash, 1));
    if (os::stamp(parent)) return parent;
    if (parent == missing) return path;
    missing = std::move(parent);
  }
}

/// All paths that the registry depends on: hook files and listed directories, and the files of single hooks.
std::vector<std::string> paths_of(const Sources& sources) {
  std::vector<std::string> paths;
  for (const auto& [path, stamp] : sources.stamps) paths.push_back(path);
  for (const auto& [file, stamps] : sources.of_hooks) {
    for (const auto& [path, stamp] : stamps) paths.push_back(path);
  }
  return paths;
}

}  // namespace

SourceWatch::Stamps SourceWatch::telling_places(const std::vector<std::string>& paths) {
  std::set<std::string> places;
  for (const std::string& path : paths) places.insert(os::stamp(path) ? path : place_that_tells(path));
  Stamps out;
  for (const std::string& place : places) out.emplace_back(place, os::stamp(place));
  return out;
}

void SourceWatch::note(const Sources& sources, std::chrono::nanoseconds before) {
  is_young_ = std::ranges::any_of(sources.stamps, [&](const auto& file) { return is_younger(file.second, before); });
  good_until_ = sources.good_until;
  next_full_look_ = {};
  is_watched_ = false;
}

/// Sets up the watch first and checks all places afterwards. A change in between is then reported the next time.
void SourceWatch::look_at_all(const Sources& sources) {
  const auto before = time_now();
  const std::vector<std::string> paths = paths_of(sources);
  is_watched_ = watch_.watch(paths);
  telling_ = is_watched_ ? Stamps{} : telling_places(paths);
  is_young_ = sources.have_changed();
  // A young telling place may change again unnoticed. Then the cheap check is not used yet, and the next call looks
  // again.
  const bool is_settled =
      std::ranges::none_of(telling_, [&](const auto& place) { return is_younger(place.second, before); });
  next_full_look_ = is_settled ? SteadyClock::now() + kFullLookEvery : Deadline{};
}

/// The cheap check, levels 1 and 2.
bool SourceWatch::looks_unchanged() {
  if (is_watched_) return !watch_.has_news();
  return SteadyClock::now() < next_full_look_ &&
         std::ranges::all_of(telling_, [](const auto& place) { return os::stamp(place.first) == place.second; });
}

bool SourceWatch::have_changed(const Sources& sources) {
  // A hook that was disabled for a limited time is enabled again at `good_until_`, without a change of any file.
  if (is_young_ || (good_until_ && time_now() >= std::chrono::seconds(*good_until_))) return true;
  if (!looks_unchanged()) look_at_all(sources);
  return is_young_;
}

}  // namespace grapnel
