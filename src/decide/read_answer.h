#pragma once

#include "decide/interpret.h"

namespace grapnel {

/// Reads the JSON object that a hook printed into `answer`, using the output rows of its event. A verdict that cannot
/// be understood is a failure of the hook; any other member of the wrong type is ignored with a complaint.
void read_answer(const HookSpec& hook, const EventRow& row, const Json& object, HookAnswer& answer);

/// Whether the object has a member that the event reads.
bool holds_answer(const HookSpec& hook, const EventRow& row, const Json& object);

}  // namespace grapnel
