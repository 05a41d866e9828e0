#include "agent/tools/file_walk.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/clock.h"

namespace grapnel::agent {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFiles = 200'000;
/// Its files are Git's own, and there are very many of them.
constexpr std::string_view kSkippedDir = ".git";

struct Entry {
  std::string name;
  bool is_dir = false;
  bool is_link = false;
};

/// The entries of a directory; none if it cannot be read. They are sorted, because the order of a file system is
/// arbitrary and the same search should give the same result.
std::vector<Entry> entries_of(const std::string& dir) {
  std::vector<Entry> out;
  std::error_code failed;
  for (fs::directory_iterator it(dir.empty() ? "/" : dir, fs::directory_options::skip_permission_denied, failed), end;
       !failed && it != end; it.increment(failed)) {
    std::error_code unknown;
    // A link to a directory counts as a file. Following it could lead outside the workspace, or round in a circle.
    const bool is_link = it->is_symlink(unknown);
    out.push_back({it->path().filename().string(), !is_link && it->is_directory(unknown), is_link});
  }
  std::ranges::sort(out, {}, &Entry::name);
  return out;
}

/// A depth-first walk with its limits. The deadline and the number of files apply to the walk as a whole.
class Walk {
 public:
  Walk(const ToolContext& context, const std::function<bool(const WalkedFile& file)>& visit)
      : context_(context), visit_(visit), deadline_(SteadyClock::now() + context.timeout) {}

  /// Walks one directory and those below it. Returns nothing while the walk can go on.
  std::optional<WalkEnd> enter(const std::string& dir, const std::string& relative) {
    for (const Entry& entry : entries_of(dir)) {
      const std::string path = dir + '/' + entry.name;
      const std::string shown = relative.empty() ? entry.name : relative + '/' + entry.name;
      if (auto end = check()) return end;
      if (!entry.is_dir) {
        // Directories do not count, only what is visited.
        if (++files_ > kMaxFiles) return WalkEnd::TooManyFiles;
        if (!visit_({path, shown, entry.is_link})) return WalkEnd::Enough;
      } else if (entry.name != kSkippedDir) {
        if (auto end = enter(path, shown)) return end;
      }
    }
    return {};
  }

 private:
  /// Returns why the walk must end now, if it must.
  std::optional<WalkEnd> check() const {
    if (context_.cancel.stop_requested()) return WalkEnd::Cancelled;
    if (SteadyClock::now() >= deadline_) return WalkEnd::TimedOut;
    return {};
  }

  const ToolContext& context_;
  const std::function<bool(const WalkedFile& file)>& visit_;
  const Deadline deadline_;
  size_t files_ = 0;
};

}  // namespace

WalkEnd walk_files(const std::string& dir, const ToolContext& context,
                   const std::function<bool(const WalkedFile& file)>& visit) {
  return Walk(context, visit).enter(dir == "/" ? "" : dir, "").value_or(WalkEnd::Complete);
}

std::string note_of(WalkEnd end) {
  switch (end) {
    case WalkEnd::Complete:
      return "";
    case WalkEnd::Enough:
      return "[there are more results; narrow the pattern or the path]";
    case WalkEnd::TooManyFiles:
      return "[too many files; some were not searched]";
    case WalkEnd::Cancelled:
      return "[interrupted; some files were not searched]";
    case WalkEnd::TimedOut:
      return "[out of time; some files were not searched]";
  }
  return "";
}

}  // namespace grapnel::agent
