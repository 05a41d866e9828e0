#pragma once

#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/pack/pack.h"

/// Where packs come from.
///
/// A repository is fetched by the real git into a temporary bare repository, and its files are read from there as
/// objects. Nothing is ever checked out: no hook, filter or submodule of the repository runs, and no link of it can
/// lead anywhere.
namespace grapnel::cli {

struct PackSource {
  std::string text;  ///< a URL, or a directory: absolute, or relative to the base that `fetch_pack` gets
  std::string at;    ///< a branch, tag or commit; "" for the default branch
  bool is_git = false;

  bool operator==(const PackSource&) const = default;
};

/// What the words on the command line mean. A directory with `--at` is a repository. Fails: BadInput for a URL that git
/// would take as something else than an address, and for transports other than https, ssh and file.
Result<PackSource> source_from(const std::string& text, const std::string& at);

/// The name that a pack gets if the user gives none: the end of its source. "" when that is no name.
std::string usual_name(const PackSource& source);

/// Whether this can be the name of a pack: lower-case letters, digits and hyphens. Fails: BadInput.
Result<void> check_pack_name(const std::string& name);

struct FetchedPack {
  Pack pack;
  std::string revision;  ///< the commit; "" for a directory
};

/// Gets the pack. `base` is the directory that relative sources are relative to. Fails: Unavailable with git's own
/// words; NotFound, Refused, LimitExceeded, BadConfig.
Result<FetchedPack> fetch_pack(const PackSource& source, const std::string& base, const Environment& env);

}  // namespace grapnel::cli
