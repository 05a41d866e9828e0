#include "run/child.h"

#include <algorithm>
#include <csignal>
#include <string_view>

#include "run/start.h"

namespace grapnel {
namespace {

/// How many full buffers are read from one stream per turn, so that a child that floods its output cannot starve the
/// other children.
constexpr int kMaxPulls = 16;

/// Keeps the first bytes up to the limit, and only counts the rest.
void keep(Capture& capture, std::string_view bytes, size_t limit) {
  const size_t kept = std::min(bytes.size(), limit - std::min(limit, capture.bytes.size()));
  capture.bytes.append(bytes.substr(0, kept));
  capture.dropped += bytes.size() - kept;
}

bool is_success(const Ending& ending) {
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

}  // namespace

void Child::start() {
  started_ = SteadyClock::now();
  due_ = after(started_, spec_->timeout);
  auto started = try_start();
  if (started) return;
  // The failed start is an outcome like any other: the caller finds it with `take_outcome`.
  outcome_.ending = not_started(started.error());
  outcome_.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started_);
  phase_ = Phase::Done;
}

Result<StartedChild> start_child(const ChildSpec& spec, std::string_view input, const os::Calls& calls) {
  auto in = os::PipeFeed::open(input, calls);
  if (!in) return std::unexpected(in.error());
  auto out = os::PipeDrain::open(calls);
  if (!out) return std::unexpected(out.error());
  auto err = os::PipeDrain::open(calls);
  if (!err) return std::unexpected(err.error());
  const ChildEnds ends{in->child_end(), out->child_end(), err->child_end()};
  std::string not_enforced;
  auto child = start_process(spec, ends, calls, not_enforced);
  if (!child) return std::unexpected(child.error());
  return StartedChild{Process(std::move(*child)), std::move(*in), std::move(*out), std::move(*err),
                      std::move(not_enforced)};
}

Result<void> Child::try_start() {
  const os::Calls& calls = context_->calls;
  const std::string_view input = spec_->stdin_bytes ? *spec_->stdin_bytes : std::string_view();
  auto child = spec_->started ? std::move(*spec_->started) : start_child(*spec_, input, calls);
  if (!child) return std::unexpected(child.error());
  process_ = std::move(child->process);
  stdin_ = std::move(child->in);
  io_failed_ = spec_->started && !stdin_.give(input, calls);
  outcome_.contained.not_enforced = std::move(child->not_enforced);
  outcome_.contained.means = spec_->is_contained ? os::to_string(process_.means()) : "off";
  if (spec_->sandbox) outcome_.contained.sandbox = spec_->sandbox->what;
  overuse_ = Overuse(spec_->sandbox);
  // `on_spawned` writes the beginning of the input already now, while the child is still starting. The ends of the
  // output pipes that belong to the child stay open here until it exits, see `drain`.
  io_failed_ |= !stdin_.on_spawned(calls);
  stdout_ = std::move(child->out);
  stderr_ = std::move(child->err);
  return {};
}

int Child::fd_of(Source source) const {
  switch (source) {
    case Source::Stdin:
      return stdin_.fd();
    case Source::Stdout:
      return stdout_.fd();
    case Source::Stderr:
      return stderr_.fd();
    case Source::Exit:
      return exited_ ? -1 : process_.exit_fd();
  }
  return -1;
}

void Child::on_ready(Source source) {
  // An earlier source of the same turn may have finished the child or closed this stream.
  if (fd_of(source) < 0) return;
  switch (source) {
    case Source::Stdin:
      return feed();
    case Source::Stdout:
      drain(stdout_, outcome_.out);
      break;
    case Source::Stderr:
      drain(stderr_, outcome_.err);
      break;
    case Source::Exit:
      return on_exit();
  }
  if (exited_ && are_streams_closed()) finish();
}

void Child::feed() {
  if (!stdin_.advance(context_->calls)) io_failed_ = true;
}

void Child::drain(os::PipeDrain& pipe, Capture& capture) {
  for (int pulls = 0; pulls < kMaxPulls && pipe.fd() >= 0; ++pulls) {
    const auto bytes = pipe.pull(context_->scratch, context_->calls);
    if (!bytes) io_failed_ = true;
    if (!bytes || bytes->empty()) return;
    keep(capture, *bytes, context_->limits.max_output);
    // A short read means that the pipe is empty for now. Before the exit there is no end of file to find, because we
    // hold the write end too; so another read would be wasted.
    if (!exited_ && bytes->size() < context_->scratch.size()) return;
  }
}

void Child::on_exit() {
  exited_ = true;
  stdin_.close();
  stdout_.release_child_end();
  stderr_.release_child_end();
  // Everything that the process itself wrote is in the pipes by now. Only processes that inherited the pipes can still
  // add to it.
  drain(stdout_, outcome_.out);
  drain(stderr_, outcome_.err);
  // A child that was stopped gets no drain time: `finish` kills the rest of its group, and nobody needs their output.
  if (forced_ || are_streams_closed()) return finish();
  phase_ = Phase::Draining;
  due_ = std::min(due_, after(SteadyClock::now(), context_->limits.drain_grace));
}

void Child::on_due() {
  if (SteadyClock::now() < due_) return stop_overuse();
  switch (phase_) {
    case Phase::Running:
      return stop(TimedOut{spec_->timeout});
    case Phase::Terminating:
      return kill();
    // Killing: the process cannot die, for example because it hangs in a system call, so it is left behind.
    case Phase::Killing:
    case Phase::Draining:
      return finish();
    case Phase::Done:
      return;
  }
}

void Child::cancel() {
  if (phase_ == Phase::Running) return stop(Cancelled{});
  if (phase_ == Phase::Done) return;
  // It is already ending. The steps go on as they are; only the reason in the outcome changes.
  forced_ = Cancelled{};
  if (exited_) finish();
}

void Child::abandon() {
  if (phase_ == Phase::Done) return;
  if (!exited_) process_.signal_group(SIGKILL, context_->calls);
  exited_ = true;
  if (!forced_) forced_ = StatusLost{};
  finish();
}

void Child::stop(Ending ending) {
  forced_ = std::move(ending);
  stdin_.close();
  process_.signal_group(SIGTERM, context_->calls);
  // A stopped process (SIGSTOP) would never get to handle the SIGTERM.
  process_.signal_group(SIGCONT, context_->calls);
  phase_ = Phase::Terminating;
  due_ = after(SteadyClock::now(), context_->limits.term_grace);
}

void Child::stop_overuse() {
  if (phase_ != Phase::Running) return;
  std::string what = overuse_.look(process_, context_->calls);
  if (what.empty()) return;
  // First of all: it only becomes more.
  process_.end_rest(after(SteadyClock::now(), context_->limits.kill_grace), context_->calls);
  stop(Stopped{std::move(what)});
  kill();
}

void Child::kill() {
  process_.signal_group(SIGKILL, context_->calls);
  phase_ = Phase::Killing;
  due_ = after(SteadyClock::now(), context_->limits.kill_grace);
}

void Child::look_for_leftovers() {
  const bool is_limited = overuse_.limits_processes();
  if (!spec_->is_contained || (spec_->leftovers == Leftovers::Keep && !is_limited)) return;
  const os::Calls& calls = context_->calls;
  for (os::Remaining& left : process_.rest(calls)) {
    outcome_.contained.left.push_back({left.pid, left.started, std::move(left.name)});
  }
  if ((spec_->leftovers != Leftovers::Kill && !is_limited) || outcome_.contained.left.empty()) return;
  process_.end_rest(after(SteadyClock::now(), context_->limits.kill_grace), calls);
  outcome_.contained.ended_leftovers = true;
}

void Child::finish() {
  // The group of a child that we stopped may have members that ignored SIGTERM. Until its leader is reaped, the group
  // id cannot belong to anybody else, so this is the last safe moment to kill it.
  if (forced_ && exited_ && process_.is_unreaped(context_->calls)) process_.signal_group(SIGKILL, context_->calls);
  // The pidfd reports the exit, but the status may come later: if the process is traced, its tracer gets the status
  // first. Without an exit there is nothing to wait for.
  const Deadline give_up = exited_ ? after(SteadyClock::now(), context_->limits.kill_grace) : Deadline{};
  Ending natural = process_.reap(give_up, context_->calls);
  if (!forced_) {
    look_for_leftovers();
  } else if (spec_->is_contained) {
    process_.end_rest(after(SteadyClock::now(), context_->limits.kill_grace), context_->calls);
  }
  // The hook may have decided without having seen its whole input, or part of its answer may be lost.
  if (io_failed_ && is_success(natural)) natural = StatusLost{};
  outcome_.ending = forced_ ? std::move(*forced_) : std::move(natural);
  outcome_.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started_);
  stdin_.close();
  stdout_.close();
  stderr_.close();
  process_.close();
  phase_ = Phase::Done;
}

}  // namespace grapnel
