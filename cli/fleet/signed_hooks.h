#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "cli/fleet/fleet_files.h"
#include "fleet/job.h"
#include "model/hook_spec.h"

namespace grapnel::cli {

/// What a worker may run: the hooks of the published policies that say `async: fleet`. A policy counts if it is signed,
/// for the job's channel, and not older than what this worker has seen for all machines. Thread: any.
class SignedHooks {
 public:
  /// `directory`: where bundles are kept.
  SignedHooks(FleetAddress address, std::string directory)
      : address_(std::move(address)), directory_(std::move(directory)) {}

  /// The hook that the job names, with its scripts on the disk. Of the policies that are published now, the one that
  /// the machine had counts, or else the one that is for all. Fails: NotFound when there is no such hook; Unavailable
  /// when that may change by waiting; System.
  Result<HookSpec> find(Courier& courier, const fleet::Job& job);

 private:
  struct Channel {
    std::chrono::steady_clock::time_point looked{};
    std::vector<fleet::Manifest> published;
    std::string why_not;  ///< why something that is published does not count
  };

  Result<void> look(Courier& courier, const std::string& name, Channel& channel) const;
  Result<std::string> unpack(Courier& courier, const fleet::Manifest& manifest);
  int64_t floor_of(const std::string& channel) const;
  Result<void> raise_floor(const std::string& channel, int64_t version) const;

  FleetAddress address_;
  std::string directory_;
  std::mutex mutex_;
  std::map<std::string, Channel> channels_;
  std::map<std::string, std::string> packs_;  ///< by the digest of the bundle: the digest of its files
};

}  // namespace grapnel::cli
