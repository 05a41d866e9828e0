#pragma once

#include "grapnel/event.h"

namespace grapnel {

/// What a decision may do at an event, whatever dialect its hooks are written in.
struct Capability {
  bool can_deny = true;
  bool can_ask = false;
  bool can_allow = false;
  bool is_gate = false;  ///< Deny means "keep working", so a loop cap applies
  bool can_rewrite_input = false;
};
const Capability& capability(EventKind kind);

}  // namespace grapnel
