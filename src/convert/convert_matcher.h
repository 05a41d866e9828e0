#pragma once

#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/hook_spec.h"

namespace grapnel {

/// Where a matcher comes from and goes to.
struct MatcherRoute {
  const Dialect& from;
  const Dialect& to;
  const EventRow& event;  ///< of `to`
};

/// A hook's conditions as matchers of another dialect.
struct ConvertedMatcher {
  std::vector<Json> any_of;  ///< one, or several where its syntax has no lists; a missing value matches everything
  std::vector<std::string> losses;  ///< sentences about what the matcher does not say any more, or may not
};

/// Tool names and values are translated. A condition that `to` cannot say is left out, so that the hook runs more often
/// rather than seldom.
ConvertedMatcher convert_matcher(const std::vector<Clause>& clauses, const MatcherRoute& route);

}  // namespace grapnel
