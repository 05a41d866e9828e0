#include "run/overuse.h"

#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include <sys/stat.h>

namespace grapnel {
namespace {

using std::chrono::milliseconds;

/// Programs that multiply double in about a millisecond. Where the limit only has to stop those, a few hundred more do
/// not matter, and short hooks are never looked at.
constexpr milliseconds kCountInterval{1}, kRareInterval{10};
/// A fast disk takes about 100 MB in this time.
constexpr milliseconds kMeasureInterval{50};
/// Looking takes at most the 20th part of the time.
constexpr int kShare = 20;

milliseconds interval_of(const ChildSandbox& sandbox) {
  return sandbox.processes < os::kManyProcesses && sandbox.processes > 0 ? kCountInterval : kRareInterval;
}

/// What a process holds of files on this disk that have no name any more. Each file is counted once.
uint64_t nameless_bytes(pid_t pid, dev_t disk, std::set<ino_t>& counted) {
  uint64_t bytes = 0;
  const std::string path = "/proc/" + std::to_string(pid) + "/fd";
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(path.c_str()), ::closedir);
  while (const dirent* entry = list ? ::readdir(list.get()) : nullptr) {
    struct stat info{};
    if (::fstatat(::dirfd(list.get()), entry->d_name, &info, 0) != 0) continue;
    const bool is_nameless = S_ISREG(info.st_mode) && info.st_nlink == 0 && info.st_dev == disk;
    if (is_nameless && counted.insert(info.st_ino).second) bytes += static_cast<uint64_t>(info.st_blocks) * kStatBlock;
  }
  return bytes;
}

}  // namespace

Overuse::Overuse(std::shared_ptr<const ChildSandbox> sandbox) : sandbox_(std::move(sandbox)) {
  if (!sandbox_ || (sandbox_->processes == 0 && !sandbox_->temporary)) return;
  const Deadline now = SteadyClock::now();
  due_ = now + (sandbox_->processes > 0 ? interval_of(*sandbox_) : kMeasureInterval);
  if (sandbox_->temporary) measure_due_ = now + kMeasureInterval;
}

std::string Overuse::look(const Process& process, const os::Calls& calls) {
  const Deadline begin = SteadyClock::now();
  if (begin < due_) return "";
  const uint32_t most = sandbox_->processes;
  std::string out;
  if (most > 0 && process.has_more_than(most, calls)) {
    out = "it ran more than " + std::to_string(most) + " processes";
  } else if (begin >= measure_due_ && is_directory_too_full(process, calls)) {
    out = "it wrote more than 1G to its $TMPDIR";
  }
  const Deadline end = SteadyClock::now();
  const auto pause = (end - begin) * kShare;
  if (begin >= measure_due_) measure_due_ = end + std::max<Deadline::duration>(kMeasureInterval, pause);
  due_ = most > 0 ? end + std::max<Deadline::duration>(interval_of(*sandbox_), pause) : measure_due_;
  return out;
}

bool Overuse::is_directory_too_full(const Process& process, const os::Calls& calls) const {
  const std::string& path = sandbox_->temporary->path();
  uint64_t bytes = sandbox_->temporary->bytes(kMostInPrivateDir);
  struct stat directory{};
  if (::stat(path.c_str(), &directory) != 0) return false;
  std::set<ino_t> counted;
  for (const pid_t pid : process.members(calls)) bytes += nameless_bytes(pid, directory.st_dev, counted);
  return bytes > kMostInPrivateDir;
}

}  // namespace grapnel
