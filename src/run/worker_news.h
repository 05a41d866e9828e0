#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "os/file_watch.h"

namespace grapnel {

/// Whether anything may have happened to a pool's workers: one quick question to the kernel in place of a look at every
/// file they are made of, and at their processes.
///
/// The answer is a mark, which stays the same as long as nothing has happened. What was found under a mark holds under
/// the same. It changes with an exit, with anything on the way to one of the files, and when it is doubted, for what
/// the kernel is late to tell: a write through a mapping. Thread: one at a time.
class WorkerNews {
 public:
  /// Means that nothing is known, and everything has to be looked at.
  static constexpr uint64_t kNone = 0;

  uint64_t mark();
  /// What was found is to be looked at again. To be called now and then.
  void doubt() { ++mark_; }

  /// To be called before anything is watched. False when there are no descriptors left.
  bool open();
  /// Watches the exit of a process until its descriptor is closed. False when it cannot be watched.
  bool watch_exit(int pidfd) const;
  /// From now on these files, instead of others before, and under a new mark; none where files cannot be watched.
  void watch(const std::vector<std::string>& files);

 private:
  enum class Source : uint32_t { Files, Exit };

  bool add(int fd, uint32_t events, Source source) const;
  void take_news();

  os::FileWatch files_;
  UniqueFd ready_;
  uint64_t mark_ = kNone;
  bool is_watching_ = false;
};

}  // namespace grapnel
