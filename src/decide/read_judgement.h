#pragma once

#include "decide/interpret.h"

namespace grapnel {

/// What a model said about an event: `{"ok": true}`, `{"ok": false, "reason": "…"}`, or what a hook of the dialect
/// would print. The object may stand alone, in fenced code or among other words, but there has to be one and only one;
/// with anything else the hook has failed. An objection denies; where the event's row says so it ends the turn, too.
HookAnswer read_judgement(const HookSpec& hook, const EventRow& row, const Capture& said);

}  // namespace grapnel
