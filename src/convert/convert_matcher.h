#pragma once

#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/hook_spec.h"

/// Translates the conditions of a hook (which tools, which files, which commands) from one dialect to another. The
/// result is as strict as possible: a condition is left out only if the target has no way to express it, and that is a
/// loss.
namespace grapnel {

/// The source and the target of a conversion.
struct MatcherRoute {
  const Dialect& from;
  const Dialect& to;
  const EventRow& event;  ///< of `to`
};

/// A hook's conditions as matchers of the target dialect.
struct ConvertedMatcher {
  std::vector<Json> any_of;         ///< several if the syntax has no lists; a missing value matches everything
  std::vector<std::string> losses;  ///< what the matcher no longer says, or perhaps not, in sentences
};

/// Translates tool names and values. A condition that the target cannot express is left out, so that the hook runs too
/// often rather than too rarely.
ConvertedMatcher convert_matcher(const std::vector<Clause>& clauses, const MatcherRoute& route);

}  // namespace grapnel
