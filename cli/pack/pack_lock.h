#pragma once

#include <map>
#include <string>

#include "grapnel/error.h"

#include "cli/pack/source.h"

namespace grapnel::cli {

/// What the lock file says about one pack.
struct LockedPack {
  PackSource source;
  std::string revision;  ///< the commit; "" for a directory
  std::string digest;    ///< of the files as they were fetched

  bool operator==(const LockedPack&) const = default;
};

/// `packs.lock`, beside the directory `packs`: JSON that is committed with the project, so that everybody has the same
/// packs and a change of one is seen in a review.
using PackLock = std::map<std::string, LockedPack>;

/// The packs by name; empty when there is no file. Fails: BadConfig, with the position; Refused, System.
Result<PackLock> load_lock(const std::string& path);
/// Fails: Refused, System.
Result<void> save_lock(const std::string& path, const PackLock& lock);

}  // namespace grapnel::cli
