#include "run/worker.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

/// All functions of Worker run with its lock held. The lock is never held while a thread polls: `watch` collects
/// descriptors, the loop of the supervisor waits without the lock, and `on_polled` takes it again. In between, another
/// thread may have finished the request; but a process that has a leader is read and reaped by nobody else, so the
/// leader's descriptors stay valid.
///
/// Two counters guard against a worker that does not work. `deaths_` counts processes that died in a row without an
/// answer, and makes the pause before the next start longer. `strikes_` counts requests that timed out in a row, and
/// has a stuck process replaced. Any answer, even a late one, sets both to zero.
namespace grapnel {
namespace {

/// So many timeouts in a row, and the process counts as stuck.
constexpr int kMaxStrikes = 2;
/// A request is sent to at most two processes, so that it cannot move from one broken process to the next for ever.
constexpr int kMaxTries = 2;
constexpr std::chrono::milliseconds kFirstRestartPause{100};
constexpr std::chrono::milliseconds kLongestRestartPause{30000};
/// How many bytes may be queued for a worker that does not read its input.
constexpr size_t kMaxUnsent = size_t{64} << 20;
/// How much of a line that is no answer is shown.
constexpr size_t kMaxExample = 120;

/// The pause before the next start after so many deaths in a row. There is none after the first death.
std::chrono::milliseconds pause_after(int deaths) {
  if (deaths <= 1) return {};
  return std::min(kLongestRestartPause, kFirstRestartPause * (1 << std::min(deaths - 2, 16)));
}

/// The line of a request. A payload may be spread over several lines, but a line break in JSON can only stand between
/// values, where a blank means the same. `line` is a string whose memory is used again.
std::string frame(std::string line, uint64_t id, std::string_view payload) {
  constexpr size_t kAround = 48;
  line.clear();
  line.reserve(payload.size() + kAround);
  if (payload.ends_with('\n')) payload.remove_suffix(1);
  line.append(R"({"id":")").append(std::to_string(id)).append(R"(","event":)");
  const size_t from = line.size();
  line += payload;
  for (const char line_break : {'\n', '\r'}) {
    for (size_t at = line.find(line_break, from); at != std::string::npos; at = line.find(line_break, at))
      line[at] = ' ';
  }
  line += "}\n";
  return line;
}

bool is_ready(std::span<const pollfd> polls, int fd) {
  return fd >= 0 && std::ranges::any_of(polls, [&](const pollfd& p) { return p.fd == fd && p.revents != 0; });
}

/// How requests end that a dead process had received. An exit, even with code 0, is no answer; a signal is shown as it
/// is.
Ending no_answer(const WorkerProcess& process, const Ending& how) {
  if (process.is_condemned()) return Unanswered{process.why_condemned()};
  if (std::holds_alternative<Exited>(how)) {
    return Unanswered{"the worker ended (" + describe(how) + ") before it answered"};
  }
  return how;
}

/// The number of an id, or 0 if the text is not an id that we gave: ours start at 1.
uint64_t number_of(std::string_view id) {
  uint64_t number = 0;
  const auto parsed = std::from_chars(id.data(), id.data() + id.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == id.data() + id.size() ? number : 0;
}

/// The id of an answer. It was sent as a string, but a worker may give it back as a number.
uint64_t id_of(const Json& answer) {
  const Json id = answer["id"];
  return number_of(id.is_string() ? *id.as_string() : id.raw());
}

/// Removes blanks and the word from the front of `text`. False if something else stands there.
bool take(std::string_view& text, std::string_view word) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// The id of an answer that contains nothing else, as most do: `{"id":"7"}`. 0 for lines that need the JSON parser.
uint64_t id_alone(std::string_view line) {
  if (!take(line, "{") || !take(line, "\"id\"") || !take(line, ":") || !take(line, "\"")) return 0;
  uint64_t id = 0;
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), id);
  line.remove_prefix(static_cast<size_t>(parsed.ptr - line.data()));
  return parsed.ec == std::errc() && line.starts_with('"') && take(line, "\"") && take(line, "}") && line.empty() ? id
                                                                                                                  : 0;
}

/// The answer without its id, as the dialect expects it; "" if nothing else was in it.
std::string text_beside_id(const Json& answer) {
  const Json rest = answer.size() <= 1 ? Json() : answer.without("id");
  return rest.size() == 0 ? "" : rest.dump();
}

}  // namespace

bool Worker::is_current() const {
  const std::lock_guard lock(mutex_);
  if (is_spent() || closed_) return false;
  return std::ranges::all_of(files_, [](const auto& file) { return os::stamp(file.first) == file.second; });
}

bool Worker::is_running() const {
  const std::lock_guard lock(mutex_);
  return process_ != nullptr;
}

bool Worker::is_idle_since(Deadline now) const {
  const std::lock_guard lock(mutex_);
  return under_way_.empty() && now >= after(last_used_, idle_);
}

void Worker::retire() {
  const std::lock_guard lock(mutex_);
  retired_ = true;
}

bool Worker::advance_end(Deadline now) {
  const std::lock_guard lock(mutex_);
  if (!under_way_.empty()) return false;
  if (process_ && (process_->has_exited() || (process_->is_killed() && now >= process_->end_due()))) bury();
  if (process_) process_->end(now);
  return !process_;
}

Deadline Worker::end_due() const {
  const std::lock_guard lock(mutex_);
  return process_ ? process_->end_due() : Deadline{};
}

bool Worker::shut() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (under_way_.empty()) return true;
  if (process_) process_->condemn("the engine has ended");
  return false;
}

int Worker::exit_fd() const {
  const std::lock_guard lock(mutex_);
  return process_ ? process_->fd_of(WorkerProcess::Source::Exit) : -1;
}

void Worker::submit(WorkerCall& call) {
  const std::lock_guard lock(mutex_);
  // While nobody was waiting, nobody noticed whether the process died. Without a leader, this thread may bury it.
  if (process_ && leader_ == nullptr && (process_->is_condemned() || process_->has_exited())) bury();
  call.id_ = ++last_id_;
  // It is listed before the process starts: `refuse` ends a request in the same way as an answer does.
  under_way_.push_back(&call);
  ++events_;
  call.garbage_from_ = garbage_;
  if (ensure_process(call)) send(call);
}

bool Worker::ensure_process(WorkerCall& call) {
  if (closed_) return refuse(call, "the engine has ended");
  if (process_) return true;
  const Deadline now = SteadyClock::now();
  if (now < not_before_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(not_before_ - now);
    return refuse(call, "the worker ended " + std::to_string(deaths_) + " times in a row (" + last_death_ +
                            "); it may start again in " + std::to_string(left.count()) + " ms");
  }
  // Only now is it worked out how to start the worker; this includes the check whether it may still be trusted.
  auto how = call.request_.start();
  if (!how) return refuse(call, how.error().message, how.error().sys);
  auto started = WorkerProcess::start(how->child, limits_, calls_);
  if (!started) {
    finish(call, not_started(started.error()));
    return false;
  }
  process_ = std::move(*started);
  files_ = std::move(how->files);
  strikes_ = 0;
  if (!bell_) bell_ = open_bell(calls_);
  return true;
}

bool Worker::refuse(WorkerCall& call, std::string why, int sys) {
  finish(call, NotStarted{std::move(why), sys});
  return false;
}

void Worker::send(WorkerCall& call) {
  if (process_->unsent_bytes() > kMaxUnsent) return finish(call, Unanswered{"the worker does not read its input"});
  ++call.tries_;
  call.errors_from_ = process_->errors().end();
  process_->send(call.id_, frame(process_->take_spare(), call.id_, *call.request_.payload));
  // The pipe is full. The leader does not yet watch for room in it, so it has to be woken.
  if (process_->has_unsent() && leader_ != nullptr && leader_ != &call) ring_bell(bell_.get(), calls_);
}

void Worker::watch(WorkerCall& call, std::vector<pollfd>& polls) {
  const std::lock_guard lock(mutex_);
  if (call.is_done()) return;
  // Whoever comes first when nobody leads becomes the leader.
  if (leader_ == nullptr) leader_ = &call;
  if (leader_ != &call) return call.watch_bell(polls, calls_);
  for (const WorkerProcess::Source source : WorkerProcess::kSources) {
    const short events = source == WorkerProcess::Source::Stdin ? POLLOUT : POLLIN;
    if (const int fd = process_->fd_of(source); fd >= 0) polls.push_back({.fd = fd, .events = events, .revents = 0});
  }
  if (bell_) polls.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
}

void Worker::on_polled(WorkerCall& call, std::span<const pollfd> polls) {
  using Source = WorkerProcess::Source;
  const std::lock_guard lock(mutex_);
  if (is_ready(polls, call.bell_.get())) silence_bell(call.bell_.get(), calls_);
  if (leader_ != &call) return;
  if (is_ready(polls, bell_.get())) silence_bell(bell_.get(), calls_);
  if (is_ready(polls, process_->fd_of(Source::Stdin))) process_->feed();
  if (is_ready(polls, process_->fd_of(Source::Errors))) process_->read_errors();
  // On an exit, `bury` reads the rest of the output, so it is not read here too.
  const bool has_exited = is_ready(polls, process_->fd_of(Source::Exit));
  if (is_ready(polls, process_->fd_of(Source::Output)) && !has_exited) {
    process_->read_output([this](std::string_view line, bool is_whole) { take_line(line, is_whole); });
  }
  if (has_exited) bury();
}

void Worker::glance(WorkerCall& call) {
  const std::lock_guard lock(mutex_);
  if (call.is_done()) return;
  if (leader_ == nullptr) leader_ = &call;
  const bool can_look = leader_ == &call && !process_->has_unsent();
  // A line that is not sent completely cannot have an answer yet.
  if (!can_look || process_->fd_of(WorkerProcess::Source::Output) < 0) return;
  process_->read_output([this](std::string_view line, bool is_whole) {
    process_->read_errors();  // errors written before the answer belong to it
    take_line(line, is_whole);
  });
}

Deadline Worker::due_of_leader(const WorkerCall& call) const {
  const std::lock_guard lock(mutex_);
  return leader_ == &call ? std::min(process_->closed_due(), process_->overuse_due()) : Deadline::max();
}

void Worker::on_due_of_leader(const WorkerCall& call) {
  const std::lock_guard lock(mutex_);
  if (leader_ != &call) return;
  process_->on_closed_due();
  process_->on_overuse_due();
}

void Worker::withdraw(WorkerCall& call, Ending ending) {
  const std::lock_guard lock(mutex_);
  if (call.is_done()) return;
  const bool is_strike = std::holds_alternative<TimedOut>(ending);
  // If the line is still in the queue, the worker need never see it. Otherwise its answer will come too late and be
  // dropped.
  if (process_) process_->take_back(call.id_);
  finish(call, std::move(ending));
  if (!is_strike || !process_) return;
  if (++strikes_ >= kMaxStrikes && !process_->is_condemned()) {
    ask_again_ = true;
    process_->condemn("the worker did not answer " + std::to_string(strikes_) + " requests in a row");
  }
  // No request is left whose thread would notice the exit of the killed process.
  if (process_->is_condemned() && under_way_.empty()) bury();
}

void Worker::take_line(std::string_view line, bool is_whole) {
  if (!is_whole) {
    // An answer that is too long is an answer with dropped output, as it is for a command. If nobody knows whose answer
    // it is, the stream cannot be trusted any more.
    if (WorkerCall* call = find_too_long(line)) return finish(*call, Answered{}, {"", 1});
    return process_->condemn("the worker printed a line longer than " + std::to_string(limits_.max_output) + " bytes");
  }
  line = text::trim(line);
  if (line.empty()) return;
  const uint64_t alone = id_alone(line);
  const Json answer = alone != 0 ? Json() : Json::parse(std::string(line)).value_or(Json());
  const uint64_t id = alone != 0 ? alone : id_of(answer);
  WorkerCall* call = find_call(id);
  if (call == nullptr && !was_asked(id)) return note_garbage(line);
  strikes_ = 0;
  deaths_ = 0;
  if (call == nullptr) return;  // its request is over already
  finish(*call, Answered{}, {text_beside_id(answer), 0});
}

WorkerCall* Worker::find_call(uint64_t id) {
  const auto found = std::ranges::find(under_way_, id, &WorkerCall::id_);
  return found == under_way_.end() ? nullptr : *found;
}

bool Worker::was_asked(uint64_t id) const {
  return id > 0 && id <= last_id_;
}

/// Looks for an id at the beginning of a line whose rest is unknown, so it cannot be parsed. If only one request is
/// open, the line must be its answer.
WorkerCall* Worker::find_too_long(std::string_view front) {
  constexpr std::string_view kKey = "\"id\"";
  for (size_t at = front.find(kKey); at != std::string_view::npos; at = front.find(kKey, at + 1)) {
    std::string_view value = front.substr(at + kKey.size());
    value.remove_prefix(std::min(value.find_first_not_of(" :\""), value.size()));
    const std::string_view id = value.substr(0, value.find_first_not_of("0123456789"));
    if (WorkerCall* call = find_call(number_of(id))) return call;
  }
  return under_way_.size() == 1 ? under_way_.front() : nullptr;
}

void Worker::note_garbage(std::string_view line) {
  ++garbage_;
  garbage_example_ = text::cap(text::to_valid_utf8(line.substr(0, 2 * kMaxExample)), kMaxExample);
}

/// The end of a process, in an order that matters: first read what it still wrote, since that may contain answers; then
/// reap it; then sort the open requests; then start the successor, if a request needs one.
void Worker::bury() {
  process_->read_errors();
  process_->read_output([this](std::string_view line, bool is_whole) { take_line(line, is_whole); });
  const Ending how = process_->finish();
  const Ending ending = no_answer(*process_, how);
  const auto* exited = std::get_if<Exited>(&how);
  // A worker that ends while idle, with code 0 or because it was asked to, may be started again at once.
  const bool left_in_peace = under_way_.empty() && (retired_ || closed_ || (exited != nullptr && exited->code == 0));
  if (!left_in_peace) {
    last_death_ = process_->is_condemned() ? process_->why_condemned() : describe(how);
    not_before_ = after(SteadyClock::now(), pause_after(++deaths_));
  }
  std::vector<WorkerCall*> carried;
  // A copy, because `finish` removes the call from the list. A request is sent again only if the process did not see
  // it, or was stuck behind another one: otherwise it could run twice.
  for (WorkerCall* call : std::vector(under_way_)) {
    const bool is_unread = process_->take_back(call->id_) || ask_again_;
    if (is_unread && call->tries_ < kMaxTries && !closed_) {
      carried.push_back(call);
    } else {
      finish(*call, ending);
    }
  }
  process_.reset();
  ask_again_ = false;
  for (WorkerCall* call : carried) {
    if (ensure_process(*call)) send(*call);
  }
}

void Worker::finish(WorkerCall& call, Ending ending, Capture out) {
  std::erase(under_way_, &call);
  RunOutcome& outcome = call.outcome_;
  outcome.ending = std::move(ending);
  outcome.out = std::move(out);
  if (process_) outcome.contained = process_->contained();
  if (process_ && call.tries_ > 0) outcome.err = process_->errors().since(call.errors_from_);
  if (const uint64_t lines = garbage_ - call.garbage_from_; lines > 0) {
    if (!outcome.err.bytes.empty() && !outcome.err.bytes.ends_with('\n')) outcome.err.bytes += '\n';
    outcome.err.bytes += "[" + std::to_string(lines) + (lines == 1 ? " line" : " lines") +
                         " of the worker's output did not answer a known request; the last one: " + garbage_example_ +
                         "]";
  }
  last_used_ = SteadyClock::now();
  outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(last_used_ - call.started_);
  call.done_.store(true, std::memory_order_release);
  ring_bell(call.bell_.get(), calls_);
  if (leader_ == &call) leader_ = nullptr;
  // Its thread wakes up, finds in `watch` that nobody leads, and becomes the leader.
  if (leader_ == nullptr && !under_way_.empty()) ring_bell(under_way_.front()->bell_.get(), calls_);
}

}  // namespace grapnel
