#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.h"

/// Learns from the kernel whether something may have changed at any of a set of paths, instead of checking each of
/// them.
///
/// Every step of a path is watched: the directory in which it starts for the first name, the directory of that name for
/// the second, and so on, through links. At the end of the path the file itself is watched or, if it does not exist,
/// the directory in which the next name would have to appear. A directory is watched before its entry is inspected, so
/// no change can fall in between. Events about other names are ignored, so a path below a busy directory causes no
/// false alarms. Mounts can hide what was watched, so they count as a change.
///
/// The kernel queues an event before the call that caused it returns. So everything that was done before `has_news` is
/// called is known by then. This is only true on local disks; paths on other file systems cannot be watched. A write
/// through a memory mapping is reported when it is unmapped. Thread: one at a time.
namespace grapnel::os {

class PathWatch {
 public:
  /// Watches these paths from now on, instead of the previous ones. False if one of them cannot be watched; the caller
  /// must then check the files itself. Reuse the same object: closing one takes the kernel tens of milliseconds.
  bool watch(const std::vector<std::string>& paths);

  /// Whether anything may have changed since `watch`. After a yes, `watch` must be called again.
  bool has_news();

 private:
  /// Which events of one watched file or directory matter: all of them, or those about some names.
  struct Interest {
    bool in_all = false;
    std::set<std::string, std::less<>> names;
  };
  using Interests = std::map<int, Interest>;  ///< by watch descriptor
  friend class PathFollower;
  bool is_open();
  bool is_news(const char* events, size_t size) const;
  bool has_queued_news();
  void drain();

  UniqueFd events_;
  UniqueFd mounts_;
  Interests interests_;
};

}  // namespace grapnel::os
