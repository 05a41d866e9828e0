#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/hook_spec.h"

namespace grapnel {

/// What the settings permit all `http` hooks of a dialect. Without settings, a hook may post to public addresses only:
/// neither to this machine (`loopback`) nor to private networks. `plain` permits posts without TLS even if the dialect
/// requires TLS. A value is empty if no file mentions it.
struct HttpPolicy {
  std::optional<std::vector<std::string>> urls;       ///< patterns: the only URLs that hooks may post to
  std::optional<std::vector<std::string>> variables;  ///< the only variables that headers may use
  std::vector<std::string> hosts;                     ///< patterns: hosts that may have any address, even without TLS
  std::optional<bool> loopback;
  std::optional<bool> private_networks;
  std::optional<bool> plain;

  /// This policy, overridden by a later file; lists of both are joined.
  HttpPolicy overlaid(const HttpPolicy& later) const;

  /// Writes the policy into a hook that posts, and adds what it permits to the definition that the user trusts.
  void apply_to(HookSpec& spec) const;
};

}  // namespace grapnel
