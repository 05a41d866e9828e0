#pragma once

#include <memory>

#include "os/calls.h"

/// Cancelling work from outside.
///
/// A `CancelSource` belongs to the code that may give up, and its tokens to the code that does the work. Cancelling is
/// final. Work that sleeps in poll also waits for `poll_fd()`, which becomes readable on cancel and stays so. The
/// descriptor is made when somebody first asks for it and is shared by all tokens, so a token that nobody waits on
/// costs none.
namespace grapnel::os {

class CancelState;

/// The receiving side; cheap to copy. A default-constructed token is never cancelled. Thread: any.
class CancelToken {
 public:
  CancelToken() = default;

  bool can_cancel() const { return state_ != nullptr; }
  bool cancelled() const;

  /// Readable once cancelled. -1 if that can never happen, and also if the system has no descriptor left; a token that
  /// `can_cancel()` must then be asked from time to time. Owned by the source and its tokens.
  int poll_fd(const Calls& calls = real_calls()) const;

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<CancelState> state) : state_(std::move(state)) {}

  std::shared_ptr<CancelState> state_;
};

/// The deciding side. Thread: any.
class CancelSource {
 public:
  CancelSource();

  CancelToken token() const { return CancelToken(state_); }
  /// Cancels everything that runs under its tokens; further calls do nothing. Safe in a signal handler.
  void cancel() const;
  bool cancelled() const;

 private:
  std::shared_ptr<CancelState> state_;
};

}  // namespace grapnel::os
