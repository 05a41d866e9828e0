#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "os/calls.h"
#include "run/child_sandbox.h"
#include "run/process.h"

namespace grapnel {

/// What a sandbox lets a hook have only so much of, and no kernel counts for us: processes at the same time, and what
/// its private directory holds. We look from time to time; looking never takes more than a twentieth of the time.
///
/// Files that are deleted and still open count as well. Thread: one at a time.
class Overuse {
 public:
  Overuse() = default;  ///< nothing is limited
  explicit Overuse(std::shared_ptr<const ChildSandbox> sandbox);

  /// When to look next.
  Deadline due() const { return due_; }
  /// What there is too much of, for people; "" if all is well.
  std::string look(const Process& process, const os::Calls& calls);
  /// Whether processes are limited: when nobody looks any more, none may be left.
  bool limits_processes() const { return sandbox_ && sandbox_->processes > 0; }

 private:
  bool is_directory_too_full(const Process& process, const os::Calls& calls) const;

  std::shared_ptr<const ChildSandbox> sandbox_;
  Deadline due_ = Deadline::max();
  Deadline measure_due_ = Deadline::max();
};

}  // namespace grapnel
