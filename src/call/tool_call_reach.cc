#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>

#include <sys/stat.h>

#include "base/text.h"
#include "call/git_index.h"
#include "call/tool_call.h"
#include "dialect/payload.h"
#include "os/files.h"

/// The files that a call uses without naming them (`reach.h`). The look at the disk is bounded, and goes from the top
/// down: what lies beyond the limit counts as not there, or every search in a large directory would be stopped.
namespace grapnel::call {

namespace {

constexpr size_t kMaxSeen = 5'000;
constexpr size_t kMaxIgnoreFile = size_t{64} << 10;

/// Large directories in which nobody keeps what a guard is about.
constexpr auto kSkipped = std::to_array<std::string_view>({".git", "node_modules"});

/// Keys of the agents' search tools whose value is a glob of names.
constexpr auto kGlobKeys = std::to_array<std::string_view>({"glob", "include", "include_pattern", "globs"});

/// The names in an ignore file that have no slash, or none but at their ends. Others are left out, which means that too
/// much is reached.
std::vector<std::string> read_ignored(const std::string& path) {
  std::vector<std::string> out;
  const auto content = os::read_file(path, kMaxIgnoreFile);
  if (!content) return out;
  for (std::string_view line : text::split(*content, '\n')) {
    line = text::trim(line);
    while (line.starts_with("**/") || line.starts_with('/')) line.remove_prefix(line.starts_with('/') ? 1 : 3);
    if (!line.empty() && line[0] != '#' && line[0] != '!' && !line.contains('/')) out.emplace_back(line);
  }
  return out;
}

bool is_changed(const TrackedFile& file) {
  struct stat now{};
  if (::stat(file.name.c_str(), &now) != 0) return true;
  return static_cast<uint32_t>(now.st_mtime) != file.mtime || static_cast<uint32_t>(now.st_size) != file.size;
}

}  // namespace

/// Goes through the files of one reach, from one directory, until `is_found` is true for a name.
class ReachWalk {
 public:
  ReachWalk(const Reach& reach, size_t& seen) : reach_(reach), seen_(seen) {}

  template <typename IsFound>
  std::string find(const std::string& from, const IsFound& is_found) {
    if (reach_.of != Reach::Of::Disk) return find_tracked(from, is_found);
    if (!reach_.ignore_file.empty()) {
      for (std::string& name : read_ignored(from + "/" + reach_.ignore_file)) reach_.except.push_back(std::move(name));
    }
    struct Directory {
      std::string name;
      int depth = 0;
    };
    std::deque<Directory> due = {{from, 0}};
    for (; !due.empty(); due.pop_front()) {
      std::error_code error;
      std::filesystem::directory_iterator at(due.front().name, error);
      for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
        if (++seen_ > kMaxSeen) return "";
        const std::string name = at->path();
        const std::string base(base_name(name));
        const bool is_hidden = reach_.skips_hidden && base.starts_with('.');
        if (at->is_directory(error) && !at->is_symlink(error)) {
          const bool goes_on = due.front().depth + 1 < reach_.max_depth && !is_hidden &&
                               std::ranges::find(kSkipped, base) == kSkipped.end();
          if (goes_on) due.push_back({name, due.front().depth + 1});
        } else if (reach_.takes(base) && is_found(name)) {
          return name;
        }
      }
    }
    return "";
  }

 private:
  template <typename IsFound>
  std::string find_tracked(const std::string& from, const IsFound& is_found) const {
    for (const TrackedFile& file : tracked_files(from)) {
      if (!is_below(file.name, from) || !reach_.takes(base_name(file.name)) || !is_found(file.name)) continue;
      if (reach_.of == Reach::Of::Tracked || is_changed(file)) return file.name;
    }
    return "";
  }

  Reach reach_;
  size_t& seen_;
};

/// The agents' search tools read, or list, all files below a directory. Like the programs behind them, they leave
/// hidden files out unless a glob asks for them.
void ToolCall::add_search_tool(std::vector<Reach>& out) {
  const bool reads = is_tool(ToolKind::Grep);
  const bool names = is_tool(ToolKind::Glob);
  if (!reads && !names && !is_tool(ToolKind::Read)) return;
  const Json in = field_as(event_, event_.dialect(), Field::ToolInput);
  Reach reach{.skips_hidden = true};
  for (const std::string_view key : kGlobKeys) {
    const auto add = [&](const Json& value) {
      std::string glob = value.as_string().value_or("");
      const size_t slash = glob.rfind('/');
      if (slash != std::string::npos && slash + 1 < glob.size()) glob.erase(0, slash + 1);
      if (!glob.empty()) reach.only.push_back(std::move(glob));
    };
    add(in[key]);
    for (const Json& element : in[key].elements()) add(element);
  }
  // A list of names is about a hidden file only if it asks for hidden ones.
  if (names) {
    const std::string pattern = in["pattern"].as_string().value_or("");
    std::string name(base_name(pattern));
    if (name.starts_with('.')) reach.only.push_back(std::move(name));
  }
  if (!reads && reach.only.empty()) return;
  for (const File& file : files().files) reach.from.push_back(file.written);
  out.push_back(std::move(reach));
}

File* ToolCall::find_reached(const std::vector<Matcher>& patterns, bool lists, const SimpleCommand*& by) {
  if (!reaches_) {
    reaches_.emplace();
    if (commands() != nullptr) {
      reaches_ = reaches_of(*commands());
    } else {
      add_search_tool(*reaches_);
    }
  }
  if (reaches_->empty() && !lists) return nullptr;
  files();
  const std::vector<std::string> bases =
      commands() != nullptr ? bases_of(*commands()) : std::vector<std::string>{directory()};
  const auto is_meant = [&](const std::string& name) {
    return std::ranges::any_of(
        patterns, [&](const Matcher& pattern) { return matches_name(pattern, name, places()) != Certainty::No; });
  };
  const auto keep = [&](std::string name) {
    std::string shown = shown_name(name, places());
    reached_.push_back({.said = std::move(shown), .base = bases.front(), .written = std::move(name)});
    return &reached_.back();
  };
  size_t seen = 0;
  for (const Reach& reach : *reaches_) {
    if (reach.is_list != lists) continue;
    for (const std::string& base : bases) {
      const std::vector<std::string> here = {"."};
      for (const std::string& from : reach.from.empty() ? here : reach.from) {
        std::string name = ReachWalk(reach, seen).find(normalise(from, base, around_.home), is_meant);
        if (name.empty()) continue;
        by = reach.command;
        return keep(std::move(name));
      }
    }
  }
  if (!lists || commands() == nullptr) return nullptr;
  // Those that stand there as words, and those in quoted code that is read as commands.
  std::vector<std::string> globs = globs_in(*command_text());
  for (const SimpleCommand& command : commands()->commands) {
    for (const Word& word : command.words) {
      if (word.has_glob && word.gaps.empty()) globs.push_back(word.text);
    }
  }
  if (changes_globs(*command_text())) {
    // Then it is simpler to go through the names: a star may stand for a dot, and case may not count.
    Reach here{.ignores_case = true, .max_depth = 1};
    for (const std::string& glob : globs) {
      const size_t group = glob.find_first_of("@+!(");
      here.only.push_back(group == std::string::npos ? glob : glob.substr(0, group) + "*");
      // `**/*nv`
      const size_t slash = here.only.back().rfind('/');
      if (here.only.back().starts_with("**/")) here.only.back().erase(0, slash + 1);
      if (here.only.back().empty()) here.only.back() = "*";
    }
    for (const std::string& base : bases) {
      std::string name = here.only.empty() ? "" : ReachWalk(here, seen).find(base, is_meant);
      if (!name.empty()) return keep(std::move(name));
    }
  }
  for (const std::string& glob : globs) {
    for (const std::string& base : bases) {
      for (const std::string& name : expand_glob(glob, base).value_or(std::vector<std::string>{})) {
        const std::string whole = normalise(name, base, around_.home);
        if (is_meant(whole)) return keep(whole);
      }
    }
  }
  return nullptr;
}

}  // namespace grapnel::call
