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

/// discover: hook files, explicit files and configuration objects into one registry.
namespace grapnel {

/// A configuration object handed in by the host.
struct ConfigObject {
  std::string dialect;
  Json value;
};

/// A file the user named; it needs no trust.
struct ExplicitFile {
  std::string path;
  std::string dialect = {};  ///< "" to tell by its content
};

struct DiscoverOptions {
  PlaceRoots roots;
  bool use_standard_places = true;
  const Dialect* bridged = nullptr;  ///< the agent that calls us as a hook of its own
  std::vector<ExplicitFile> files;
  std::vector<ConfigObject> objects;
  std::string trust_store;                                   ///< path
  std::optional<std::chrono::milliseconds> default_timeout;  ///< over every file's own default
  size_t max_file_bytes = size_t{16} << 20;
  std::string cache_dir = {};  ///< where what was read is kept for the next process; "" for nowhere
  /// When it is for one event: hooks that cannot concern it may be left out, where that saves reading them.
  const Event* only_event = nullptr;
};

/// Stamps as they are kept for the next process (`watched_files.h`), and who holds these bytes.
struct KeptStamps {
  std::shared_ptr<const std::string> holder;
  std::string_view bytes;
};

/// What a registry depends on, so that a change can be noticed: every file and directory it was read from, and every
/// name at which something would have been read.
struct Sources {
  using Stamps = std::vector<std::pair<std::string, std::optional<os::FileStamp>>>;

  Stamps stamps;
  std::map<std::string, Stamps> of_hooks;  ///< by the file a hook is in: what matters when it runs, and only then
  KeptStamps kept;                         ///< more of what `stamps` are
  std::optional<int64_t> good_until;       ///< seconds since the epoch; then a hook that was switched off is on again

  bool have_changed() const;
  /// Of what is not there, keeps the first directory on the way that is not there either: one look tells about all
  /// below it.
  void condense();
};

struct Discovered {
  Registry registry;
  Sources sources;
  bool is_whole = true;                 ///< false: hooks that cannot concern the one event are left out
  TrackingNeeds demands_left_out = {};  ///< of all hooks, when some are left out
};

/// Never fails: what cannot be read is a problem in the registry.
Discovered discover(const DiscoverOptions& options);

/// Puts hooks into running order (priority, then scope, then as they came) and computes the digest.
void arrange(Registry& registry);

}  // namespace grapnel
