#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

/// Packs: rules, scripts and tests that several projects share.
///
///   pack.h       a pack as a value: its files and their digest
///   source.h     where packs come from: a directory, or a git repository
///   pack_lock.h  which pack came from where, at which revision, with which digest
///   pack_home.h  the packs of a project or a user: add, replace, remove, check
///
/// A pack is a directory with a `grapnel.yaml`, or with HOOK.md directories below `hooks`, or both. Its scripts lie
/// beside them, and rules call them as `{here}/scripts/…`. In a project a pack is part of the project: its hooks run
/// only after somebody has trusted them, byte for byte. The digest in the lock file is for something else: it shows
/// that a pack is still what its author published.
namespace grapnel::cli {

struct PackFile {
  std::string path;  ///< relative, with slashes
  std::string text;
  bool is_executable = false;

  bool operator==(const PackFile&) const = default;
};

struct Pack {
  std::vector<PackFile> files;  ///< sorted by path
};

/// What a pack may contain at most. Packs are rules and small scripts, not programs.
inline constexpr size_t kMaxPackFiles = 1000;
inline constexpr size_t kMaxPackBytes = size_t{16} << 20;

/// Whether so many files with so many bytes may be a pack. Fails: LimitExceeded.
Result<void> check_pack_size(size_t files, size_t bytes);

/// Whether a path of a pack is harmless: relative, without `..`, control characters or `.git`. Fails: Refused.
Result<void> check_pack_path(const std::string& path);

/// The error for what may not be in a pack: `a link`, `a submodule`.
std::unexpected<Error> no_plain_file(const std::string& path, std::string_view what);

/// Whether this is a pack at all and its hooks can be read. Fails: BadConfig.
Result<void> check_pack(const Pack& pack, const std::string& name);

/// Reads the directory. `.git` is left out. Fails: NotFound, LimitExceeded; Refused when it contains links, devices or
/// odd names.
Result<Pack> read_pack(const std::string& directory);

/// Writes the files into a new directory and puts that in the place of `directory`. Fails: System.
Result<void> write_pack(const Pack& pack, const std::string& directory);

/// One digest for all files: their names, contents and whether they are executable.
std::string digest_of(const Pack& pack);

/// The differences for people, file by file.
std::string differences(const Pack& before, const Pack& after);

/// The names of the pack's hooks.
std::vector<std::string> hook_names(const Pack& pack);

}  // namespace grapnel::cli
