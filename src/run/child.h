#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/error.h"
#include "model/run_outcome.h"
#include "os/calls.h"
#include "os/pipe.h"
#include "run/child_sandbox.h"
#include "run/overuse.h"
#include "run/process.h"

/// One supervised child process: a passive state machine that never waits.
///
///     start ──▶ Running ── due ──▶ Terminating ── due ──▶ Killing
///       │          │ (or cancel)        │                  │  │ due: it cannot die, leave it
///       │          ├────── exit ────────┴────── exit ──────┤  │
///       │          ▼                                       ▼  ▼
///       └──▶ Draining ── both streams closed, or due ──▶  Done
///
/// - Running: the process runs, and its input and output are passed on.
/// - Terminating: its time is up or the event was cancelled. The group got SIGTERM and has `term_grace` to end.
/// - Killing: the group got SIGKILL. The kernel has `kill_grace` to end it.
/// - Draining: the process has exited, but somebody else still holds its pipes. They get `drain_grace`.
/// - Done: the outcome is complete. A start that fails leads here directly.
///
/// Order of calls: `start` once; then, until `is_done`, wait for the descriptors of `fd_of` no longer than until `due`,
/// and report what happened with `on_ready` or `on_due`; then `take_outcome`. `supervisor.h` does this for many
/// children.
///
/// One deadline covers start, input, run and draining. A hook ends when the process that we started exits, not when its
/// output ends: a grandchild may keep the pipes open for ever, so the pipes get `drain_grace` and no more.
///
/// - A stop goes to the whole process group: TERM (and CONT, in case the process is stopped), then `term_grace`, then
///   KILL. Before the dead leader is reaped, the group gets one more KILL, because until then its id cannot belong to
///   anybody else. If the host ignores SIGCHLD, the kernel reaps at once, and the id is not used after the exit.
/// - What left the group (`setsid`, double forks) is found by its tag (`os/tag.h`) and killed, too, when the process
/// has
///   ended. If it cannot be tagged, or runs as another user, only the group is killed.
/// - If a hook ends by itself, the processes that it left behind stay alive, unless it is to be otherwise
///   (`leftovers`). The outcome names them.
/// - A hook need not read its input. Closing it early is not a failure; a hook that never reads it ends by its exit or
///   its deadline.
/// - If the input could not be delivered, or the output could not be read, an exit code of 0 proves nothing, and the
///   ending is `StatusLost`.
namespace grapnel {

/// A process that runs and waits for its input.
struct StartedChild {
  Process process;
  os::PipeFeed in;
  os::PipeDrain out, err;
  std::string not_enforced = {};  ///< why its sandbox is not enforced, see `start_process`; or ""
};

/// The process of one hook.
struct ChildSpec {
  std::string path;                                  ///< see os::SpawnSpec
  std::vector<std::string> argv;                     ///< with argv[0]
  Environment env;                                   ///< nothing else is inherited
  std::string cwd;                                   ///< "" means the directory of the host
  std::shared_ptr<const std::string> stdin_bytes;    ///< null: the child finds its input empty
  std::chrono::milliseconds timeout{0};              ///< from start to end; zero means no time at all
  std::shared_ptr<const ChildSandbox> sandbox = {};  ///< null: it may do what we may do
  bool is_contained = true;  ///< whether what it started is ended with it at its deadline, wherever it went
  Leftovers leftovers = Leftovers::Tell;
  std::shared_ptr<StartedChild> started = {};  ///< a process that was started as this says, and is used up by `start`
  std::string cold = {};                       ///< why there is none, although the hook is marked warm; or ""
};

/// Starts the process and leaves its input to be written: `input`, or what `PipeFeed::give` says later. Borrows the
/// input. Fails: as `os::spawn`, and if there are no more pipes.
Result<StartedChild> start_child(const ChildSpec& spec, std::string_view input, const os::Calls& calls);

/// How much output is kept, and how long each step of a stop may take.
struct ChildLimits {
  size_t max_output = size_t{1} << 20;         ///< per stream; the first bytes are kept, the rest is only counted
  std::chrono::milliseconds term_grace{500};   ///< between SIGTERM and SIGKILL
  std::chrono::milliseconds kill_grace{5000};  ///< for the kernel to end a killed process; busy machines need it
  std::chrono::milliseconds drain_grace{100};  ///< for pipes that stay open after the exit
};

/// What all children of one supervisor share.
struct ChildContext {
  const ChildLimits& limits;
  const os::Calls& calls;
  std::span<char> scratch;  ///< a buffer for reads; only one child reads at a time
};

/// See the top of this file. Borrows the spec and the context. Thread: one.
class Child {
 public:
  enum class Source : uint8_t { Stdin, Stdout, Stderr, Exit };

  Child(const ChildSpec& spec, const ChildContext& context) : spec_(&spec), context_(&context) {}

  /// Starts the process. If that fails, the child is done, with the ending `NotStarted`.
  void start();

  /// The descriptor to poll for this source, or -1 if the child does not wait for it.
  int fd_of(Source source) const;
  /// When `on_due` must be called, unless the child is done before.
  Deadline due() const { return std::min(due_, phase_ == Phase::Running ? overuse_.due() : Deadline::max()); }

  /// The descriptor of this source is ready: passes on bytes, or notices the exit.
  void on_ready(Source source);
  /// The time of the current state is up: goes on to the next state.
  void on_due();
  /// The host gave up: stops the group. The ending is `Cancelled`, whatever the state was.
  void cancel();
  /// Polling does not work any more: kills the group and reaps it. The ending is `StatusLost`, unless the child was
  /// being stopped already.
  void abandon();

  bool is_done() const { return phase_ == Phase::Done; }
  RunOutcome take_outcome() { return std::move(outcome_); }

 private:
  enum class Phase : uint8_t { Running, Terminating, Killing, Draining, Done };

  /// Starts the process, unless that has been done, and gives it its input.
  Result<void> try_start();
  void feed();
  void drain(os::PipeDrain& pipe, Capture& capture);
  void on_exit();
  bool are_streams_closed() const { return stdout_.fd() < 0 && stderr_.fd() < 0; }
  /// Goes to `Terminating`. `ending` becomes the ending of the outcome.
  void stop(Ending ending);
  /// Goes to `Killing`.
  void kill();
  /// Ends at once what has more than its sandbox allows.
  void stop_overuse();
  /// What it left behind, when it has ended by itself.
  void look_for_leftovers();
  /// Reaps the process, fills in the outcome and goes to `Done`.
  void finish();

  const ChildSpec* spec_;
  const ChildContext* context_;
  Phase phase_ = Phase::Running;
  bool exited_ = false;
  bool io_failed_ = false;
  std::optional<Ending> forced_;  ///< why we stopped it, if we did
  Deadline started_{}, due_{};
  Process process_;
  Overuse overuse_;
  os::PipeFeed stdin_;
  os::PipeDrain stdout_, stderr_;
  RunOutcome outcome_;
};

}  // namespace grapnel
