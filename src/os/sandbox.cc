#include "os/sandbox.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>

#include <sys/stat.h>

#include "os/ancestors.h"
#include "os/call_filter.h"
#include "os/files.h"

namespace grapnel::os {
namespace {

// The names of Landlock's rights; Debian 12's headers know the first fourteen.
constexpr uint64_t kExecute = 1U << 0, kWriteFile = 1U << 1, kReadFile = 1U << 2, kReadDirectory = 1U << 3;
constexpr uint64_t kRemoveDirectory = 1U << 4, kRemoveFile = 1U << 5, kMakeDirectory = 1U << 7, kMakeFile = 1U << 8;
constexpr uint64_t kMakeSocket = 1U << 9, kMakePipe = 1U << 10, kMakeLink = 1U << 12, kMakeDevices = 1U << 6 | 1U << 11;
constexpr uint64_t kMove = 1U << 13, kTruncate = 1U << 14, kDevices = 1U << 15;

constexpr uint64_t kReading = kExecute | kReadFile | kReadDirectory;
constexpr uint64_t kWriting = kWriteFile | kRemoveDirectory | kRemoveFile | kMakeDirectory | kMakeFile | kMakeSocket |
                              kMakePipe | kMakeLink | kMakeDevices | kMove | kTruncate;
/// The rights that a file can have; the others are for directories.
constexpr uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDevices;
constexpr uint64_t kScopeSignals = 1U << 1;

constexpr int kKnowsMoves = 2, kKnowsPorts = 4;

/// What everybody may use whatever the layer says.
constexpr std::string_view kHarmlessDevices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

struct RulesetAttributes {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scoped = 0;
};

struct [[gnu::packed]] PathRule {
  uint64_t allowed = 0;
  int32_t place = -1;
};

uint64_t rights_of(int version) {
  uint64_t rights = kReading | kWriting | kDevices;
  if (version < kLandlockKnowsDevices) rights &= ~kDevices;
  if (version < kLandlockTruncates) rights &= ~kTruncate;
  if (version < kKnowsMoves) rights &= ~kMove;
  return rights;
}

/// Older versions refuse attributes that are longer than they know.
size_t size_for(int version) {
  const size_t count = version >= kLandlockKnowsSignals ? 3 : version >= kKnowsPorts ? 2 : 1;
  return count * sizeof(uint64_t);
}

std::unexpected<Error> unavailable(std::string what, int error) {
  if (error != 0) what += std::string(": ") + std::strerror(error);
  return std::unexpected(Error{Errc::Unavailable, "its sandbox cannot be set up: " + what, std::nullopt, error});
}

/// A name that does not exist allows nothing. Any other failure is one.
Result<void> allow(int ruleset, std::string_view path, uint64_t rights, const Calls& calls) {
  const UniqueFd place(calls.open_place(std::string(path).c_str()));
  if (!place) {
    // What may not be reached needs no rule.
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return {};
    return unavailable("cannot open " + std::string(path), errno);
  }
  struct stat info{};
  if (::fstat(place.get(), &info) != 0) return unavailable("cannot look at " + std::string(path), errno);
  if (!S_ISDIR(info.st_mode)) rights &= kOfFiles;
  const PathRule rule{rights, place.get()};
  if (rights != 0 && calls.landlock_allow(ruleset, &rule) != 0) {
    return unavailable("cannot allow " + std::string(path), errno);
  }
  return {};
}

/// The names of a directory that are numbers.
std::vector<pid_t> numbers_in(const std::string& directory) {
  std::vector<pid_t> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(directory.c_str()), ::closedir);
  while (const dirent* entry = list ? ::readdir(list.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    pid_t number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc()) out.push_back(number);
  }
  return out;
}

/// What the other programs of the user may start meanwhile.
constexpr uint64_t kMoreTasks = 64;

/// The kernel's limit counts all threads of the user. It only has to stop what multiplies faster than it can be
/// counted: exactly it is counted by `tagged_ids`. The kernel does not count an administrator's.
uint64_t tasks_of_user() {
  uint64_t count = 0;
  for (const pid_t pid : numbers_in("/proc")) {
    const std::string path = "/proc/" + std::to_string(pid);
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || info.st_uid != ::getuid()) continue;
    const auto status = read_file(path + "/status", 8192);
    constexpr std::string_view kThreads = "\nThreads:\t";
    const size_t at = status ? status->find(kThreads) : std::string::npos;
    uint64_t threads = 1;
    if (at != std::string::npos) {
      const char* text = status->data() + at + kThreads.size();
      std::from_chars(text, status->data() + status->size(), threads);
    }
    count += threads;
  }
  return count;
}

/// What nothing in the sandbox may end: this process and those above it, by each of the numbers that stand for one of
/// them. These are its threads, whose numbers `kill` takes for the process, and its group.
std::vector<pid_t> own_line() {
  constexpr size_t kMostProcesses = 6, kMostThreads = 32;
  std::vector<pid_t> processes = {::getpid()};
  for (const Ancestor& above : ancestors()) {
    if (processes.size() < kMostProcesses && above.pid > 1) processes.push_back(above.pid);
  }
  std::vector<pid_t> out;
  for (const pid_t process : processes) {
    out.push_back(process);
    if (const pid_t group = ::getpgid(process); group > 1) out.push_back(group);
    const std::vector<pid_t> threads = numbers_in("/proc/" + std::to_string(process) + "/task");
    out.insert(out.end(), threads.begin(), threads.begin() + std::min<ptrdiff_t>(std::ssize(threads), kMostThreads));
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

}  // namespace

SandboxMeans sandbox_means(const Calls& calls) {
  constexpr unsigned kVersion = 1;
  return {.landlock = std::max(calls.landlock_create(nullptr, 0, kVersion), 0)};
}

Result<void> Sandbox::add_layer(const SandboxLayer& layer, int version, const Calls& calls) {
  if (ruleset_count_ == kMaxLayers) return unavailable("it has too many layers", 0);
  const uint64_t known = rights_of(version);
  const uint64_t limited =
      known & ((layer.limits_reads ? kReading : 0) | (layer.limits_writes ? kWriting | kDevices : 0));
  // Each layer of its own keeps signals inside: the thread that ends the sandbox (scoped_thread.h) is outside.
  const RulesetAttributes attributes{limited, 0, version >= kLandlockKnowsSignals ? kScopeSignals : 0};
  UniqueFd ruleset(calls.landlock_create(&attributes, size_for(version), 0));
  if (!ruleset) return unavailable("Landlock", errno);
  const auto allow_all = [&](const auto& paths, uint64_t rights) -> Result<void> {
    for (const std::string_view path : paths) {
      if (auto done = allow(ruleset.get(), path, rights & limited, calls); !done) return done;
    }
    return {};
  };
  for (const auto& done :
       {allow_all(layer.read, kReading), allow_all(layer.write, (kReading | kWriting) & ~kMakeDevices),
        allow_all(kHarmlessDevices, kReadFile | kWriteFile | kTruncate | kDevices)}) {
    if (!done) return done;
  }
  rulesets_[ruleset_count_++] = std::move(ruleset);
  return {};
}

Result<std::shared_ptr<const Sandbox>> Sandbox::build(const SandboxSpec& spec, const Calls& calls) {
  const std::shared_ptr<Sandbox> out(new Sandbox());
  const int version = sandbox_means(calls).landlock;
  if (version == 0 && !spec.layers.empty()) return unavailable("this kernel has no Landlock", 0);
  bool limits_writes = false;
  for (const SandboxLayer& layer : spec.layers) {
    if (auto added = out->add_layer(layer, version, calls); !added) return std::unexpected(added.error());
    limits_writes |= layer.limits_writes;
  }
  out->scopes_signals_ = version >= kLandlockKnowsSignals;
  if (spec.layers.empty() && out->scopes_signals_) {
    if (auto added = out->add_layer({}, version, calls); !added) return std::unexpected(added.error());
  }
  CallRules rules{.allows_network = spec.allows_network, .protected_from_signals = {}};
  rules.allows_truncate = !limits_writes || version >= kLandlockTruncates;
  if (!out->scopes_signals_) rules.protected_from_signals = own_line();
  out->filter_ = call_filter(rules);
  out->program_ = {static_cast<unsigned short>(out->filter_.size()), out->filter_.data()};
  out->counts_processes_ = spec.processes > 0 && spec.processes < kManyProcesses;
  struct Wanted {
    int resource;
    uint64_t most;
    uint64_t grace = 0;
  };
  const Wanted wanted[] = {
      {RLIMIT_DATA, spec.memory},
      {RLIMIT_CPU, spec.cpu_seconds, 1},  // first a signal that says so, then the end
      {RLIMIT_FSIZE, spec.file_size},
      {RLIMIT_NPROC, out->counts_processes_ ? tasks_of_user() + 2 * spec.processes + kMoreTasks : 0},
  };
  for (const Wanted& limit : wanted) {
    rlimit64 own{};
    if (limit.most == 0) continue;
    if (calls.prlimit(0, limit.resource, nullptr, &own) != 0) return unavailable("cannot read a limit", errno);
    const uint64_t hard = std::min(own.rlim_max, limit.most + limit.grace);
    out->limits_.push_back({limit.resource, {std::min(limit.most, hard), hard}});
  }
  out->drops_capabilities_ = ::geteuid() == 0;
  return out;
}

}  // namespace grapnel::os
