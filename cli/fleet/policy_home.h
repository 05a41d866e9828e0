#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/fleet/fleet_files.h"
#include "fleet/manifest.h"

/// The policy that holds on a machine:
///
///   policy.json     the manifest that was accepted, the highest version, and what was refused
///   bundle.json     the bundle, as it was fetched and checked
///   policy/now/     its files, which the engine reads as managed hooks
///   policy/before/  the files of the one before
///
/// The engine reads files and knows nothing of servers. So a machine without a network keeps the policy that it has,
/// also when that expires; but then it says so.
namespace grapnel::cli {

struct PolicyState {
  std::optional<fleet::SignedManifest> source;
  std::optional<fleet::Manifest> current;
  int64_t highest = 0;
  std::vector<std::string> refusals;  ///< of the last look
  bool was_changed_here = false;      ///< the files were not those of the bundle, and were put back

  bool is_expired(const std::string& now) const { return current && current->expires <= now; }
  /// For the heartbeat and for `status`.
  Json to_json() const;
};

class PolicyHome {
 public:
  explicit PolicyHome(const MachineHome& home) : home_(home) {}

  PolicyState load() const;

  /// Looks at what the server has for the channel, and takes over what holds for this machine. Fails: Unavailable,
  /// System; then what holds here stays.
  Result<PolicyState> refresh(Courier& courier, const MachineHome::State& machine) const;

  /// Puts the files back if somebody changed them. Fails: System.
  Result<bool> repair() const;

 private:
  Result<void> save(const PolicyState& state) const;
  Result<void> put(const std::string& bundle) const;

  MachineHome home_;
};

/// The policy of a channel, as the server has it. Fails: Unavailable.
Result<fleet::ChannelPolicy> fetch_policy(Courier& courier, const std::string& channel);

/// The text of the bundle that the manifest names. Fails: Unavailable; Refused when the server has another one.
Result<std::string> fetch_bundle(Courier& courier, const fleet::Manifest& manifest);

}  // namespace grapnel::cli
