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
/// A file has the name somebody wrote, made absolute without looking at the disk, and the names that lead to the same
/// file: without symbolic links, with `/proc/self/root` and its like taken for what they are, as the directory spells
/// it where case does not count. A file that does not exist is named by the part of its path that does.
///
/// A pattern is compared with the form of a name it is written in: from `/`, from `~`, or from the project; a regex
/// with every form.
namespace grapnel::call {

/// What names are relative to.
struct PathRoots {
  std::string project;  ///< absolute, normal
  std::string real_project;
  std::string home;
};

/// A file by its names.
struct FileNames {
  std::vector<std::string> names;  ///< absolute; the written one first
  bool exists = false;
  bool is_linked = false;  ///< has other names on the disk
  dev_t dev = 0;
  ino_t ino = 0;
};

/// Absolute and without `.`, `..` and doubled slashes, by the text alone. `~` in front is the home.
std::string normalise(std::string_view path, std::string_view base, std::string_view home);

/// Whether the absolute name is the directory's, or of something below it.
bool is_below(std::string_view name, std::string_view directory);

/// The names of `path`, relative to `base`. Looks at the disk. `folds_case` overrides what the disk says.
FileNames find_names(std::string_view path, std::string_view base, std::string_view home,
                     std::optional<bool> folds_case = std::nullopt);
/// The same where the name is known as it is written, `normalise(path, base, home)`.
FileNames find_names_of(std::string written, std::string_view path, std::string_view base,
                        std::optional<bool> folds_case = std::nullopt);

/// Whether all names of the file, and of links to it, end as the one that is written: it is no link and has none, and
/// is found by no other spelling. One look at the disk, two where the file exists; false where they do not tell.
bool keeps_base_name(const std::string& written, std::string_view path, std::string_view base);

/// The path without symbolic links; of what does not exist, its existing part without them.
std::string without_links(const std::string& path);

/// Whether the pattern is about the file of this absolute name. A regex that runs into its limits may be.
Certainty matches_name(const Matcher& pattern, std::string_view name, const PathRoots& places);

/// Whether a file that the pattern is about has the same inode under another name. Looks where the pattern points to.
/// Limit: 4,096 directory entries.
bool matches_link(const Matcher& pattern, const FileNames& file, const PathRoots& places);

/// The name for people: relative to the project where it is in there.
std::string shown_name(std::string_view name, const PathRoots& places);

}  // namespace grapnel::call
