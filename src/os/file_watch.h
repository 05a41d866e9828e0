#pragma once

#include <string>
#include <vector>

#include "base/unique_fd.h"

/// Whether files may have changed, or paths may lead to others by now, told by the kernel.
///
/// For files that are there. Every step of a path (directories, links, the file) tells of itself alone: that it was
/// moved, removed, written to, given other rights. So it is quick to begin with and stays quiet whatever else happens
/// in the directories on the way, where `PathWatch`, which also knows of files that appear, has to hear of everything
/// in them. A step is watched before it is looked at, so nothing falls in between; mounts, which hide what was
/// watched, are told by a descriptor of their own.
///
/// What was done before the descriptors are asked is known by then, on local disks; files on others cannot be watched.
/// A write through a mapping is told when it is unmapped. Thread: one at a time.
namespace grapnel::os {

class FileWatch {
 public:
  /// False when the kernel has no such watches for us, or no descriptors are left. To be called first.
  bool open();

  /// From now on these files, instead of others before. False when one of them cannot be watched.
  bool watch(const std::vector<std::string>& files);

  /// Readable: something may have happened since. The files have to be watched anew.
  int events_fd() const { return events_.get(); }
  /// Has POLLPRI, to the first who asks: likewise.
  int mounts_fd() const { return mounts_.get(); }

 private:
  bool follow(std::string path) const;
  bool watch_step(const std::string& path) const;
  void forget() const;

  UniqueFd events_;
  UniqueFd mounts_;
};

}  // namespace grapnel::os
