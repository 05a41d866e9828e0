#include "os/ancestors.h"

#include <unistd.h>

#include <charconv>
#include <optional>

#include "base/text.h"
#include "os/files.h"

namespace grapnel::os {

namespace {

/// Deeper than any real tree, in case ids are used again while it is read.
constexpr size_t kMaxAncestors = 256;
constexpr size_t kMaxStat = 4096;
constexpr size_t kMaxCommandLine = size_t{64} << 10;
/// Columns of /proc/PID/stat behind the name, counted from 0: state, parent… and the start time.
constexpr size_t kParentColumn = 1;
constexpr size_t kStartColumn = 19;

uint64_t number_in(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The line of a process in /proc, from its name on; nothing if there is none.
struct Stat {
  std::string name;
  std::vector<std::string> columns;  ///< behind the name
};
std::optional<Stat> stat_of(pid_t pid) {
  const auto text = read_file("/proc/" + std::to_string(pid) + "/stat", kMaxStat);
  if (!text) return std::nullopt;
  // The name is in brackets and may itself contain any character.
  const size_t open = text->find('(');
  const size_t close = text->rfind(") ");
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  Stat out{text->substr(open + 1, close - open - 1), {}};
  for (const std::string_view column : text::split(std::string_view(*text).substr(close + 2), ' ')) {
    out.columns.emplace_back(column);
  }
  return out.columns.size() > kStartColumn ? std::optional(std::move(out)) : std::nullopt;
}

pid_t parent_of(pid_t pid) {
  const auto stat = stat_of(pid);
  return stat ? static_cast<pid_t>(number_in(stat->columns[kParentColumn])) : 0;
}

}  // namespace

std::vector<Ancestor> ancestors(pid_t below) {
  std::vector<Ancestor> out;
  for (pid_t pid = below == 0 ? ::getppid() : parent_of(below); pid > 0 && out.size() < kMaxAncestors;) {
    const auto stat = stat_of(pid);
    if (!stat) break;
    Ancestor one{pid, stat->name, {}, number_in(stat->columns[kStartColumn])};
    const std::string line = read_file("/proc/" + std::to_string(pid) + "/cmdline", kMaxCommandLine).value_or("");
    for (const std::string_view word : text::split(line, '\0')) one.words.emplace_back(word);
    out.push_back(std::move(one));
    pid = static_cast<pid_t>(number_in(stat->columns[kParentColumn]));
  }
  return out;
}

uint64_t process_start(pid_t pid) {
  const auto stat = stat_of(pid);
  return stat ? number_in(stat->columns[kStartColumn]) : 0;
}

}  // namespace grapnel::os
