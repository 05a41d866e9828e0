#include "protect/places.h"

#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"

/// How names are compared with places.
///
/// Every place is known by two names in lower case: as spelled, and with links resolved. A name that a tool writes gets
/// the same two forms, and one equal pair is enough. So it does not matter whether the link is in the name of the place
/// or in the name that the tool uses. Hard links have nothing in common but the inode, and are compared by that.
namespace grapnel::protect {

namespace {

/// Links may lead to links, and in circles.
constexpr int kMaxSteps = 256;

/// Whether an absolute name contains no `.`, `..`, doubled or trailing slash. Nearly all names are normal already.
bool is_normal(std::string_view path) {
  if (!path.starts_with('/') || (path.size() > 1 && path.ends_with('/'))) return false;
  for (size_t slash = 0; slash + 1 < path.size();) {
    const size_t end = std::min(path.find('/', slash + 1), path.size());
    const std::string_view part = path.substr(slash + 1, end - slash - 1);
    if (part.empty() || part == "." || part == "..") return false;
    slash = end;
  }
  return true;
}

/// The name without `.`, `..`, doubled and trailing slashes, by its text alone.
std::string normal(const std::string& path) {
  if (is_normal(path)) return path;
  std::string out = std::filesystem::path(path).lexically_normal();
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

/// A link that leads nowhere exists too.
bool exists(const std::string& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0;
}

/// The forms of a name that are compared, in lower case: as spelled, and resolved if that differs.
std::vector<std::string> folded(const std::string& path, std::string_view resolved) {
  std::vector<std::string> names;
  names.push_back(text::to_lower(is_normal(path) ? path : normal(path)));
  if (resolved == path) return names;
  if (std::string real = text::to_lower(resolved); real != names.front()) names.push_back(std::move(real));
  return names;
}

std::vector<std::string> names_of(const std::string& path) {
  return folded(path, resolve_links(path));
}

/// Resolves the links of many names, and remembers their directories: one system call for each component that is new.
/// Places have most of their directories in common.
class LinkResolver {
 public:
  std::string resolve(const std::string& path) {
    return is_normal(path) ? resolve_normal(path).name : resolve_links(path);
  }

 private:
  struct Resolved {
    std::string name;
    bool exists = true;
  };

  const Resolved& resolve_normal(const std::string& path) {
    const auto [at, is_new] = known_.try_emplace(path);
    if (!is_new || path == "/") {
      if (is_new) at->second.name = "/";
      return at->second;
    }
    const size_t slash = path.rfind('/');
    const Resolved& parent = resolve_normal(slash == 0 ? "/" : path.substr(0, slash));
    Resolved own{(parent.name == "/" ? "" : parent.name) + path.substr(slash), false};
    // `readlink` answers two questions at once: success means a link, EINVAL means that it exists and is no link. The
    // target itself is not needed here, so one byte is enough.
    std::array<char, 1> target{};
    if (parent.exists && ::readlink(own.name.c_str(), target.data(), target.size()) > 0) {
      own.name = resolve_links(own.name);
      own.exists = exists(own.name);
    } else {
      own.exists = parent.exists && errno == EINVAL;
    }
    return at->second = std::move(own);
  }

  std::map<std::string, Resolved> known_;
};

/// Whether `name` is inside the directory, at any depth.
bool is_below(std::string_view name, std::string_view directory) {
  if (directory == "/") return name.size() > 1;
  return name.size() > directory.size() && name.starts_with(directory) && name[directory.size()] == '/';
}

/// Whether `name` is a script directly in the directory.
bool is_script_in(std::string_view name, std::string_view directory) {
  constexpr auto kEndings =
      std::to_array<std::string_view>({".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl"});
  return is_below(name, directory) && name.rfind('/') == directory.size() &&
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The first `count` components of an absolute name.
std::string head(std::string_view name, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count; ++i) end = std::min(name.find('/', end + 1), name.size());
  return std::string(name.substr(0, end));
}

/// The number of components of an absolute name.
size_t depth(std::string_view name) {
  return static_cast<size_t>(std::ranges::count(name, '/'));
}

/// As a shell matches: a `*` stops at slashes, and does not match a leading dot.
bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

/// Whether a component of a name says that a place is meant. Components that many other files have too do not.
bool is_telling(std::string_view component) {
  constexpr auto kCommon = std::to_array<std::string_view>({".config", ".local", ".cache", ".git"});
  const bool is_common = std::ranges::find(kCommon, component) != kCommon.end();
  return (component.size() > 2 && component.starts_with('.') && !is_common) || component == "grapnel";
}

}  // namespace

std::string resolve_links(const std::string& path) {
  // `realpath` needs a file that exists. If it fails, cut off the last component, or follow it if it is a link to a
  // file that does not exist, and try again.
  std::string rest;
  std::string at = path;
  for (int step = 0; step < kMaxSteps && at.size() > 1; ++step) {
    std::array<char, PATH_MAX> buffer{};
    if (::realpath(at.c_str(), buffer.data()) != nullptr) return normal(buffer.data() + rest);
    const ssize_t length = ::readlink(at.c_str(), buffer.data(), buffer.size());
    const size_t slash = at.rfind('/');
    if (slash == std::string::npos) break;
    if (length > 0) {
      const std::string target(buffer.data(), static_cast<size_t>(length));
      at = target.starts_with('/') ? target : at.substr(0, slash + 1) + target;
    } else {
      rest.insert(0, at.substr(slash));
      at.resize(slash);
    }
  }
  return normal(at + rest);
}

const ProtectedPlaces::Found& ProtectedPlaces::Kind::found() const {
  std::call_once(is_found_, [&] { found_ = look_up(find_()); });
  return found_;
}

ProtectedPlaces::Found ProtectedPlaces::look_up(std::vector<ProtectedPlace> places) {
  Found out;
  out.reserve(places.size());  // `seen` points into the entries, so they must not move
  LinkResolver links;
  std::set<std::pair<std::string_view, bool>> seen;
  for (ProtectedPlace& place : places) {
    if (!place.path.starts_with('/') || seen.contains({place.path, place.is_tree})) continue;
    std::vector<std::string> names = folded(place.path, links.resolve(place.path));
    const Entry& entry = out.emplace_back(std::move(place), std::move(names));
    seen.emplace(entry.place.path, entry.place.is_tree);
  }
  return out;
}

const ProtectedPlace* ProtectedPlaces::first(const auto& find) const {
  const ProtectedPlace* place = find(fixed_.found());
  return place != nullptr ? place : find(scripts_.found());
}

const ProtectedPlace* ProtectedPlaces::named(const Found& found, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const Entry& entry : found) {
      for (const std::string& own : entry.names) {
        const bool is_it = entry.place.holds_scripts ? is_script_in(name, own)
                                                     : name == own || (entry.place.is_tree && is_below(name, own));
        if (is_it) return &entry.place;
      }
    }
  }
  return nullptr;
}

/// In three steps, so that most names need few system calls: fixed places by name; then, if the file exists, scripts by
/// name; then both by inode. A script that is protected exists, so a name without a file leads to none, even if the
/// file system ignores case.
const ProtectedPlace* ProtectedPlaces::at(const std::string& path) const {
  const std::vector<std::string> names = names_of(path);
  if (const ProtectedPlace* place = named(fixed_.found(), names)) return place;
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
  if (const ProtectedPlace* place = named(scripts_.found(), names)) return place;
  // The inode is only needed for a file with several hard links, or with letters for which the file system may ignore
  // case although `to_lower` does not.
  const bool is_ascii = std::ranges::all_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (info.st_nlink < 2 && is_ascii) return nullptr;
  return first([&](const Found& found) { return same_file(found, info); });
}

const ProtectedPlace* ProtectedPlaces::same_file(const Found& found, const struct stat& info) {
  for (const Entry& entry : found) {
    struct stat own{};
    const bool is_same =
        ::stat(entry.place.path.c_str(), &own) == 0 && own.st_ino == info.st_ino && own.st_dev == info.st_dev;
    if (is_same) return &entry.place;
  }
  return nullptr;
}

const ProtectedPlace* ProtectedPlaces::below(const std::string& path) const {
  const std::vector<std::string> names = names_of(path);
  return first([&](const Found& found) -> const ProtectedPlace* {
    for (const std::string& name : names) {
      for (const Entry& entry : found) {
        const bool is_inside = std::ranges::any_of(entry.names, [&](const auto& own) { return is_below(own, name); });
        if (is_inside && !entry.place.is_among_others && exists(entry.place.path)) return &entry.place;
      }
    }
    return nullptr;
  });
}

std::vector<std::pair<const ProtectedPlace*, std::string>> ProtectedPlaces::rests_below(const std::string& path) const {
  std::vector<std::pair<const ProtectedPlace*, std::string>> out;
  for (const std::string& name : names_of(path)) {
    for (const Kind* kind : {&fixed_, &scripts_}) {
      for (const Entry& entry : kind->found()) {
        const std::string own = normal(entry.place.path);
        if (entry.place.is_among_others) continue;
        if (is_below(text::to_lower(own), name))
          out.emplace_back(&entry.place, own.substr(name == "/" ? 0 : name.size()));
      }
    }
  }
  return out;
}

const ProtectedPlace* ProtectedPlaces::like(const std::string& pattern) const {
  const std::string wanted = text::to_lower(normal(pattern));
  const size_t parts = depth(wanted);
  return first([&](const Found& found) -> const ProtectedPlace* {
    for (const Entry& entry : found) {
      if (entry.place.holds_scripts) continue;
      for (const std::string& own : entry.names) {
        const size_t own_parts = depth(own);
        // The pattern fits a directory above the place, or the place itself, or something inside a protected directory.
        if (parts < own_parts) {
          if (!entry.place.is_among_others && matches(wanted, head(own, parts)) && exists(entry.place.path))
            return &entry.place;
        } else if ((parts == own_parts || entry.place.is_tree) && matches(head(wanted, own_parts), own)) {
          return &entry.place;
        }
      }
    }
    return nullptr;
  });
}

const ProtectedPlace* ProtectedPlaces::ending(std::string_view tail) const {
  const std::string wanted = text::to_lower(tail);
  if (!wanted.contains('/') || wanted == "/") return nullptr;
  // The text before the first slash belongs to a component whose beginning is unknown, so it proves nothing.
  const std::string from_slash = wanted.substr(wanted.find('/'));
  return first([&](const Found& found) -> const ProtectedPlace* {
    for (const Entry& entry : found) {
      if (entry.place.holds_scripts) continue;
      for (const std::string& own : entry.names) {
        if (own.ends_with(from_slash)) return &entry.place;
        // Inside a protected directory: the tail contains the name of that directory, if it is a telling one.
        if (!entry.place.is_tree) continue;
        const std::string_view last = std::string_view(own).substr(own.rfind('/'));
        const bool is_inside = is_telling(last.substr(1)) && (from_slash + "/").contains(std::string(last) + "/");
        if (is_inside) return &entry.place;
      }
    }
    return nullptr;
  });
}

bool ProtectedPlaces::is_mentioned(std::string_view text) const {
  std::string plain = text::to_lower(text);
  // Quotes and backslashes may split a name: `.cla"ude"`.
  std::erase_if(plain, [](char c) { return c == '\'' || c == '"' || c == '\\'; });
  // The name must end where it ends in the text: `.github` is not in `raw.githubusercontent.com`.
  const auto is_in_text = [&](std::string_view part) {
    if (!is_telling(part)) return false;
    const std::string wanted = text::to_lower(part);
    for (size_t at = plain.find(wanted); at != std::string::npos; at = plain.find(wanted, at + 1)) {
      const size_t end = at + wanted.size();
      if (end == plain.size() || std::isalnum(static_cast<unsigned char>(plain[end])) == 0) return true;
    }
    return false;
  };
  const auto mentions = [&](const Kind& kind) {
    return std::ranges::any_of(kind.found(), [&](const Entry& entry) {
      return std::ranges::any_of(text::split(entry.place.path, '/'), is_in_text);
    });
  };
  return mentions(fixed_) || mentions(scripts_);
}

}  // namespace grapnel::protect
