#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/hook_spec.h"

namespace grapnel {

/// What settings say about all `http` hooks of a dialect.
struct HttpPolicy {
  std::optional<std::vector<std::string>> urls;       ///< patterns: the only ones that may be posted to
  std::optional<std::vector<std::string>> variables;  ///< the only ones that headers may use
  std::vector<std::string> hosts;                     ///< patterns: these may be anywhere, and without TLS
  std::optional<bool> loopback;
  std::optional<bool> private_networks;
  std::optional<bool> plain;

  /// These, overridden by what a lower or later file says; lists are united.
  HttpPolicy overlaid(const HttpPolicy& later) const;

  /// Lays the policy down in a hook that posts; what it permits becomes part of what a project's hook is trusted for.
  void apply_to(HookSpec& spec) const;
};

}  // namespace grapnel
