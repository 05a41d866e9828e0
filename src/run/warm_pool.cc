#include "run/warm_pool.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <thread>

#include "dialect/dialect.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

/// One hook may need several: for several sessions, directories, or events.
constexpr auto kMostOfOneHook = 4;
/// A hook that ends without reading its input does not become faster by being started early.
constexpr int kMostPremature = 2;
/// Directories that an agent visits while a server runs.
constexpr size_t kMostKnown = 256;
constexpr std::chrono::seconds kEndPatience{5};
/// A file that was changed within the last tick of the clock could be changed again without another stamp.
constexpr std::chrono::milliseconds kTick{20};
constexpr std::chrono::milliseconds kCoarseTick{3000};  ///< of file systems that count seconds

/// Names a hook as it is defined.
std::string name_of(const HookSpec& hook) {
  std::string name(hook.dialect->name);
  for (const std::string_view part : {std::string_view(hook.name), std::string_view(hook.source.file),
                                      std::string_view(hook.definition), std::string_view(hook.digest)}) {
    (name += '\0') += part;
  }
  return name;
}

/// Names a hook, and where it runs.
std::string key_of(const HookSpec& hook, const ChildSpec& child) {
  return (name_of(hook) += '\0') += child.cwd;
}

/// The hook's name in a key.
std::string hook_in(const std::string& key) {
  return key.substr(0, key.rfind('\0'));
}

/// Whether the two start the same process in the same way. A new member has to be compared here, too, so this names
/// all of them.
bool is_same_start(const ChildSpec& a, const ChildSpec& b) {
  const auto& [path, argv, env, cwd, stdin_bytes, timeout, sandbox, is_contained, leftovers, started, cold] = a;
  // A sandbox is made for one process.
  const bool is_open = sandbox == nullptr && b.sandbox == nullptr;
  return is_open && is_contained == b.is_contained && leftovers == b.leftovers && path == b.path && argv == b.argv &&
         cwd == b.cwd && env.entries() == b.env.entries();
}

/// What is needed to start the process once more.
ChildSpec start_of(const ChildSpec& child) {
  ChildSpec out = child;
  out.stdin_bytes.reset();
  out.started.reset();
  out.cold.clear();
  return out;
}

bool is_readable(int fd, const os::Calls& calls) {
  pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
  constexpr timespec kNow{};
  return calls.ppoll(&one, 1, &kNow, nullptr) == 1;
}

/// Waits until a further change of the files would show in their stamps. False if that takes too long, because their
/// file system counts seconds, or its clock is ahead; the next event tries it again.
bool settle(const FileStamps& files) {
  std::chrono::nanoseconds settled{0};
  for (const auto& [name, stamp] : files) {
    if (!stamp) continue;
    const bool is_coarse = stamp->ctime_ns % std::chrono::nanoseconds(std::chrono::milliseconds(1)).count() == 0;
    const std::chrono::nanoseconds tick = is_coarse ? kCoarseTick : kTick;
    settled = std::max(settled, std::chrono::nanoseconds(stamp->ctime_ns) + tick);
  }
  const auto left = settled - std::chrono::system_clock::now().time_since_epoch();
  if (left > kTick) return false;
  if (left > left.zero()) std::this_thread::sleep_for(left);
  return true;
}

}  // namespace

void WarmSeats::join(const std::shared_ptr<WarmPool>& pool) {
  const std::lock_guard lock(lock_);
  std::erase_if(pools_, [](const auto& known) { return known.expired(); });
  pools_.push_back(pool);
}

std::shared_ptr<WarmPool> WarmSeats::longest_waiting() {
  const std::lock_guard lock(lock_);
  std::shared_ptr<WarmPool> found;
  Deadline since = Deadline::max();
  for (const auto& known : pools_) {
    auto pool = known.lock();
    const Deadline own = pool ? pool->waits_since() : Deadline::max();
    if (own >= since) continue;
    since = own;
    found = std::move(pool);
  }
  return found;
}

void WarmPool::prepare(const HookSpec& hook, const std::string& project, ChildSpec& child) {
  child.cold = why_never_warm(hook);
  if (!child.cold.empty()) return;
  const std::string key = key_of(hook, child);
  const Known known = look_up(hook, project, child, key);
  child.cold = known.files->why_cold();
  if (!child.cold.empty()) return;
  // Whether a process waits or not, the hook gets the same variables.
  for (const std::string_view name : variables_given_up(*hook.dialect)) child.env.remove(name);
  if (known.premature >= kMostPremature) {
    child.cold = "it does not wait for its input";
    return;
  }
  take(known, key, child);
  order(key, child);
}

WarmPool::Known WarmPool::look_up(const HookSpec& hook, const std::string& project, const ChildSpec& child,
                                  const std::string& key) {
  Known known;
  {
    const std::lock_guard lock(lock_);
    if (const auto found = known_.find(key); found != known_.end()) known = found->second;
  }
  if (known.files && known.files->are_unchanged()) return known;
  if (!known.hook) {
    known.hook = std::make_shared<const HookSpec>(hook);
    known.project = canonical_directory(project);
  }
  known.files = std::make_shared<const WarmFiles>(hook, known.project, child);
  known.premature = 0;
  const std::lock_guard lock(lock_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_[key] = known;
  return known;
}

/// Outside of the lock a process belongs to the thread that has taken it out.
void WarmPool::take(const Known& known, const std::string& key, ChildSpec& child) {
  std::optional<Waiting> found;
  bool has_others = false;
  {
    const std::lock_guard lock(lock_);
    const auto is_its = [&](const Waiting& waiting) { return waiting.key == key; };
    const auto at = std::ranges::find_if(
        waiting_, [&](const Waiting& waiting) { return is_its(waiting) && is_same_start(waiting.spec, child); });
    has_others = std::ranges::any_of(waiting_, is_its);
    if (at != waiting_.end()) {
      found.emplace(std::move(*at));
      waiting_.erase(at);
    }
  }
  if (!found) {
    child.cold = has_others ? "the process that waited was started in another way" : "no process was waiting";
    return;
  }
  child.cold = why_unfit(*found, known);
  const std::lock_guard lock(lock_);
  if (!child.cold.empty()) {
    leaving_.push_back(std::move(*found));
    return;
  }
  child.started = std::make_shared<StartedChild>(std::move(found->child));
  ++seats_->used;
  if (const auto at = known_.find(key); at != known_.end()) at->second.premature = 0;
}

std::string WarmPool::why_unfit(const Waiting& waiting, const Known& known) {
  if (waiting.files != known.files->stamps()) return "its files have changed since a process was started";
  if (SteadyClock::now() - waiting.since > most_wait_) return "the process has waited for too long";
  if (is_readable(waiting.child.process.exit_fd(), calls_)) return "the process ended before the event";
  if (!is_readable(waiting.child.out.fd(), calls_)) return "";
  const std::lock_guard lock(lock_);
  note_premature(waiting.key);
  return "the process printed something before the event";
}

void WarmPool::order(const std::string& key, const ChildSpec& child) {
  Order next{key, start_of(child)};
  const std::lock_guard lock(lock_);
  const auto is_same = [&](const Order& other) { return other.key == key && is_same_start(other.spec, next.spec); };
  if (!is_closed_ && std::ranges::none_of(orders_, is_same)) orders_.push_back(std::move(next));
}

void WarmPool::restock() {
  {
    const std::lock_guard lock(lock_);
    if (is_posted_ || is_closed_ || (orders_.empty() && leaving_.empty())) return;
    is_posted_ = true;
  }
  post_([self = shared_from_this()] { self->work(); });
}

void WarmPool::work() {
  for (;;) {
    std::optional<Order> next;
    std::vector<Waiting> leaving;
    {
      const std::lock_guard lock(lock_);
      leaving.swap(leaving_);
      if (!orders_.empty() && leaving.empty()) {
        next.emplace(std::move(orders_.front()));
        orders_.pop_front();
      }
      working_ = leaving.size() + (next ? 1 : 0);
      is_posted_ = working_ > 0;
      if (!is_posted_) return;
    }
    // Those that leave come first, because they make room.
    for (Waiting& waiting : leaving) end(std::move(waiting));
    if (next) start(std::move(*next));
  }
}

/// Trust is checked here as it is before every start, because a program is executed. The stamps were taken before that:
/// what changes afterwards is noticed when the event comes.
void WarmPool::start(Order order) {
  Known known;
  std::optional<Waiting> leaving;
  {
    const std::lock_guard lock(lock_);
    const auto found = known_.find(order.key);
    if (found == known_.end() || found->second.premature >= kMostPremature || is_closed_) return;
    known = found->second;
    const auto is_same = [&](const Waiting& other) {
      return other.key == order.key && is_same_start(other.spec, order.spec);
    };
    // Two events at once have ordered the same.
    if (std::ranges::any_of(waiting_, is_same)) return;
    leaving = one_too_many(order.key);
  }
  if (leaving) end(std::move(*leaving));
  if (!known.files->are_unchanged() || !settle(known.files->stamps())) return;
  const HookSpec& hook = *known.hook;
  const std::string dir = canonical_directory(order.spec.cwd);
  if (hook.trust == Trust::Trusted && pinned_digest(hook, known.project, dir) != hook.digest) return;
  auto seat = take_seat();
  if (!seat) return;
  auto child = start_child(order.spec, "", calls_);
  if (!child) {
    const std::lock_guard lock(lock_);
    return note_premature(order.key);
  }
  Waiting waiting{std::move(order.key), std::move(order.spec), known.files->stamps(),
                  std::move(*child),    SteadyClock::now(),    std::move(*seat)};
  {
    const std::lock_guard lock(lock_);
    if (!is_closed_ && known_.contains(waiting.key)) return waiting_.push_back(std::move(waiting));
  }
  end(std::move(waiting));
}

std::optional<WarmPool::Waiting> WarmPool::one_too_many(const std::string& key) {
  const auto is_its = [&](const Waiting& waiting) { return waiting.key == key; };
  if (std::ranges::count_if(waiting_, is_its) < kMostOfOneHook) return std::nullopt;
  const auto oldest = std::ranges::find_if(waiting_, is_its);
  std::optional<Waiting> out(std::move(*oldest));
  waiting_.erase(oldest);
  return out;
}

std::optional<WarmPool::Waiting> WarmPool::give_oldest() {
  const std::lock_guard lock(lock_);
  if (waiting_.empty()) return std::nullopt;
  std::optional<Waiting> out(std::move(waiting_.front()));
  waiting_.pop_front();
  return out;
}

std::optional<WarmSeat> WarmPool::take_seat() {
  while (!seats_->free.try_acquire()) {
    const std::shared_ptr<WarmPool> other = seats_->longest_waiting();
    auto oldest = other ? other->give_oldest() : std::nullopt;
    // Those who have the seats are about to leave, or have just been taken by their events.
    if (!oldest) return std::nullopt;
    end(std::move(*oldest));
  }
  return WarmSeat(seats_);
}

/// The process gets SIGKILL while its input is still open.
void WarmPool::end(Waiting waiting) {
  const Process& process = waiting.child.process;
  const bool has_ended = is_readable(process.exit_fd(), calls_);
  // The id belongs to the process until it is reaped.
  if (!has_ended || process.is_unreaped(calls_)) process.signal_group(SIGKILL, calls_);
  const Deadline give_up = after(SteadyClock::now(), kEndPatience);
  const Ending ending = process.reap(give_up, calls_);
  process.end_rest(give_up, calls_);
  const std::lock_guard lock(lock_);
  if (has_ended && std::holds_alternative<Exited>(ending)) note_premature(waiting.key);
}

void WarmPool::note_premature(const std::string& key) {
  if (const auto found = known_.find(key); found != known_.end()) ++found->second.premature;
}

void WarmPool::keep_only(const std::vector<HookSpec>& hooks) {
  std::map<std::string, std::shared_ptr<const HookSpec>> kept;
  for (const HookSpec& hook : hooks) {
    if (hook.warm && hook.enabled && hook.trust != Trust::Untrusted)
      kept[name_of(hook)] = std::make_shared<const HookSpec>(hook);
  }
  const auto is_gone = [&](const auto& one) { return !kept.contains(hook_in(one.key)); };
  {
    const std::lock_guard lock(lock_);
    std::erase_if(known_, [&](const auto& one) { return !kept.contains(hook_in(one.first)); });
    for (auto& [key, known] : known_) known.hook = kept[hook_in(key)];
    std::erase_if(orders_, is_gone);
    const auto gone = std::stable_partition(waiting_.begin(), waiting_.end(), std::not_fn(is_gone));
    std::move(gone, waiting_.end(), std::back_inserter(leaving_));
    waiting_.erase(gone, waiting_.end());
  }
  restock();
}

void WarmPool::sweep() {
  {
    const std::lock_guard lock(lock_);
    while (!waiting_.empty() && SteadyClock::now() - waiting_.front().since > most_wait_) {
      leaving_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }
  restock();
}

void WarmPool::close() {
  std::vector<Waiting> all;
  {
    const std::lock_guard lock(lock_);
    is_closed_ = true;
    orders_.clear();
    all.swap(leaving_);
    std::ranges::move(waiting_, std::back_inserter(all));
    waiting_.clear();
  }
  for (Waiting& waiting : all) end(std::move(waiting));
}

Deadline WarmPool::waits_since() const {
  const std::lock_guard lock(lock_);
  return waiting_.empty() ? Deadline::max() : waiting_.front().since;
}

WarmCounts WarmPool::counts() const {
  const std::lock_guard lock(lock_);
  return {.waiting = waiting_.size(), .pending = orders_.size() + leaving_.size() + working_};
}

}  // namespace grapnel
