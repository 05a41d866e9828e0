#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.h"

/// Whether something may have happened at any of a set of paths, told by the kernel instead of by looking at them.
///
/// Of each path every step is watched: the directory it starts from for the first name, the directory behind that name
/// for the second, and so on through links; at its end what is there, and before that the directory in which the next
/// name would have to appear. A directory is watched before its entry is looked at, so nothing falls in between. Names
/// that no path goes through are passed over, so that a path below a busy directory stays quiet. Mounts, which hide
/// what was watched, count as news.
///
/// The kernel queues an event before the call that caused it comes back: what was done before `has_news` is asked is
/// known by then. That holds on local disks; paths on others cannot be watched. A write through a mapping is told when
/// it is unmapped. Thread: one at a time.
namespace grapnel::os {

class PathWatch {
 public:
  /// From now on these paths, instead of others before. False when one of them cannot be watched: then they have to be
  /// looked at. To be called again on the same object: the kernel takes tens of milliseconds to close one.
  bool watch(const std::vector<std::string>& paths);

  /// Whether anything may have changed since; after a yes they have to be watched anew.
  bool has_news();

 private:
  /// What of the events at one place is meant.
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
