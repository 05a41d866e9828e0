#include "record/lost_records.h"

#include <unistd.h>

#include "base/text.h"
#include "os/files.h"

namespace grapnel {

namespace {

constexpr size_t kMaxLostFile = size_t{1} << 20;  ///< beyond this size the exact number does not matter
constexpr size_t kMaxWhy = 200;

/// Returns false if the line cannot be written there, so that the next directory is tried.
bool append_line(const std::string& directory, const std::string& line) {
  const std::string path = directory + std::string(kLostFile);
  const auto there = os::stamp(path);
  if (there && static_cast<size_t>(there->size) > kMaxLostFile) return true;
  if (!os::stamp(directory) && !os::make_dirs(directory, 0700)) return false;
  return os::append_file(path, line, 0600).has_value();
}

/// Error messages may contain newlines, but the file has one line per loss.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text::cap(text, kMaxWhy);
}

}  // namespace

LostRecords::LostRecords(const std::string& directory, const std::string& fallback_dir) : directories_{directory} {
  if (!fallback_dir.empty()) directories_.push_back(fallback_dir);
}

/// Never fails: if nothing can be written, the loss is at least counted.
void LostRecords::note(const std::string& time, const std::string& why) noexcept {
  const std::string line = time + " " + one_line(why) + "\n";
  for (const std::string& directory : directories_) {
    if (append_line(directory, line)) return;
  }
  // No directory is writable.
  ++unnoted_;
}

LostReport read_lost(const std::string& directory) {
  LostReport report;
  const auto text = os::read_file(directory + std::string(kLostFile), 2 * kMaxLostFile);
  if (!text) return report;
  for (const std::string_view line : text::split(*text, '\n')) {
    if (line.empty()) continue;
    const size_t blank = line.find(' ');
    ++report.count;
    // Lines are in order of time, so the last line wins and the first one sets `since`.
    report.last = line.substr(0, blank);
    report.why = blank == std::string_view::npos ? "" : line.substr(blank + 1);
    if (report.since.empty()) report.since = report.last;
  }
  return report;
}

void forget_lost(const std::string& directory, const std::string& oldest_kept) {
  const LostReport report = read_lost(directory);
  if (report.count > 0 && report.last < oldest_kept) ::unlink((directory + std::string(kLostFile)).c_str());
}

}  // namespace grapnel
