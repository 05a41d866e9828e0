#include "call/path_name.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/text.h"
#include "base/unique_fd.h"

/// How the names of a file are found (`find_names_of`):
///
///   1. The written name comes first; it costs nothing, and most patterns are settled with it.
///   2. `/proc/<pid>/root/x` and `/proc/<pid>/cwd/x` are replaced by what they mean to the process that uses them.
///   3. One `openat2` call asks the kernel to open the path without following links. If that works, or says that the
///   file
///      does not exist, there is no link on the way, and the name is complete.
///   4. Otherwise the links are resolved, also a dangling one: writing to it creates its target.
///   5. If the directory finds the file in another case as well, the directory's own spelling is added.
///
/// A `..` behind a link is ambiguous: the kernel goes to the parent of the link's target, while tools that normalise
/// the text end elsewhere. Both names are added.
namespace grapnel::call {

namespace {

constexpr int kMaxEntries = 4096;
constexpr int kMaxLinks = 40;
constexpr std::string_view kGlobCharacters = "*?[{(!";
constexpr std::string_view kProc = "/proc/";

bool is_in_home(std::string_view path) {
  return path == "~" || path.starts_with("~/");
}

/// Whether the path surely has nothing to leave out: no part begins with a dot, and none is empty.
bool is_normal(std::string_view path) {
  bool starts_part = !path.starts_with('/');
  for (const char c : path) {
    if (starts_part && (c == '/' || c == '.')) return false;
    starts_part = c == '/';
  }
  return !starts_part;
}

/// The name relative to the project (`src/a`), or nothing for a name outside.
std::optional<std::string_view> in_project(std::string_view name, const PathRoots& places) {
  for (const std::string* root : {&places.project, &places.real_project}) {
    if (is_below(name, *root) && name.size() > root->size()) return name.substr(root->size() + 1);
  }
  return std::nullopt;
}

bool is_regex(const Matcher& pattern) {
  return pattern.syntax() == MatchSyntax::StrictRegex || pattern.syntax() == MatchSyntax::SearchRegex;
}

/// A regex that exceeds its limits may match.
Certainty compare(const Matcher& pattern, std::string_view text) {
  switch (pattern.try_match(text)) {
    case MatchOutcome::Yes:
      return Certainty::Yes;
    case MatchOutcome::Limit:
      return Certainty::Maybe;
    case MatchOutcome::No:
      return Certainty::No;
  }
  return Certainty::No;
}

/// What `/proc/<process>/root/…` or `/proc/<process>/cwd/…` leads to, as seen by the process that runs the command: its
/// root is ours, its directory is `base`. Nothing for other paths.
std::optional<std::string> through_proc(std::string_view path, std::string_view base) {
  if (!path.starts_with(kProc)) return std::nullopt;
  std::vector<std::string_view> parts = text::split(path.substr(kProc.size()), '/');
  const size_t link = parts.size() > 2 && parts[1] == "task" ? 3 : 1;
  if (parts.size() <= link || (parts[link] != "root" && parts[link] != "cwd")) return std::nullopt;
  std::string out(parts[link] == "cwd" ? base : "");
  for (size_t i = link + 1; i < parts.size(); ++i) out += "/" + std::string(parts[i]);
  return out.empty() ? "/" : out;
}

/// The result of one look at a path.
struct Glance {
  bool is_plain = false;  ///< there is no link on the way and no `..`: the path is the name, even of a missing file
  bool exists = false;
  struct stat info{};
};

/// Most paths contain no links, and the kernel can confirm that in one call. If it cannot, `is_plain` stays false and
/// the caller resolves the links.
Glance glance_at(const std::string& path) {
  Glance out;
  if (path.contains("..")) return out;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const UniqueFd file(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  out.exists = file && ::fstat(file.get(), &out.info) == 0;
  out.is_plain = out.exists || (!file && errno == ENOENT);
  return out;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

/// Resolves links step by step where `realpath` fails because the last part does not exist. A dangling link is followed
/// too: writing to it would create its target.
std::string follow(const std::string& path, int links) {
  if (std::string real = real_path(path); !real.empty()) return real;
  const size_t slash = path.rfind('/');
  if (links == 0 || slash == std::string::npos || path == "/") return normalise(path, "", "");
  const std::string parent = path.substr(0, std::max<size_t>(slash, 1));
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  if (length > 0) {
    target.resize(static_cast<size_t>(length));
    return follow(target.starts_with('/') ? target : parent + "/" + target, links - 1);
  }
  return normalise(follow(parent, links) + "/" + path.substr(slash + 1), "", "");
}

/// The text with the case of every letter switched.
std::string with_other_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') {
      c = static_cast<char>(c - 'a' + 'A');
    } else if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return out;
}

/// Whether the directory also finds the file in another case. A file with hard links is left out, because another name
/// may then be a link rather than another spelling.
bool folds_case_at(const std::string& path, const struct stat& info) {
  const size_t slash = path.rfind('/');
  const std::string other = path.substr(0, slash + 1) + with_other_case(std::string_view(path).substr(slash + 1));
  struct stat same{};
  return other != path && info.st_nlink == 1 && ::stat(other.c_str(), &same) == 0 && same.st_ino == info.st_ino &&
         same.st_dev == info.st_dev;
}

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;
Directory open_directory(const std::string& path) {
  return {::opendir(path.c_str()), &::closedir};
}

/// The spelling that the directory itself has for the file.
std::string spelled_by_directory(const std::string& path, ino_t ino) {
  const std::string parent = path.substr(0, path.rfind('/') + 1);
  const Directory directory = open_directory(parent);
  int left = kMaxEntries;
  for (const dirent* entry = nullptr; directory && left-- > 0 && (entry = ::readdir(directory.get())) != nullptr;) {
    if (entry->d_ino == ino) return parent + entry->d_name;
  }
  return path;
}

void add_name(FileNames& file, std::string name) {
  if (std::ranges::find(file.names, name) == file.names.end()) file.names.push_back(std::move(name));
}

/// Searches directories for an entry that is the same file (same inode) and that the pattern matches.
class LinkSearch {
 public:
  LinkSearch(const Matcher& pattern, const FileNames& file, const PathRoots& places)
      : pattern_(pattern), file_(file), places_(places) {}

  bool find_below(const std::string& directory, bool descends) {
    const Directory open = open_directory(directory);
    for (const dirent* entry = nullptr; open && left_ > 0 && (entry = ::readdir(open.get())) != nullptr; --left_) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      const std::string path = directory + (directory.ends_with('/') ? "" : "/") + std::string(name);
      if (entry->d_ino == file_.ino && is_same(path) && matches_name(pattern_, path, places_) != Certainty::No)
        return true;
      if (descends && entry->d_type == DT_DIR && name != ".git" && name != "node_modules" && find_below(path, true)) {
        return true;
      }
    }
    return false;
  }

 private:
  bool is_same(const std::string& path) const {
    struct stat info{};
    return ::stat(path.c_str(), &info) == 0 && info.st_dev == file_.dev && info.st_ino == file_.ino;
  }

  const Matcher& pattern_;
  const FileNames& file_;
  const PathRoots& places_;
  int left_ = kMaxEntries;
};

}  // namespace

bool is_below(std::string_view name, std::string_view directory) {
  return !directory.empty() && name.starts_with(directory) &&
         (name.size() == directory.size() || name[directory.size()] == '/');
}

/// Walks the parts of the base and the path; `..` removes the last part that was kept.
std::string normalise(std::string_view path, std::string_view base, std::string_view home) {
  std::string out;
  const auto walk = [&out](std::string_view text) {
    if (is_normal(text)) {
      if (!text.starts_with('/')) out += '/';
      out += text;
      return;
    }
    for (size_t from = 0; from < text.size();) {
      const size_t end = std::min(text.find('/', from), text.size());
      const std::string_view part = text.substr(from, end - from);
      from = end + 1;
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        out.resize(out.empty() ? 0 : out.rfind('/'));
      } else {
        (out += '/') += part;
      }
    }
  };
  const bool is_home = is_in_home(path);
  const std::string_view before = is_home ? home : path.starts_with('/') ? "" : base;
  out.reserve(before.size() + 1 + path.size());
  walk(before);
  walk(is_home ? path.substr(1) : path);
  if (out.empty()) out = "/";
  return out;
}

/// Directories cannot have hard links; a regular file has none when its link count is 1.
bool keeps_base_name(const std::string& written, std::string_view path, std::string_view base) {
  if (path.contains("..") || base.contains("..") || written.starts_with(kProc)) return false;
  struct stat info{};
  if (::lstat(written.c_str(), &info) != 0) return errno == ENOENT;
  const bool is_one = S_ISDIR(info.st_mode) || (S_ISREG(info.st_mode) && info.st_nlink == 1);
  return is_one && !folds_case_at(written, info);
}

std::string without_links(const std::string& path) {
  return glance_at(path).is_plain ? normalise(path, "", "") : follow(path, kMaxLinks);
}

FileNames find_names(std::string_view path, std::string_view base, std::string_view home,
                     std::optional<bool> folds_case) {
  return find_names_of(normalise(path, base, home), path, base, folds_case);
}

FileNames find_names_of(std::string written, std::string_view path, std::string_view base,
                        std::optional<bool> folds_case) {
  FileNames file;
  file.names.push_back(std::move(written));
  std::string plain = file.names[0];
  // The kernel resolves a link before it applies the `..` behind it, so such a path must not be normalised first.
  const bool climbs = !is_in_home(path) && (path.contains("..") || base.contains(".."));
  std::string walked = climbs ? std::string(path.starts_with('/') ? "" : base) + "/" + std::string(path) : plain;
  // The path behind /proc may lead through /proc again.
  for (int i = 0; i < 8; ++i) {
    auto meant = through_proc(plain, base);
    if (!meant) break;
    walked = std::move(*meant);
    plain = normalise(walked, "", "");
    add_name(file, plain);
  }
  Glance seen = glance_at(walked);
  // For a file that does not exist yet, and no link on the way, the written name is the only one.
  const bool is_new = seen.is_plain && !seen.exists && !climbs && !folds_case.value_or(false);
  if (is_new && file.names.back() == plain) return file;
  const std::string real = seen.is_plain ? std::move(plain) : follow(walked, kMaxLinks);
  if (!seen.is_plain) seen.exists = ::stat(walked.c_str(), &seen.info) == 0;
  const struct stat& info = seen.info;
  file.exists = seen.exists;
  add_name(file, real);
  // Tools that remove `..` by the text alone end at another file.
  if (path.contains("..")) add_name(file, without_links(file.names[0]));
  if (file.exists) {
    file.dev = info.st_dev;
    file.ino = info.st_ino;
    file.is_linked = S_ISREG(info.st_mode) && info.st_nlink > 1;
  }
  if (folds_case.value_or(file.exists && folds_case_at(real, info))) {
    add_name(file, text::to_lower(real));
    if (file.exists) add_name(file, spelled_by_directory(real, file.ino));
  }
  return file;
}

/// A pattern that starts with `**` is about any directory, also one outside of the project, so it is compared with both
/// forms.
Certainty matches_name(const Matcher& pattern, std::string_view name, const PathRoots& places) {
  const auto relative = in_project(name, places);
  if (is_regex(pattern)) {
    const Certainty whole = compare(pattern, name);
    return relative && whole != Certainty::Yes ? std::max(whole, compare(pattern, *relative)) : whole;
  }
  const std::string_view text = pattern.pattern();
  if (text.starts_with('~')) {
    return is_below(name, places.home) ? compare(pattern, "~" + std::string(name.substr(places.home.size())))
                                       : Certainty::No;
  }
  if (text.starts_with('/') || !relative) return compare(pattern, name);
  const Certainty inside = compare(pattern, *relative);
  const bool is_about_both = text.starts_with("**") && inside != Certainty::Yes;
  return is_about_both ? std::max(inside, compare(pattern, name)) : inside;
}

/// Without wildcards there is only one name to check. With wildcards the search starts at the part of the pattern in
/// front of the first one, and descends only if the pattern can match below that directory.
bool matches_link(const Matcher& pattern, const FileNames& file, const PathRoots& places) {
  const std::string_view text = pattern.pattern();
  if (!file.exists || is_regex(pattern) || text.empty() || text.starts_with('!')) return false;
  const size_t special = text.find_first_of(kGlobCharacters);
  if (special == std::string_view::npos) {
    struct stat info{};
    const std::string path = normalise(text, places.project, places.home);
    return ::stat(path.c_str(), &info) == 0 && info.st_dev == file.dev && info.st_ino == file.ino;
  }
  if (!file.is_linked) return false;
  const size_t slash = text.substr(0, special).rfind('/');
  const std::string_view fixed = slash == std::string_view::npos ? "." : text.substr(0, std::max<size_t>(slash, 1));
  const bool descends = text.contains("**") || !text.contains('/') || text.substr(special).contains('/');
  return LinkSearch(pattern, file, places).find_below(normalise(fixed, places.project, places.home), descends);
}

std::string shown_name(std::string_view name, const PathRoots& places) {
  return std::string(in_project(name, places).value_or(name));
}

}  // namespace grapnel::call
