#pragma once

#include "grapnel/event.h"

namespace grapnel {

/// What a decision may do at a kind of event, whatever dialect its hooks are written in. `finalize` drops everything
/// else. What a particular agent understands at that event is a question for its dialect (`EventRow::verdicts`).
struct Capability {
  bool can_deny = true;
  bool can_ask = false;
  bool can_allow = false;
  bool is_gate = false;  ///< Deny means "keep working", so a loop cap applies
  bool can_rewrite_input = false;
};
/// The reference is valid for ever: the values are constants.
const Capability& capability(EventKind kind);

}  // namespace grapnel
