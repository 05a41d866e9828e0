#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "discover/discover.h"

/// The result of discovery, kept on disk for the next process.
///
/// There is one file for each project and set of options, private to the user, in a directory that belongs to Grapnel.
/// It holds the hooks and problems that were read and the stamps of everything that was checked: files, directories,
/// and paths where nothing existed. It is valid as long as all stamps are unchanged and the program is the same build.
/// Otherwise discovery reads the files again and rewrites it. A damaged or doubtful cache file is treated as missing.
///
/// The cache never records trust: the trust store is read and the files of project hooks are hashed every time.
namespace grapnel {

/// Thread: any.
class DiscoveryCache {
 public:
  /// Caches nothing without a directory, or when the user named files or objects.
  explicit DiscoveryCache(const DiscoverOptions& options);

  /// The stored result if it is still valid. With an event, hooks that cannot concern it may be left out.
  std::optional<Discovered> load(const Event* only_event = nullptr) const;

  /// Stores the result, unless a file changed so shortly before `started` that its stamp might miss a later change.
  /// Errors while writing are ignored.
  void store(const Discovered& discovered, std::chrono::system_clock::time_point started) const;

 private:
  void drop_old() const;

  std::string directory_;  ///< "" for none
  std::string key_;        ///< everything except files that decides what is read
  std::string path_;
};

}  // namespace grapnel
