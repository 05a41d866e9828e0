#include "os/tag.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <sys/random.h>

#include "base/unique_fd.h"
#include "os/ancestors.h"
#include "os/files.h"

/// The layout of a tag. Both limits have 62 bits that we use: a mark that tells them from limits that somebody else
/// set, and one field of 20 bits per level. A level that is not taken yet is all ones, so that each level can only be
/// lower than the one above: without privileges, limits can only be lowered. The soft limit must not be above the hard
/// one, so its mark is smaller.
///
///     hard  01 [level 1] [level 2] [level 3]
///     soft  00 [level 1] [level 2] [level 3]
namespace grapnel::os {
namespace {

constexpr unsigned kLevels = 3;
constexpr unsigned kFieldBits = 20;
constexpr uint64_t kField = (uint64_t{1} << kFieldBits) - 1;
constexpr uint64_t kHardMark = uint64_t{1} << (kLevels * kFieldBits);
constexpr uint64_t kAllOnes = kHardMark - 1;
/// The soft limit of the most deeply nested child still has to be out of reach: 2^58 microseconds are 9000 years.
constexpr uint64_t kTopBit = uint64_t{1} << (kFieldBits - 1);

/// More ids than this are not asked one by one: reading the list of processes is quicker then.
constexpr pid_t kMaxAsked = 4096;
constexpr int kQuietRounds = 2;
constexpr timespec kRoundPause{.tv_sec = 0, .tv_nsec = 200'000};

unsigned shift_of(unsigned level) {
  return (kLevels - level) * kFieldBits;
}

/// The bits that all processes of this level and below share.
uint64_t mask_of(unsigned level) {
  return kAllOnes & ~((uint64_t{1} << shift_of(level)) - 1);
}

bool is_tagged(const rlimit64& limit) {
  return (limit.rlim_max & ~kAllOnes) == kHardMark && (limit.rlim_cur & ~kAllOnes) == 0;
}

/// How many levels of a tag are taken.
unsigned level_of(const rlimit64& limit) {
  if (!is_tagged(limit)) return 0;
  unsigned level = 0;
  while (level < kLevels && ((limit.rlim_max >> shift_of(level + 1)) & kField) != kField) ++level;
  return level;
}

/// The number of the process that was started last on this machine, or in this container; 0 if it is unknown.
pid_t last_pid(const Calls& calls) {
  const UniqueFd file(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text{};
  const ssize_t size = file ? calls.read(file.get(), text.data(), text.size()) : -1;
  if (size <= 0) return 0;
  std::string_view line(text.data(), static_cast<size_t>(size));
  line.remove_prefix(line.rfind(' ') + 1);
  pid_t pid = 0;
  std::from_chars(line.data(), line.data() + line.size(), pid);
  return pid;
}

/// The next number of a line of /proc/PID/limits, which may be the word `unlimited`.
uint64_t next_limit(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  uint64_t number = RLIM64_INFINITY;
  std::from_chars(line.data(), line.data() + line.size(), number);
  line.remove_prefix(std::min(line.find(' '), line.size()));
  return number;
}

/// The same limit from the file that everybody may read.
bool read_limit(pid_t pid, rlimit64& limit) {
  constexpr std::string_view kLine = "Max realtime timeout";
  const auto limits = read_file("/proc/" + std::to_string(pid) + "/limits", 8192);
  const size_t at = limits ? limits->find(kLine) : std::string::npos;
  if (at == std::string::npos) return false;
  std::string_view line = std::string_view(*limits).substr(at + kLine.size());
  limit.rlim_cur = next_limit(line);
  limit.rlim_max = next_limit(line);
  return true;
}

/// The kernel lets only the same user *and group* ask for limits; a program with a group of its own (`ssh-agent`) can
/// be killed all the same.
bool carries(pid_t pid, const Tag& tag, const Calls& calls) {
  rlimit64 limit{};
  if (calls.prlimit(pid, RLIMIT_RTTIME, nullptr, &limit) == 0) return has_tag(limit, tag);
  return errno == EPERM && read_limit(pid, limit) && has_tag(limit, tag);
}

/// The value of a line of /proc/PID/status. The name, which may contain anything, has its line breaks escaped there.
std::string_view status_line(std::string_view status, std::string_view key) {
  const size_t at = status.find(key);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = status.substr(at + key.size());
  return rest.substr(0, rest.find('\n'));
}

/// Whether it is a process that runs: not one of the threads of a process, and not one that has exited and waits to be
/// reaped.
bool is_running(pid_t pid) {
  const auto status = read_file("/proc/" + std::to_string(pid) + "/status", 8192);
  if (!status) return false;
  const std::string_view state = status_line(*status, "\nState:\t");
  if (state.empty() || state.front() == 'Z' || state.front() == 'X') return false;
  return status_line(*status, "\nTgid:\t") == std::to_string(pid);
}

/// Calls `take` for the ids from `first` to `last`.
template <typename Take>
void ask_each(pid_t first, pid_t last, const Tag& tag, const Calls& calls, Take take) {
  for (pid_t pid = first; pid <= last; ++pid) {
    if (carries(pid, tag, calls)) take(pid);
  }
}

/// Calls `take` for the processes of the list of all processes.
template <typename Take>
void ask_all(const Tag& tag, const Calls& calls, Take take) {
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir("/proc"), ::closedir);
  while (const dirent* entry = list ? ::readdir(list.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) continue;
    if (carries(pid, tag, calls)) take(pid);
  }
}

/// Ids are given out in order, so a descendant has a higher one than its ancestor, until they start again from below.
/// Returns the last id at the beginning.
template <typename Take>
pid_t ask_since(pid_t leader, const Tag& tag, const Calls& calls, Take take) {
  const pid_t last = last_pid(calls);
  if (last >= leader && last - leader <= kMaxAsked) {
    ask_each(leader + 1, last, tag, calls, take);
  } else {
    ask_all(tag, calls, take);
  }
  return last;
}

/// Asks for the ids after this one, until there are no new ones. So the last one is asked when it is brand-new, before
/// it can have ended. It is asked twice: an id is given out a moment before the process has it.
template <typename Take>
void ask_newest(pid_t last, const Tag& tag, const Calls& calls, Take take) {
  for (pid_t next = last_pid(calls); next > last && next - last <= kMaxAsked; next = last_pid(calls)) {
    ask_each(last, next, tag, calls, take);
    last = next;
  }
  if (last > 0) ask_each(last, last, tag, calls, take);
}

}  // namespace

bool can_tag() {
  return true;
}

Tag new_tag(const Calls& calls) {
  rlimit64 own{};
  if (calls.prlimit(0, RLIMIT_RTTIME, nullptr, &own) != 0) return {};
  const unsigned level = level_of(own) + 1;
  // Somebody has set the limit for what it is for: it stays as it is.
  const bool is_free = own.rlim_cur == RLIM64_INFINITY && own.rlim_max == RLIM64_INFINITY;
  if (level > kLevels || (level == 1 && !is_free)) return {};
  uint64_t random = 0;
  if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) return {};
  const uint64_t above_hard = level == 1 ? kAllOnes : own.rlim_max & kAllOnes;
  const uint64_t above_soft = level == 1 ? kAllOnes : own.rlim_cur & kAllOnes;
  const auto put = [&](uint64_t above, uint64_t field) {
    return (above & ~(kField << shift_of(level))) | (field << shift_of(level));
  };
  Tag tag{.limit = {}, .level = level};
  tag.limit.rlim_max = kHardMark | put(above_hard, random % kField);  // never all ones, which means "not taken"
  tag.limit.rlim_cur = put(above_soft, (random >> 32U) % (kTopBit - 1) + kTopBit);
  return tag;
}

bool has_tag(const rlimit64& limit, const Tag& tag) {
  if (tag.level == 0 || !is_tagged(limit)) return false;
  const uint64_t mask = mask_of(tag.level);
  return ((limit.rlim_max ^ tag.limit.rlim_max) & mask) == 0 && ((limit.rlim_cur ^ tag.limit.rlim_cur) & mask) == 0;
}

std::vector<Remaining> find_tagged(const Tag& tag, pid_t leader, const Calls& calls) {
  constexpr size_t kMost = 64;
  std::vector<Remaining> out;
  if (tag.level == 0) return out;
  ask_since(leader, tag, calls, [&](pid_t pid) {
    if (out.size() == kMost || !is_running(pid)) return;
    auto name = read_file("/proc/" + std::to_string(pid) + "/comm", 64);
    while (name && name->ends_with('\n')) name->pop_back();
    out.push_back({pid, process_start(pid), name.value_or("")});
  });
  return out;
}

std::vector<pid_t> tagged_ids(const Tag& tag, pid_t leader, size_t most, const Calls& calls) {
  std::vector<pid_t> out;
  if (tag.level == 0) return out;
  ask_since(leader, tag, calls, [&](pid_t pid) {
    if (out.size() < most && is_running(pid)) out.push_back(pid);
  });
  return out;
}

/// A process may start another one and end before we get to it, so one look proves nothing. A chain of forks adds an id
/// about every 100 microseconds: each look ends with the newest ids, kills first and asks later, and one that is seen
/// for the first time is a sign of life, even if it has ended meanwhile. When two looks in a row found nothing, the
/// whole list of processes must have nothing either.
bool end_tagged(const Tag& tag, pid_t leader, Deadline give_up, const Calls& calls) {
  if (tag.level == 0) return true;
  std::set<pid_t> met;
  for (int quiet = 0;;) {
    size_t alive = 0;
    bool is_new = false;
    bool is_refused = false;  // one runs as another user: waiting does not help
    const auto end = [&](pid_t pid) {
      const bool may_end = calls.kill(pid, SIGKILL) == 0 || errno != EPERM;
      is_new |= met.insert(pid).second;
      if (!is_running(pid)) return;
      if (may_end) {
        ++alive;
      } else {
        is_refused = true;
      }
    };
    const bool is_last_look = quiet >= kQuietRounds;
    if (is_last_look) {
      const pid_t last = last_pid(calls);
      ask_all(tag, calls, end);
      ask_newest(last, tag, calls, end);
    } else {
      ask_newest(ask_since(leader, tag, calls, end), tag, calls, end);
    }
    const bool is_quiet = alive == 0 && !is_new;
    if (is_last_look && is_quiet) return !is_refused;
    quiet = is_quiet ? quiet + 1 : 0;
    if (SteadyClock::now() >= give_up) return false;
    // Those that were killed need the processor to end.
    if (alive > 0) calls.ppoll(nullptr, 0, &kRoundPause, nullptr);
  }
}

}  // namespace grapnel::os
