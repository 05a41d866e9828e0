#pragma once

#include "decide/interpret.h"

namespace grapnel {

/// Reads what a model said about an event: `{"ok": true}`, `{"ok": false, "reason": "…"}`, or an answer as hooks of the
/// dialect print it. The object may be alone, in fenced code or between other words, but there must be exactly one;
/// otherwise the hook has failed. An objection denies, and it also ends the turn if the row of the event says so.
HookAnswer read_judgement(const HookSpec& hook, const EventRow& row, const Capture& said);

}  // namespace grapnel
