#include "run/worker_process.h"

#include <algorithm>
#include <csignal>

#include "run/start.h"

namespace grapnel {
namespace {

constexpr size_t kWorkerScratchSize = size_t{64} << 10;  // the capacity of a pipe
/// How many full buffers are read from one stream per turn, so that a worker that floods one stream cannot starve the
/// others.
constexpr int kMaxWorkerPulls = 16;
constexpr int kMaxErrorPulls = 256;
/// How much of standard error is kept, even if the limit for output is larger.
constexpr size_t kMaxErrors = size_t{64} << 10;
/// The memory of longer lines is given back instead of being kept for the next line.
constexpr size_t kMaxSpare = size_t{64} << 10;

}  // namespace

void StreamTail::add(std::string_view bytes) {
  end_ += bytes.size();
  kept_ += bytes;
  // Cuts only when twice the limit is reached, so that a flood costs one move per buffer and not one per read.
  if (kept_.size() > 2 * limit_) kept_.erase(0, kept_.size() - limit_);
}

Capture StreamTail::since(uint64_t from) const {
  const uint64_t said = end_ - from;
  const size_t kept = static_cast<size_t>(std::min<uint64_t>({said, kept_.size(), limit_}));
  return {kept_.substr(kept_.size() - kept), said - kept};
}

WorkerProcess::WorkerProcess(const ChildLimits& limits, const os::Calls& calls)
    : limits_(limits),
      calls_(calls),
      errors_(std::min(limits.max_output, kMaxErrors)),
      scratch_(std::make_unique_for_overwrite<char[]>(kWorkerScratchSize)) {}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const ChildSpec& spec, const ChildLimits& limits,
                                                            const os::Calls& calls) {
  auto in = os::PipeWriter::open(calls);
  if (!in) return std::unexpected(in.error());
  auto out = os::PipeDrain::open(calls);
  if (!out) return std::unexpected(out.error());
  auto err = os::PipeDrain::open(calls);
  if (!err) return std::unexpected(err.error());
  std::string not_enforced;
  const ChildEnds ends{in->child_end(), out->child_end(), err->child_end()};
  auto spawned = start_process(spec, ends, calls, not_enforced);
  if (!spawned) return std::unexpected(spawned.error());
  auto worker = std::unique_ptr<WorkerProcess>(new WorkerProcess(limits, calls));
  worker->process_ = Process(std::move(*spawned));
  worker->sandbox_ = spec.sandbox;
  worker->overuse_ = Overuse(spec.sandbox);
  worker->is_contained_ = spec.is_contained;
  worker->contained_.means = spec.is_contained ? os::to_string(worker->process_.means()) : "off";
  if (spec.sandbox) worker->contained_.sandbox = spec.sandbox->what;
  worker->contained_.not_enforced = std::move(not_enforced);
  (worker->stdin_ = std::move(*in)).on_spawned();
  // Only the worker has the write ends from now on, so that we notice when it closes them.
  (worker->stdout_ = std::move(*out)).release_child_end();
  (worker->stderr_ = std::move(*err)).release_child_end();
  return worker;
}

int WorkerProcess::fd_of(Source source) const {
  switch (source) {
    case Source::Stdin:
      return has_unsent() && !is_condemned() ? stdin_.fd() : -1;
    case Source::Errors:
      return stderr_.fd();
    case Source::Output:
      return is_condemned() ? -1 : stdout_.fd();
    case Source::Exit:
      return process_.exit_fd();
  }
  return -1;
}

void WorkerProcess::send(uint64_t id, std::string line) {
  unsent_bytes_ += line.size();
  lines_.push_back({id, std::move(line)});
  feed();
}

bool WorkerProcess::take_back(uint64_t id) {
  const auto found = std::ranges::find(lines_, id, &Line::id);
  // Once a part of the line is in the pipe, the rest must follow, or the worker would read a broken line.
  if (found == lines_.end() || (found == lines_.begin() && front_written_ > 0)) return false;
  unsent_bytes_ -= found->text.size();
  lines_.erase(found);
  return true;
}

void WorkerProcess::feed() {
  while (!lines_.empty() && !is_condemned() && stdin_.fd() >= 0) {
    const std::string_view rest = std::string_view(lines_.front().text).substr(front_written_);
    const auto written = stdin_.write(rest, calls_);
    // A process that exits closes its input first. Its exit explains more than a broken pipe, so wait for it a little.
    if (!written && written.error().sys == EPIPE) {
      stdin_.close();
      return on_closed("it closed its input");
    }
    if (!written) return condemn(written.error().message);
    front_written_ += *written;
    // The pipe is full. The leader polls for room and calls `feed` again.
    if (*written < rest.size()) return;
    unsent_bytes_ -= lines_.front().text.size();
    if (lines_.front().text.capacity() <= kMaxSpare) spare_ = std::move(lines_.front().text);
    lines_.pop_front();
    front_written_ = 0;
  }
}

void WorkerProcess::read_output(const OnLine& on_line) {
  for (int pulls = 0; pulls < kMaxWorkerPulls && stdout_.fd() >= 0; ++pulls) {
    const auto bytes = stdout_.pull({scratch_.get(), kWorkerScratchSize}, calls_);
    if (!bytes) return condemn(bytes.error().message);
    take_output(*bytes, on_line);
    if (bytes->size() < kWorkerScratchSize) break;
  }
  if (stdout_.fd() < 0) on_closed("it closed its output");
}

/// A process that ends closes its files before it exits. So the exit gets `drain_grace` to be noticed, because the exit
/// code says more than the closed file. A process that lives on without its files is of no use.
void WorkerProcess::on_closed(const char* what) {
  if (what_closed_ != nullptr) return;
  what_closed_ = what;
  closed_due_ = after(SteadyClock::now(), limits_.drain_grace);
}

void WorkerProcess::on_closed_due() {
  if (SteadyClock::now() >= closed_due()) condemn(what_closed_);
}

/// Cuts the stream into lines. A line that came in one piece is passed on without a copy; `partial_` collects the
/// others. When a line exceeds the limit, its beginning is passed on once, and the rest is skipped up to the next line
/// break.
void WorkerProcess::take_output(std::string_view bytes, const OnLine& on_line) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    const bool is_all = end != std::string_view::npos && partial_.empty() && !is_too_long_;
    if (is_all && part.size() <= limits_.max_output) {
      on_line(part, true);
      bytes.remove_prefix(end + 1);
      continue;
    }
    if (!is_too_long_) {
      // At most one byte more than the limit is kept: it shows that the line is too long.
      partial_ += part.substr(0, limits_.max_output + 1 - std::min(limits_.max_output + 1, partial_.size()));
      is_too_long_ = partial_.size() > limits_.max_output;
      if (is_too_long_) on_line(partial_, false);
    }
    if (end == std::string_view::npos) return;
    if (!is_too_long_) on_line(partial_, true);
    is_too_long_ = false;
    partial_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void WorkerProcess::read_errors() {
  for (int pulls = 0; pulls < kMaxErrorPulls && stderr_.fd() >= 0; ++pulls) {
    const auto bytes = stderr_.pull(error_scratch_, calls_);
    // Errors are only shown to people, so a stream that cannot be read is no reason to end the worker.
    if (!bytes || bytes->empty()) return;
    errors_.add(*bytes);
    if (bytes->size() < error_scratch_.size()) return;
  }
}

void WorkerProcess::condemn(std::string why) {
  if (is_condemned()) return;
  why_condemned_ = std::move(why);
  kill();
}

void WorkerProcess::kill() {
  if (phase_ >= Phase::Killed) return;
  process_.signal_group(SIGKILL, calls_);
  phase_ = Phase::Killed;
  end_due_ = after(SteadyClock::now(), limits_.kill_grace);
}

void WorkerProcess::on_overuse_due() {
  if (SteadyClock::now() < overuse_due()) return;
  std::string what = overuse_.look(process_, calls_);
  if (what.empty()) return;
  process_.end_rest(after(SteadyClock::now(), limits_.kill_grace), calls_);
  condemn(std::move(what));
}

void WorkerProcess::end(Deadline now) {
  switch (phase_) {
    case Phase::Running:
      stdin_.close();
      phase_ = Phase::Closing;
      end_due_ = after(now, limits_.drain_grace);
      return;
    case Phase::Closing:
      if (now < end_due_) return;
      process_.signal_group(SIGTERM, calls_);
      // A stopped process (SIGSTOP) would never get to handle the SIGTERM.
      process_.signal_group(SIGCONT, calls_);
      phase_ = Phase::Terminating;
      end_due_ = after(now, limits_.term_grace);
      return;
    case Phase::Terminating:
      if (now >= end_due_) kill();
      return;
    case Phase::Killed:
    case Phase::Finished:
      return;
  }
}

bool WorkerProcess::has_exited() const {
  if (phase_ == Phase::Finished) return true;
  pollfd exit{.fd = process_.exit_fd(), .events = POLLIN, .revents = 0};
  constexpr timespec kNow{};
  return calls_.ppoll(&exit, 1, &kNow, nullptr) == 1;
}

Ending WorkerProcess::finish() {
  if (phase_ == Phase::Finished) return StatusLost{};
  if (!has_exited()) kill();
  // The process may have left children behind in its group. Until it is reaped, the id of the group cannot belong to
  // anybody else, so this is the last safe moment to kill them.
  if (process_.is_unreaped(calls_)) process_.signal_group(SIGKILL, calls_);
  const Deadline give_up = after(SteadyClock::now(), limits_.kill_grace);
  Ending ending = process_.reap(give_up, calls_);
  if (is_contained_) process_.end_rest(give_up, calls_);
  stdin_.close();
  stdout_.close();
  stderr_.close();
  process_.close();
  phase_ = Phase::Finished;
  return ending;
}

}  // namespace grapnel
