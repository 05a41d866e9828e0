#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "discover/discover.h"

/// What reading all hook files came to, kept for the next process.
///
/// One file for each project and way of looking for hooks, private to the user, in a directory of Grapnel's own. It
/// holds the hooks and problems as they were read and the stamps of everything that was looked at: files, directories,
/// and names at which there was nothing. It counts as long as all of that is as it was and the program is the same
/// build; else the files are read and it is written anew. What is doubtful or damaged is as good as missing.
///
/// Nothing in it says what is trusted: the trust store is read and the files of a project's hooks are hashed each time.
namespace grapnel {

/// Thread: any.
class DiscoveryCache {
 public:
  /// Without a directory, or where the user named files or objects, nothing is kept.
  explicit DiscoveryCache(const DiscoverOptions& options);

  /// What was stored, if it still holds; with an event, hooks that cannot concern it may be left out.
  std::optional<Discovered> load(const Event* only_event = nullptr) const;

  /// Keeps it, unless something in it changed so shortly before `started` that its stamp may not tell of a change
  /// since. What cannot be written is not kept.
  void store(const Discovered& discovered, std::chrono::system_clock::time_point started) const;

 private:
  void drop_old() const;

  std::string directory_;  ///< "" for none
  std::string key_;        ///< everything that decides what is read, besides files
  std::string path_;
};

}  // namespace grapnel
