#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "call/call.h"
#include "match/matcher.h"

/// Names of files.
///
/// One file has many names. There is the name that somebody wrote, made absolute without looking at the disk, and there
/// are names that lead to the same file: the one with symbolic links resolved, the one behind `/proc/self/root`, the
/// spelling in the directory where the file system ignores case. A guard for `.env` has to see through all of them. A
/// file that does not exist yet is named by the existing part of its path, with links resolved, plus the rest.
///
/// A glob is compared with the form of the name that it is written in: absolute when it starts with `/`, from the home
/// directory when it starts with `~`, otherwise relative to the project. A regex is compared with every form.
namespace grapnel::call {

/// The directories that names are relative to.
struct PathRoots {
  std::string project;       ///< absolute, normalised, as the agent calls it
  std::string real_project;  ///< the same with links resolved; "" until somebody asks for it
  std::string home;
};

/// A file and all of its names that are known.
struct FileNames {
  std::vector<std::string> names;  ///< absolute; the written one first
  bool exists = false;
  bool is_linked = false;  ///< has hard links, so other names on the disk
  dev_t dev = 0;
  ino_t ino = 0;
};

/// Makes a path absolute and removes `.`, `..` and doubled slashes, by its text alone. A leading `~` is the home
/// directory.
std::string normalise(std::string_view path, std::string_view base, std::string_view home);

/// Whether the absolute name is the directory itself or something below it.
bool is_below(std::string_view name, std::string_view directory);

/// The names of `path`, which is relative to `base`. Looks at the disk. `folds_case` overrides what the disk says about
/// case.
FileNames find_names(std::string_view path, std::string_view base, std::string_view home,
                     std::optional<bool> folds_case = std::nullopt);
/// The same when the caller already has the written name, `normalise(path, base, home)`.
FileNames find_names_of(std::string written, std::string_view path, std::string_view base,
                        std::optional<bool> folds_case = std::nullopt);

/// Whether all names of the file, including those of links to it, have the base name that is written: it is not a link,
/// no other link leads to it, and no other spelling finds it. Then a pattern about base names needs no further search.
/// Costs one system call, two for a file that exists; false when that does not settle it.
bool keeps_base_name(const std::string& written, std::string_view path, std::string_view base);

/// The path with symbolic links resolved. For a path that does not exist, its existing part is resolved.
std::string without_links(const std::string& path);

/// Whether the pattern matches the file with this absolute name. `Maybe` when a regex exceeds its limits.
Certainty matches_name(const Matcher& pattern, std::string_view name, const PathRoots& places);

/// Whether some other file name that the pattern matches is a hard link to this file. Searches the directory that the
/// pattern points to. Limit: 4,096 directory entries.
bool matches_link(const Matcher& pattern, const FileNames& file, const PathRoots& places);

/// The name to show to people: relative to the project when it is inside.
std::string shown_name(std::string_view name, const PathRoots& places);

}  // namespace grapnel::call
