#pragma once

#include "base/unique_fd.h"

namespace grapnel::cli {

/// Sees to it that no process outlives a killed agent: hooks and tools run in groups of their own, which a SIGKILL of
/// the agent does not reach.
///
/// A small process of a session of its own waits for the end of the agent, whatever it is, and then kills everything
/// that carries the agent's mark in its environment (`kGuardVariable`), however deep below it was started.
class Guard {
 public:
  /// To be called before the first thread and the first child. A machine that has no room for one more process has no
  /// guard.
  static Guard start();

 private:
  explicit Guard(UniqueFd alive) : alive_(std::move(alive)) {}

  UniqueFd alive_;  ///< closed by the kernel at the agent's end, which the guard reads as end of file
};

}  // namespace grapnel::cli
