#pragma once

#include <chrono>
#include <set>
#include <string>

#include "fleet/batch.h"

namespace grapnel::fleet {

/// What of a journal is still to be sent. The journal's own files are the outbox: nothing is written here, and a
/// program that fires events knows nothing of it. Thread: one.
class Outbox {
 public:
  /// The directory of the records.
  explicit Outbox(std::string directory) : directory_(std::move(directory)) {}

  /// The next records behind a position. If that is in no file any more, all records that are there are next: whoever
  /// has some of them already drops those. Without new records the batch has no lines and its `upto` is its `after`.
  /// Fails: System.
  Result<Batch> next(const Position& from);

  /// How many bytes of records are behind the position.
  int64_t waiting_bytes(const Position& from) const;

  /// Configurations are sent again with the next records that name them.
  void forget_registries() { sent_.clear(); }

 private:
  class Draft;

  std::string directory_;
  std::set<std::string> sent_;  ///< configurations
};

/// A batch has about so many bytes of records, and as many of configurations. A record that is longer is sent alone.
inline constexpr size_t kBatchBytes = size_t{256} << 10;
inline constexpr size_t kMaxRegistryBytes = size_t{1} << 20;

}  // namespace grapnel::fleet
