#pragma once

#include <memory>

#include "os/calls.h"

/// Giving a run up from outside.
///
/// A `CancelSource` belongs to whoever may give up, its tokens to whoever does the work. Cancelling is final. Work
/// that sleeps in poll waits for `poll_fd()`, which becomes readable on cancel and stays so; the descriptor is made
/// when first asked for and shared by all tokens, so a token nobody waits on costs none.
namespace grapnel::os {

class CancelState;

/// The receiving side; cheap to copy. One that was default-constructed never cancels. Thread: any.
class CancelToken {
 public:
  CancelToken() = default;

  bool can_cancel() const { return state_ != nullptr; }
  bool cancelled() const;

  /// Readable once cancelled. -1 when this can never be, and also when the system has no descriptor left: then a
  /// token that `can_cancel()` has to be asked from time to time. Owned by the token's source and its tokens.
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
  /// Gives up everything that runs under its tokens; again does nothing. Safe in a signal handler.
  void cancel() const;
  bool cancelled() const;

 private:
  std::shared_ptr<CancelState> state_;
};

}  // namespace grapnel::os
