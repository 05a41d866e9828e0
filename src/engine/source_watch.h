#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "discover/discover.h"
#include "os/files.h"
#include "os/path_watch.h"

namespace grapnel {

/// Whether the files a registry was read from are as they were, for a host that asks before every event.
///
/// Where the kernel tells of changes (os/path_watch.h), one question to it is enough, and all places are looked at only
/// when it says that something happened at one. Elsewhere, as on network disks, places are looked at. Most of those
/// where hooks may be have no file: instead of each of them the directory is looked at in which something would have to
/// appear first. Only when one of these changed are all places looked at, and also once in a second, for file systems
/// that do not keep the times of directories.
///
/// Times cannot tell two changes within a tick of the clock apart; what was as new as that when it was looked at counts
/// as changed the next time. Thread: one at a time.
class SourceWatch {
 public:
  /// These are the sources from now on, read after `before`, time since the epoch. Looks at nothing yet.
  void note(const Sources& sources, std::chrono::nanoseconds before);
  /// Whether these sources, the ones noted, have to be read again.
  bool have_changed(const Sources& sources);

 private:
  using Stamps = std::vector<std::pair<std::string, std::optional<os::FileStamp>>>;
  static Stamps telling_places(const std::vector<std::string>& paths);
  bool looks_unchanged();
  void look_at_all(const Sources& sources);

  os::PathWatch watch_;
  bool is_watched_ = false;
  Stamps telling_;  ///< where nothing is watched
  bool is_young_ = false;
  std::optional<int64_t> good_until_;
  Deadline next_full_look_{};
};

}  // namespace grapnel
