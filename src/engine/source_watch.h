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

/// Detects whether the files that a registry was read from have changed. It is made for a host that checks before every
/// event, so the usual answer ("no") has to be cheap. There are three levels:
///
///  1. Where the kernel reports changes (os/path_watch.h), one system call is enough. All places are checked only after
///     it reported something.
///  2. Elsewhere, for example on network disks, a few *telling places* are checked. Most places where hooks may be have
///     no file. For each of those, the directory is checked in which something would have to appear first, and many
///     places share one directory.
///  3. If a telling place changed, and at least once a second, all places are checked. The second is for file systems
///     that do not update the times of directories.
///
/// A file's time cannot distinguish two changes within one clock tick. So a file that was younger than a tick when it
/// was read is *young* and counts as changed the next time. Thread: one at a time.
class SourceWatch {
 public:
  /// Sets the sources to watch. `before` is the time, since the epoch, at which reading them began. Checks nothing yet.
  void note(const Sources& sources, std::chrono::nanoseconds before);
  /// Whether the sources have to be read again. `sources` are the ones that were noted.
  bool have_changed(const Sources& sources);

 private:
  using Stamps = std::vector<std::pair<std::string, std::optional<os::FileStamp>>>;
  static Stamps telling_places(const std::vector<std::string>& paths);
  bool looks_unchanged();
  void look_at_all(const Sources& sources);

  os::PathWatch watch_;
  bool is_watched_ = false;
  Stamps telling_;         ///< the telling places; empty if the kernel watches
  bool is_young_ = false;  ///< the sources have to be read again
  std::optional<int64_t> good_until_;
  Deadline next_full_look_{};
};

}  // namespace grapnel
