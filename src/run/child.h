#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/error.h"
#include "model/run_outcome.h"
#include "os/calls.h"
#include "os/pipe.h"
#include "run/process.h"

/// One supervised child process: a passive state machine that never waits.
///
///     start ──▶ Running ── due ──▶ Terminating ── due ──▶ Killing
///       │          │ (or cancel)        │                  │  │ due: it cannot die, leave it
///       │          ├────── exit ────────┴────── exit ──────┤  │
///       │          ▼                                       ▼  ▼
///       └──▶ Draining ── both streams closed, or due ──▶  Done
///
/// `supervisor.h` waits for the descriptors of `fd_of` until `due` and tells the child what happened. One deadline
/// covers start, stdin, run and drain. What ends a hook is the exit of the process we started, not the end of its
/// output: a grandchild may hold the pipes for ever, so it gets `drain_grace` and no more.
///
/// - A stop goes to the whole process group: TERM (and CONT, for one that is stopped), `term_grace`, KILL. Before the
///   dead leader is reaped the group gets one more KILL, while its id cannot be anybody else's yet. Where the host
///   ignores SIGCHLD the kernel reaps at once, and after the exit the id is left alone.
/// - The helpers that a hook left behind, having ended by itself, stay alive.
/// - A hook need not read its input: closing it early is no failure, and not reading it ends by exit or deadline.
/// - Input that could not be delivered and output that could not be read make an exit 0 worthless: `StatusLost`.
namespace grapnel {

/// One hook's process.
struct ChildSpec {
  std::string path;                                ///< see os::SpawnSpec
  std::vector<std::string> argv;                   ///< with argv[0]
  Environment env;                                 ///< nothing else is inherited
  std::string cwd;                                 ///< "" is the host's
  std::shared_ptr<const std::string> stdin_bytes;  ///< null: the child reads end of file at once
  std::chrono::milliseconds timeout{0};            ///< from start to end; zero is over at once
};

struct ChildLimits {
  size_t max_output = size_t{1} << 20;  ///< per stream; the first bytes are kept, the rest counted
  std::chrono::milliseconds term_grace{500};
  std::chrono::milliseconds kill_grace{5000};  ///< for the kernel to end what was killed; a busy machine needs it
  std::chrono::milliseconds drain_grace{100};
};

/// What a child borrows from its supervisor.
struct ChildContext {
  const ChildLimits& limits;
  const os::Calls& calls;
  std::span<char> scratch;  ///< for reads; shared, as only one child reads at a time
};

/// Thread: one.
class Child {
 public:
  enum class Source : uint8_t { Stdin, Stdout, Stderr, Exit };

  Child(const ChildSpec& spec, const ChildContext& context) : spec_(&spec), context_(&context) {}

  /// Starts the process; when that fails it is done, with `NotStarted`.
  void start();

  /// The descriptor to poll for that source, or -1 when it is not waited for.
  int fd_of(Source source) const;
  /// When `on_due` wants to be called, unless it is done before.
  Deadline due() const { return due_; }

  void on_ready(Source source);
  void on_due();
  /// The host gave up: stops the group; the ending is `Cancelled` in every phase.
  void cancel();
  /// Polling does not work any more: kills the group, reaps it, and is done with `StatusLost`.
  void abandon();

  bool is_done() const { return phase_ == Phase::Done; }
  RunOutcome take_outcome() { return std::move(outcome_); }

 private:
  enum class Phase : uint8_t { Running, Terminating, Killing, Draining, Done };

  Result<void> try_start();
  void feed();
  void drain(os::PipeDrain& pipe, Capture& capture);
  void on_exit();
  bool are_streams_closed() const { return stdout_.fd() < 0 && stderr_.fd() < 0; }
  void stop(Ending ending);
  void finish();

  const ChildSpec* spec_;
  const ChildContext* context_;
  Phase phase_ = Phase::Running;
  bool exited_ = false;
  bool io_failed_ = false;
  std::optional<Ending> forced_;  ///< why we stopped it, when we did
  Deadline started_{}, due_{};
  Process process_;
  os::PipeFeed stdin_;
  os::PipeDrain stdout_, stderr_;
  RunOutcome outcome_;
};

}  // namespace grapnel
