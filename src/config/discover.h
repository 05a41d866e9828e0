#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/places.h"
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
};

/// What a registry depends on, so that a change can be noticed.
struct Sources {
  std::vector<std::pair<std::string, std::optional<os::FileStamp>>> stamps;  ///< every file it was read from
  std::optional<int64_t> good_until;  ///< seconds since the epoch; then a hook that was switched off is on again

  bool have_changed() const;
};

struct Discovered {
  Registry registry;
  Sources sources;
};

/// Never fails: what cannot be read is a problem in the registry.
Discovered discover(const DiscoverOptions& options);

/// Puts hooks into running order (priority, then scope, then as they came) and computes the digest.
void arrange(Registry& registry);

}  // namespace grapnel
