#pragma once

#include "decide/interpret.h"

namespace grapnel {

/// Reads one hook's JSON object by the output rows of its event into `answer`. A verdict that cannot be understood is
/// the hook's failure; any other member of the wrong type is ignored with a complaint.
void read_answer(const HookSpec& hook, const EventRow& row, const Json& object, HookAnswer& answer);

/// Whether the object says anything this event listens to.
bool holds_answer(const HookSpec& hook, const EventRow& row, const Json& object);

}  // namespace grapnel
