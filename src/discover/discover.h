#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "discover/find/places.h"
#include "discover/tracking_needs.h"
#include "model/registry.h"
#include "os/files.h"

/// discover: finds all hooks and puts them into one registry.
///
///   find/      where hook files are, how files are layered, which hooks are switched off
///   formats/   readers, one for each file format: settings (JSON, TOML), HOOK.md, rule files
///   servers/   MCP servers in the same agents' files, for `grapnel agent`
///   cache/     keeps the result for the next process
///
/// `discover` reads the standard places of every dialect, then the files and objects that the host named. Next it
/// removes entries that call Grapnel itself, checks which project hooks the user trusts, and sorts the hooks into
/// running order. A *place* is a path where a dialect keeps hooks. A *scope* says who owns a file: managed, user,
/// project or local. A *stamp* is what the file system reports about a file; a changed stamp means that the hooks must
/// be read again.
namespace grapnel {

/// A configuration object handed in by the host.
struct ConfigObject {
  std::string dialect;
  Json value;
};

/// A file the user named; it needs no trust.
struct ExplicitFile {
  std::string path;
  std::string dialect = {};         ///< "" to detect it from the content
  std::string likely_dialect = {};  ///< decides if the content fits several equally well
};

struct DiscoverOptions {
  PlaceRoots roots;
  bool use_standard_places = true;
  const Dialect* bridged = nullptr;  ///< the agent that calls us as a hook of its own
  std::vector<ExplicitFile> files;
  std::vector<ConfigObject> objects;
  std::string trust_store;                                   ///< path
  std::optional<std::chrono::milliseconds> default_timeout;  ///< overrides the default that a file sets
  size_t max_file_bytes = size_t{16} << 20;
  std::string cache_dir = {};  ///< where the result is cached for the next process; "" for no cache
  /// Set when the registry serves only one event: hooks that cannot concern it may be left out to save time.
  const Event* only_event = nullptr;
};

/// Stamps in the form the cache keeps them (`watched_files.h`), and the buffer that owns these bytes.
struct KeptStamps {
  std::shared_ptr<const std::string> holder;
  std::string_view bytes;
};

/// Everything a registry depends on, so that a change is noticed: every file and directory that was read, and every
/// path where a file would have been read if it existed.
struct Sources {
  using Stamps = std::vector<std::pair<std::string, std::optional<os::FileStamp>>>;

  Stamps stamps;
  std::map<std::string, Stamps> of_hooks;  ///< by hook file: stamps that matter only when a hook of that file runs
  KeptStamps kept;                         ///< further stamps, as cached bytes
  std::optional<int64_t> good_until;       ///< seconds since the epoch; at that time a switched-off hook is on again

  bool have_changed() const;
  /// Replaces each missing path with its topmost missing directory: one check then covers everything below it. A path
  /// in `own`, the state directory, is not cut above it: Grapnel makes that directory itself with the first record.
  void condense(const std::string& own);
};

struct Discovered {
  Registry registry;
  Sources sources;
  bool is_whole = true;                 ///< false: hooks that cannot concern the one event are left out
  TrackingNeeds demands_left_out = {};  ///< of all hooks, when some are left out
};

/// Never fails: a file that cannot be read becomes a problem in the registry.
Discovered discover(const DiscoverOptions& options);

/// Sorts hooks into running order (priority, then scope, then the outer directory of a project first, then the order in
/// which they were found) and computes the digest.
void arrange(Registry& registry);

}  // namespace grapnel
